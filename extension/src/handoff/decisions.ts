// State machine of one hand-off. [pure]
//
// - The browser's copy is removed only in the phase `taken`, which is stored before the removal.
// - A new worker reads the stored phase of each hand-off. It then continues according to the state of the browser's
//   download.
import type { DownloadItem } from '../browser/api'
import type { OfferedDownload } from '../host/protocol'

/** One hand-off, stored in `storage.session` before Ashore is asked. */
export interface Pair {
  /** Id of the request to Ashore, which registers at most one download for each id. */
  ask: string
  /**
   * `asking`: the answer is not known. `taken`: Ashore has the file. `refused`: the browser keeps its download. Ashore may
   * also have the file then, because its answer was late or lost, or because it could not drop the file.
   */
  phase: 'asking' | 'taken' | 'refused'
  site: string
  /** Id of the browser's request in `webRequest`. */
  request: string
  /** Whether the browser has received the whole response. */
  is_received?: boolean
  offered: OfferedDownload
  /** Time of the first failed attempt to drop the download in Ashore, in milliseconds since 1970. */
  failed_since?: number
}

/**
 * State of the browser's download. `stopped`: a person or this extension ended it. `failed`: connection or disk ended it.
 * `gone`: it is no longer in the browser's list.
 */
export type OwnState = 'running' | 'whole' | 'stopped' | 'failed' | 'gone'

export type Step =
  /** Ask Ashore. The answer decides which step follows. */
  | 'ask'
  /** Stop the browser's download and remove its partial file. `afterCancel` then determines the next step. */
  | 'cancel'
  /** Remove the stopped download from the browser's list. */
  | 'erase'
  /** Ashore drops its download, because the browser keeps its own download or the person stopped it. */
  | 'let-go'
  /** Nothing is left to do. */
  | 'forget'

export function ownState(item: DownloadItem | undefined): OwnState {
  if (item === undefined) return 'gone'
  if (item.state !== 'interrupted') return item.state === 'complete' ? 'whole' : 'running'
  return (item.error ?? 'USER_').startsWith('USER_') ? 'stopped' : 'failed'
}

const STEPS: Record<Pair['phase'], Record<OwnState, Step>> = {
  // If the person stopped the download while Ashore was asked, Ashore must drop it too. If the download failed, Ashore
  // is still asked: some servers end the first transfer when a second one begins.
  asking: { running: 'ask', failed: 'ask', whole: 'let-go', stopped: 'let-go', gone: 'let-go' },
  // If the browser has finished first, it keeps its file, and Ashore drops its own copy.
  taken: { running: 'cancel', failed: 'cancel', whole: 'let-go', stopped: 'erase', gone: 'forget' },
  refused: { running: 'let-go', failed: 'let-go', whole: 'let-go', stopped: 'let-go', gone: 'let-go' },
}

/** Next step of a hand-off in this phase, given the state of the browser's download. */
export const nextStep = (phase: Pair['phase'], state: OwnState): Step => STEPS[phase][state]

/**
 * Step after the call that cancels the browser's download. If the download had already failed, this call does not give it
 * the state `stopped`: Chromium ignores the call, and Firefox keeps the error. Such a download must be erased, because a
 * person could otherwise resume it and get a second copy.
 */
export const afterCancel = (state: OwnState): Step => (state === 'failed' ? 'erase' : nextStep('taken', state))

/**
 * Period after the first failure to drop a download in Ashore, in milliseconds. During this period, each start of the worker
 * tries again.
 */
const RELEASE_PERIOD = 24 * 60 * 60 * 1000

/**
 * Returns the pair to store after Ashore could not drop the pair's download at `now`; null if there is no further attempt.
 */
export function afterFailedRelease(pair: Pair, now: number): Pair | null {
  const failed_since = pair.failed_since ?? now
  if (now - failed_since >= RELEASE_PERIOD) return null
  // Ashore is not asked again, so the cookies are of no further use.
  return { ...pair, phase: 'refused', failed_since, offered: { ...pair.offered, cookies: null } }
}

/**
 * Whether the answer `taken` applies. It does not apply if the browser has finished, or if the person stopped the download.
 */
export const countsTaken = (state: OwnState): boolean => STEPS.asking[state] === 'ask'

/**
 * Whether a download that this extension paused is still waiting. This is true if it is paused, or if it was interrupted
 * because the browser ended.
 */
export function isWaiting(item: DownloadItem | undefined): boolean {
  if (item?.state === 'in_progress') return item.paused === true
  return item?.state === 'interrupted' && ['USER_SHUTDOWN', 'CRASH'].includes(item.error ?? '')
}

/** Returns the pairs from their stored form. */
export function pairsOf(stored: unknown): Readonly<Record<string, Pair>> {
  return typeof stored === 'object' && stored !== null ? (stored as Record<string, Pair>) : {}
}
