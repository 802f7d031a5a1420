// Status of a download, a file or all downloads together, in one line. [pure, except for the language]
import type { FileRecord, Registration, Totals, UserMessage } from '../api/api'
import { list, say } from './i18n.svelte'
import { clause, sentence } from './engine-messages'
import { files, filesOf, type Locale, moment, part, rate, size, span } from './format'
import { expected, hasOneFile, isSending, keepsPartialFile, needsBrowserSignIn, phase, type Phase, progress } from './phase'

export interface Circumstances {
  /** Current time in milliseconds of Unix time. */
  now: number
  /** Current speed in bytes per second; null if unknown. */
  speed?: number | null
  everythingIsPaused?: boolean
  /** Facts about a running download that the caller shows elsewhere, so that the status omits them. */
  without?: readonly string[]
  /** Limit that holds back a queued download, if known. */
  queue?: QueueLimit | null
  /** Verification result of a single file, if known. */
  verified?: FileRecord['verified']
  locale?: Locale
}

/** Limit on the number of files that run at a time, of all servers together or of one server. */
export type QueueLimit = { limit: 'files'; count: number } | { limit: 'server'; count: number; host: string }

export interface Line {
  text: string
  /** Whether the line describes a failure. */
  trouble: boolean
}

/** Status of a registration in one line. */
export function line(registration: Registration, circumstances: Circumstances): Line {
  const { awaited_link: awaited } = registration
  if (awaited !== null && circumstances.now < awaited.until) return { text: awaits(awaited.other), trouble: false }
  switch (phase(registration)) {
    case 'running':
      return { text: running(registration, circumstances), trouble: false }
    case 'waiting':
      return waiting(registration, circumstances)
    case 'paused':
      return { text: paused(registration, circumstances), trouble: false }
    case 'done':
      return { text: done(registration, circumstances), trouble: false }
    case 'failed':
      return { text: failed(registration), trouble: true }
    case 'cancelled':
      return { text: cancelled(registration, circumstances), trouble: false }
  }
}

/**
 * Text of a download that waits for a click in the browser; `other` is the title of the last other file that was clicked.
 */
const awaits = (other: string | null): string =>
  other === null ? say('row-awaits-link') : say('row-awaits-link-other', { name: other })

function running(registration: Registration, { speed = null, without = [] }: Circumstances): string {
  const moves = !without.includes('speed') && moving(speed)
  const timeLeft = (bytes: number): string | false => !without.includes('left') && left(bytes, speed)
  if (isSending(registration)) {
    const sent = say('row-sending', { part: part(registration.uploaded, registration.uploadTotal) })
    return list(sent, moves, timeLeft(registration.uploadTotal - registration.uploaded))
  }
  const total = expected(registration)
  if (registration.downloaded === 0 && registration.succeeded === 0) {
    return list(filesDone(registration), say('row-connecting'), failures(registration))
  }
  return list(
    filesDone(registration),
    total > 0 ? part(Math.min(registration.downloaded, total), total) : size(registration.downloaded),
    moves,
    total > 0 && timeLeft(total - registration.downloaded),
    failures(registration),
  )
}

function waiting(registration: Registration, circumstances: Circumstances): Line {
  const { next_try: due, waiting_for: trouble } = registration
  if (circumstances.everythingIsPaused)
    return { text: list(say('row-paused-with-everything'), soFar(registration)), trouble: false }
  if (trouble === null) return { text: list(queued(circumstances.queue ?? null), soFar(registration)), trouble: false }
  const what = due === null ? say('row-waits-because', { why: clause(trouble) }) : triesAgain(due - circumstances.now, trouble)
  return { text: list(what, failures(registration)), trouble: true }
}

function queued(reason: QueueLimit | null): string {
  if (reason === null) return say('row-waits')
  const { count } = reason
  return reason.limit === 'files' ? say('row-waits-slots', { count }) : say('row-waits-server', { count, host: reason.host })
}

/** Text about a retry that is due in `due` milliseconds. */
function triesAgain(due: number, trouble: UserMessage | null): string {
  const wait = due / 1000
  if (trouble === null) return wait < 1 ? say('row-tries') : say('row-tries-in', { time: span(wait) })
  const why = clause(trouble)
  return wait < 1 ? say('row-tries-because', { why }) : say('row-tries-in-because', { time: span(wait), why })
}

function paused(registration: Registration, { everythingIsPaused }: Circumstances): string {
  if (everythingIsPaused) return list(say('row-paused-with-everything'), soFar(registration), failures(registration))
  const percent = progress(registration)
  if (percent !== null && (registration.downloaded > 0 || registration.uploaded > 0)) {
    return list(say('row-paused-at-percent', { percent }), soFar(registration), failures(registration))
  }
  if (registration.downloaded > 0)
    return list(say('row-paused-at', { amount: size(registration.downloaded) }), filesDone(registration), failures(registration))
  return list(
    say('row-paused'),
    !hasOneFile(registration) && files(registration.requests),
    registration.failed === 0 && say('row-not-started'),
    failures(registration),
  )
}

function done(registration: Registration, { now, verified, locale }: Circumstances): string {
  return list(
    say('row-done', { moment: moment(registration.settled ?? now, now, locale) }),
    !hasOneFile(registration) &&
      (registration.failed > 0 ? filesOf(registration.succeeded, registration.requests) : files(registration.requests)),
    size(registration.downloaded),
    verified === 'by-digest' && say('row-verified'),
    registration.unmeasured && say('row-size-unknown'),
  )
}

function failed(registration: Registration): string {
  const { failure, requests } = registration
  if (needsBrowserSignIn(registration)) return say('row-sign-in-again')
  const whole = failure === null ? reason(registration) : sentence(failure)
  if (keepsPartialFile(registration)) return list(say('row-kept', { amount: soFar(registration) || '' }), whole)
  if (hasOneFile(registration) || registration.failed === 0) return whole
  const why = clause(failure ?? { code: '', text: whole })
  if (registration.failed === requests) return say('row-all-failed', { count: requests, why })
  return say('row-some-failed', { done: registration.failed, count: requests, why })
}

function cancelled(registration: Registration, { now, locale }: Circumstances): string {
  const { succeeded, requests } = registration
  return list(
    say('row-cancelled-at', { moment: moment(registration.settled ?? now, now, locale) }),
    !hasOneFile(registration) && succeeded > 0 && say('row-files-kept', { done: succeeded, count: requests }),
  )
}

/** Text for the `failureReason` of the specification, if the engine gives no message. */
function reason(registration: Registration): string {
  switch (registration.failureReason) {
    case 'bad-status':
      return say('reason-bad-status')
    case 'quota-exceeded':
      return say('reason-quota-exceeded')
    case 'download-total-exceeded':
      return say('reason-download-total-exceeded')
    default:
      return say('reason-fetch-error')
  }
}

const filesDone = (registration: Registration): string | false =>
  !hasOneFile(registration) && filesOf(registration.succeeded, registration.requests)

const failures = (registration: Registration): string | false =>
  registration.failed > 0 &&
  !hasOneFile(registration) &&
  (registration.failure === null
    ? say('row-failed-files', { count: registration.failed })
    : say('row-failed-files-because', { count: registration.failed, why: clause(registration.failure) }))

const moving = (speed: number | null): string | false => speed !== null && (speed > 0 ? rate(speed) : say('row-stalled'))

const left = (bytes: number, speed: number | null): string | false =>
  speed !== null && speed > 0 && bytes > 0 && say('time-left', { time: span(bytes / speed) })

function soFar(registration: Registration): string | false {
  if (registration.downloaded === 0) return false
  const total = expected(registration)
  return total > 0 ? part(registration.downloaded, total) : size(registration.downloaded)
}

/** Status of one file of a download that has several files. */
export function fileLine(record: FileRecord, { now, everythingIsPaused }: Circumstances, owner: Phase): Line {
  const amount =
    record.size !== null && record.size > record.downloaded ? part(record.downloaded, record.size) : size(record.downloaded)
  const said =
    record.text === null ? null : { code: record.code ?? '', variant: record.variant, args: record.args, text: record.text }
  const why = (): string => (said === null ? say('reason-fetch-error') : sentence(said))
  switch (record.state) {
    case 'active':
      return { text: record.downloaded > 0 ? amount : say('row-connecting'), trouble: false }
    case 'completed':
      if (record.outcome === 'success') {
        const verified = record.verified === 'by-digest' && say('row-verified')
        return { text: list(size(record.size ?? record.downloaded), verified), trouble: false }
      }
      return { text: why(), trouble: true }
    case 'dead':
      return { text: why(), trouble: true }
    case 'aborted':
      return { text: say('row-cancelled'), trouble: false }
    case 'waiting':
      return { text: triesAgain(record.next_try === null ? 0 : record.next_try - now, said), trouble: said !== null }
    case 'pending': {
      const still = owner === 'paused' || everythingIsPaused === true
      return { text: list(still ? say('row-paused') : say('row-waits'), record.downloaded > 0 && amount), trouble: false }
    }
  }
}

/** Formats totals as `3 running · 12 queued`, with the reason for waiting if all waiting downloads share one reason. */
export function totalsLine(totals: Omit<Totals, 'speed'>): string {
  if (totals.paused) return say('totals-paused')
  if (totals.running === 0 && totals.waiting === 0) return say('totals-idle')
  return list(
    totals.running > 0 && say('totals-running', { count: totals.running }),
    totals.waiting > 0 && say('totals-waiting', { count: totals.waiting }),
    totals.waiting > 0 && totals.gate !== null && clause(totals.gate),
    totals.running > 0 && totals.pace === 'slow' && say('totals-slow-hours'),
  )
}
