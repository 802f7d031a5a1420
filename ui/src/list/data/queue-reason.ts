// Reason why a queued download does not run yet, as far as the settings limit the number of files. [pure]

import type { QueueLimit } from '../../i18n/status-text'

export interface QueueFacts {
  /** Number of files that run now. */
  active: number
  /** Setting: files at a time. */
  parallel: number
  /** Setting: files at a time from one server. */
  parallelPerHost: number
}

/**
 * Returns the limit that holds back a queued download. `url` is the address of its only file; null if the download has
 * several files or the address is unknown. Returns null if no limit is known to hold back the download.
 */
export function queueReason({ active, parallel, parallelPerHost }: QueueFacts, url: string | null): QueueLimit | null {
  if (active >= parallel) return { limit: 'files', count: parallel }
  // With fewer running files in total than the limit per server, no limit holds back the download, so it starts soon.
  if (active < parallelPerHost || url === null || !URL.canParse(url)) return null
  return { limit: 'server', count: parallelPerHost, host: new URL(url).host }
}
