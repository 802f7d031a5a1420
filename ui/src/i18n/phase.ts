// Phase of a registration as the user sees it, and its next step. [pure]
import type { Category, Registration } from '../api/api'
import type { Capabilities } from '../api/capabilities'
import { messageId } from './engine-messages'
import { percent } from './format'

/** Owner of the downloads that the browser extension handed over. */
const BROWSER = 'browser'

export type Phase = 'running' | 'waiting' | 'paused' | 'done' | 'failed' | 'cancelled'

export function phase(registration: Registration): Phase {
  if (registration.state !== 'settled') return registration.state
  if (registration.result === 'success') return 'done'
  return registration.failureReason === 'aborted' ? 'cancelled' : 'failed'
}

export const FILTERS = ['all', 'running', 'waiting', 'paused', 'done', 'failed', 'cancelled'] as const
export type Filter = (typeof FILTERS)[number]

/** Filters to offer: all filters, but the filter for cancelled downloads only if it has downloads or is `chosen`. */
export function offeredFilters(counts: { [filter in Filter]: number }, chosen: Filter): Filter[] {
  return FILTERS.filter((filter) => filter !== 'cancelled' || counts.cancelled > 0 || chosen === 'cancelled')
}

export const CATEGORIES = [
  'video',
  'music',
  'picture',
  'document',
  'archive',
  'program',
  'other',
] as const satisfies readonly Category[]

/** Filter, other than "all", that shows the registration. */
export const filterOf = (registration: Registration): Exclude<Filter, 'all'> => phase(registration)

export type Step =
  | 'pause'
  | 'start'
  | 'resume'
  | 'resume-all'
  | 'anyway'
  | 'space'
  | 'retry'
  | 'sign-in'
  | 'relink'
  | 'folder'
  | 'open'
  | 'save'
  | 'show'
  | 'files'
  | 'remove'

/** Next step that most users would take. */
export function nextStep(registration: Registration, everythingIsPaused = false): Step {
  switch (phase(registration)) {
    case 'running':
      return everythingIsPaused ? 'resume-all' : 'pause'
    case 'waiting':
      return everythingIsPaused ? 'resume-all' : waitingStep(registration)
    case 'paused':
      // While everything is paused, resuming a single download does not start it.
      return everythingIsPaused ? 'resume-all' : 'resume'
    case 'done':
      return hasOneFile(registration) ? (registration.path === null ? 'remove' : 'open') : 'show'
    case 'failed':
      return failedStep(registration)
    case 'cancelled':
      return 'remove'
  }
}

/** Steps that need a decision of the user. Their buttons show words, and the buttons of all other steps show only an icon. */
const DECISIONS: readonly Step[] = ['anyway', 'space', 'retry', 'sign-in', 'relink', 'folder']

export const isDecision = (step: Step): boolean => DECISIONS.includes(step)

/** Step that has the same purpose as `step` and that a page with these capabilities can take. */
export function possibleStep(step: Step, registration: Registration, can: Pick<Capabilities, 'openFiles' | 'showFolders'>): Step {
  if (step === 'open') return can.openFiles ? 'open' : 'save'
  if (can.showFolders) return step
  if (step === 'show') return 'files'
  // The user must free space on the other computer, and can then try again.
  if (step === 'space') return isSettled(registration) ? 'retry' : 'pause'
  return step
}

/** Gates that the user may override for one download. */
const OVERRULED: readonly string[] = ['hours', 'metered', 'battery', 'in-use']

/** Messages about a disk with too little free space. */
const SHORT: readonly (string | null)[] = ['message-disk.short', 'message-disk.below-floor']

function waitingStep({ next_try: due, waiting_for: trouble }: Registration): Step {
  if (trouble !== null && OVERRULED.includes(trouble.code)) return 'anyway'
  // Offer a retry: the user may have fixed the cause and need not wait for the automatic retry.
  if (due !== null) return 'retry'
  // Only the order of the queue holds this download back.
  if (trouble === null) return 'start'
  return SHORT.includes(messageId(trouble)) ? 'space' : 'pause'
}

/** Messages about a link that no longer works, so that the user needs a new link. */
const DEAD: readonly (string | null)[] = [
  'message-link-expired',
  'message-bad-status.forbidden',
  'message-bad-status.gone',
  'message-bad-status.legal',
  'message-too-many-redirects',
  'message-refused-redirect',
]

/** Step that the failure message recommends. */
function failedStep(registration: Registration): Step {
  const { failure, failed } = registration
  const said = failure === null ? null : messageId(failure)
  // The browser knows the sign-in for its site. A click in the browser passes the sign-in to Ashore.
  if (needsBrowserSignIn(registration)) return 'relink'
  if (said === 'message-bad-status.sign-in') return 'sign-in'
  if (!sends(registration)) {
    if (DEAD.includes(said) && hasOneFile(registration)) return 'relink'
    // The folder does not exist or is not writable.
    if (failure?.code === 'target') return 'folder'
    // If the file is too large for the disk, another folder helps. But if the disk already contains bytes of the file,
    // the user must free space.
    if (failure?.code === 'disk-full') return registration.downloaded > 0 ? 'space' : 'folder'
  }
  return failed > 0 ? 'retry' : 'remove'
}

/**
 * Whether a server refused a download that came from the browser. The user then has to sign in and click in the browser
 * again.
 */
export function needsBrowserSignIn({ owner, failure }: Registration): boolean {
  const said = failure === null ? null : messageId(failure)
  return owner === BROWSER && (said === 'message-bad-status.sign-in' || said === 'message-bad-status.forbidden')
}

/**
 * Whether both are possible: a click in the browser gives the download a new link, and the browser can open the download's
 * page.
 */
export function hasKnownPage(registration: Registration): boolean {
  const isOfBrowser = registration.owner === BROWSER && registration.page !== null && hasOneFile(registration)
  return isOfBrowser && phase(registration) !== 'cancelled'
}

export function hasOneFile(registration: Registration): boolean {
  return registration.requests === 1
}

/**
 * Whether a retry has an effect.
 *
 * A retry has an effect if the registration is settled and has failures, or if it waits for its next attempt.
 */
export function mayRetry(registration: Registration): boolean {
  return isSettled(registration) ? registration.failed > 0 : registration.state === 'waiting' && registration.next_try !== null
}

export function isSettled(registration: Registration): boolean {
  return registration.state === 'settled'
}

/** Whether the registration is settled or paused, so that its state changes only by user action. */
export function isStill(registration: Registration): boolean {
  return isSettled(registration) || registration.state === 'paused'
}

/** Whether at least one file exists under its final name. */
export function hasFiles(registration: Registration): boolean {
  return hasOneFile(registration) ? registration.path !== null : registration.succeeded > 0
}

/**
 * Whether a failed download of one file keeps a partial file that a retry continues. A complete file with a wrong checksum
 * is not kept.
 */
export function keepsPartialFile(registration: Registration): boolean {
  const { downloaded } = registration
  const total = expected(registration)
  const isIncomplete = downloaded > 0 && (total === 0 || downloaded < total)
  return phase(registration) === 'failed' && hasOneFile(registration) && isIncomplete
}

/** Expected total bytes; 0 while unknown. */
export function expected(registration: Registration): number {
  return Math.max(registration.expected_total, registration.downloadTotal, 0)
}

/** Progress in whole percent; null while the size is unknown. The progress of an upload counts the bytes sent. */
export function progress(registration: Registration): number | null {
  if (isSending(registration)) return percent(registration.uploaded, registration.uploadTotal)
  const total = expected(registration)
  if (total > 0) return percent(registration.downloaded, total)
  if (registration.requests > 1 && registration.succeeded > 0) {
    return percent(registration.succeeded, registration.requests)
  }
  return null
}

/**
 * Percentage of files that failed, as a whole number; 0 for a download with one file. If any of several files failed, at
 * least 2, so that the share is visible in the bar.
 */
export function lost(registration: Registration): number {
  if (hasOneFile(registration) || registration.failed === 0) return 0
  return Math.max(2, percent(registration.failed, registration.requests))
}

/** Whether the registration uploads data. */
export function sends(registration: Registration): boolean {
  return registration.uploadTotal > 0
}

export function isSending(registration: Registration): boolean {
  return sends(registration) && registration.uploaded < registration.uploadTotal
}

/** Prefix of the field `owner` in downloads that another machine sent. */
const SENDER = 'device-'

/** Id of the machine that sent a download; empty if no machine sent it. */
export function senderId(owner: string): string {
  return owner.startsWith(SENDER) ? owner.slice(SENDER.length) : ''
}

/** Whether another machine sent this download and the download is still paused without any bytes. */
export function isUnstartedSend({ owner, state, downloaded }: Registration): boolean {
  return senderId(owner) !== '' && state === 'paused' && downloaded === 0
}
