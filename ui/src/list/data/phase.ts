// What a registration is to a person, in one word, and the step that comes next. [pure]
import type { Category, Registration } from '../../api/api'
import { idOf } from '../../i18n/engine-messages'
import { percent } from '../../i18n/format'

export type Phase = 'running' | 'waiting' | 'paused' | 'done' | 'failed' | 'cancelled'

export function phase(registration: Registration): Phase {
  if (registration.state !== 'settled') return registration.state
  if (registration.result === 'success') return 'done'
  return registration.failureReason === 'aborted' ? 'cancelled' : 'failed'
}

export const FILTERS = ['all', 'running', 'waiting', 'done', 'failed'] as const
export type Filter = (typeof FILTERS)[number]

export const CATEGORIES = [
  'video',
  'music',
  'picture',
  'document',
  'archive',
  'program',
  'other',
] as const satisfies readonly Category[]

/** The one filter beside "all" that shows it. */
export function filterOf(registration: Registration): Exclude<Filter, 'all'> {
  switch (phase(registration)) {
    case 'running':
      return 'running'
    case 'waiting':
    case 'paused':
      return 'waiting'
    case 'done':
      return 'done'
    case 'failed':
    case 'cancelled':
      return 'failed'
  }
}

export type Step =
  'pause' | 'resume' | 'resume-all' | 'anyway' | 'space' | 'retry' | 'sign-in' | 'relink' | 'folder' | 'open' | 'show' | 'remove'

/** The one step most people want now. */
export function nextStep(registration: Registration, everythingIsPaused = false): Step {
  switch (phase(registration)) {
    case 'running':
      return everythingIsPaused ? 'resume-all' : 'pause'
    case 'waiting':
      return everythingIsPaused ? 'resume-all' : waitingStep(registration)
    case 'paused':
      return 'resume'
    case 'done':
      return hasOneFile(registration) ? (registration.path === null ? 'remove' : 'open') : 'show'
    case 'failed':
      return failedStep(registration)
    case 'cancelled':
      return 'remove'
  }
}

/** Gates that a person may see otherwise, for one download. */
const OVERRULED: readonly string[] = ['hours', 'metered', 'battery', 'in-use']

function waitingStep({ next_try: due, waiting_for: trouble }: Registration): Step {
  if (trouble !== null && OVERRULED.includes(trouble.code)) return 'anyway'
  // Whoever has put it right need not wait for that.
  if (due !== null) return 'retry'
  return trouble !== null && idOf(trouble) === 'trouble-disk.short' ? 'space' : 'pause'
}

/** Of the engine's sentences, those whose cure is another link: the old one has nothing more to give. */
const DEAD: readonly (string | null)[] = [
  'trouble-link-expired',
  'trouble-bad-status.forbidden',
  'trouble-bad-status.gone',
  'trouble-bad-status.legal',
  'trouble-too-many-redirects',
  'trouble-refused-redirect',
]

/** The step that the sentence of its failure speaks of. */
function failedStep(registration: Registration): Step {
  const { failure, failed } = registration
  const said = failure === null ? null : idOf(failure)
  if (said === 'trouble-bad-status.sign-in') return 'sign-in'
  if (!sends(registration)) {
    if (DEAD.includes(said) && hasOneFile(registration)) return 'relink'
    // Its folder is gone, or may not be written to.
    if (failure?.code === 'target') return 'folder'
    // What no disk of this size holds goes to another one. Where some of it has come, it stays with that.
    if (failure?.code === 'disk-full') return registration.downloaded > 0 ? 'space' : 'folder'
  }
  return failed > 0 ? 'retry' : 'remove'
}

export function hasOneFile(registration: Registration): boolean {
  return registration.requests === 1
}

/** Trying again does something: for what failed, once the others are over, or for what waits for another try. */
export function mayRetry(registration: Registration): boolean {
  return isSettled(registration) ? registration.failed > 0 : registration.state === 'waiting' && registration.next_try !== null
}

export function isSettled(registration: Registration): boolean {
  return registration.state === 'settled'
}

/** Over, or stopped by a person: nothing of it is under way, and nothing comes to be by itself. */
export function isStill(registration: Registration): boolean {
  return isSettled(registration) || registration.state === 'paused'
}

/** Something of it is on the disk under its final name. */
export function hasFiles(registration: Registration): boolean {
  return hasOneFile(registration) ? registration.path !== null : registration.succeeded > 0
}

/** Bytes that will be there in the end, 0 while nobody knows. */
export function expected(registration: Registration): number {
  return Math.max(registration.expected_total, registration.downloadTotal, 0)
}

/** Whole percent, or none while nobody knows how much it is. Uploads count by what was sent. */
export function progress(registration: Registration): number | null {
  if (isSending(registration)) return percent(registration.uploaded, registration.uploadTotal)
  const total = expected(registration)
  if (total > 0) return percent(registration.downloaded, total)
  if (registration.requests > 1 && registration.succeeded > 0) {
    return percent(registration.succeeded, registration.requests)
  }
  return null
}

/** Whole percent of its files that failed, of a set; seen however few they are. */
export function lost(registration: Registration): number {
  if (hasOneFile(registration) || registration.failed === 0) return 0
  return Math.max(2, percent(registration.failed, registration.requests))
}

/** It brings something to a server. */
export function sends(registration: Registration): boolean {
  return registration.uploadTotal > 0
}

export function isSending(registration: Registration): boolean {
  return sends(registration) && registration.uploaded < registration.uploadTotal
}
