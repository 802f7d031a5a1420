// Everything that the extension stores: settings and site records permanently, the rest until the browser ends.
import type { BrowserApi } from '../browser/api'
import { Stored } from '../browser/stored'
import type { Refusal } from '../host/protocol'
import { type SiteRecords, recordsOf } from './site-record'
import { type Settings, settingsOf } from './settings'

/** Latest download that was left to the browser, for the popup. */
export interface LastKept {
  name: string
  site: string
  /** Time in milliseconds since 1970. */
  at: number
  /** Reason: a rule of the extension, or a refusal of Ashore. */
  why: { rule: string } | { refusal: Refusal }
}

export interface Memory {
  settings: Stored<Settings>
  records: Stored<SiteRecords>
  lastKept: Stored<LastKept | null>
  /**
   * Identifies this run of the browser in request ids. The ids of an earlier run must never be used again, but Firefox
   * numbers its downloads from 1 in every run.
   */
  instance: Stored<string | null>
}

export function memoryOf(browser: BrowserApi): Memory {
  const { local, session } = browser.storage
  return {
    settings: new Stored(local, 'settings', settingsOf),
    records: new Stored(local, 'site_records', recordsOf),
    lastKept: new Stored(session, 'last_kept', (stored) => (stored ?? null) as LastKept | null),
    instance: new Stored(session, 'instance', (stored) => (typeof stored === 'string' ? stored : null)),
  }
}

/** Id of a request to take a download: at most 200 bytes, and never used twice. */
export async function askId(memory: Memory, download: string): Promise<string> {
  const instance = await memory.instance.update((known) => known ?? crypto.randomUUID())
  return `${instance}/${download}`
}
