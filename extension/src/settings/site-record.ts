// Record of Ashore's answers for each site. After two refusals in a row, the browser keeps the site's downloads for 30
// days. [pure]
import type { Refusal } from '../host/protocol'
import { isWithin } from './settings'

export interface SiteRecord {
  /** Number of refusals since Ashore last accepted a download. */
  refusals: number
  /** Time until which the site is left to the browser, in milliseconds since 1970. */
  left_until: number
}

export type SiteRecords = Readonly<Record<string, SiteRecord>>

const MOST_REFUSALS = 2
const LEFT_FOR = 30 * 24 * 3600 * 1000
/** Maximum number of stored records. The oldest are dropped first. */
const MOST_RECORDS = 500

/** Codes of refusals that the site causes. Other refusals say nothing about the next download of the site. */
const OF_SITE: ReadonlySet<string> = new Set(['browser-not-same-file', 'browser-local-address'])

/**
 * Returns whether the site caused a refusal. The code `browser-refused` can have many reasons. Most of them are faults of
 * this computer or its network, such as a name that could not be resolved. Only a status comes from the server.
 */
function isOfSite({ code, reason = '' }: Refusal): boolean {
  if (code !== 'browser-refused') return OF_SITE.has(code)
  return reason.split('.')[0] === 'bad-status' && reason !== 'bad-status.proxy'
}

export function recordsOf(stored: unknown): SiteRecords {
  if (typeof stored !== 'object' || stored === null) return {}
  const whole = Object.entries(stored as Record<string, unknown>).filter((entry): entry is [string, SiteRecord] => {
    const record = entry[1] as Partial<SiteRecord> | null
    return typeof record?.refusals === 'number' && typeof record.left_until === 'number'
  })
  return Object.fromEntries(whole)
}

/** Returns the records after Ashore accepted a download of the site. */
export function afterTaken(records: SiteRecords, site: string): SiteRecords {
  const { [site]: _, ...others } = records
  return others
}

/** Returns the records after Ashore refused a download of the site. */
export function afterRefusal(records: SiteRecords, site: string, refusal: Refusal, now: number): SiteRecords {
  if (!isOfSite(refusal)) return records
  const refusals = (records[site]?.refusals ?? 0) + 1
  const isLeft = refusals >= MOST_REFUSALS
  const { [site]: _, ...others } = records
  const kept = Object.entries(others).slice(-(MOST_RECORDS - 1))
  return { ...Object.fromEntries(kept), [site]: { refusals: isLeft ? 0 : refusals, left_until: isLeft ? now + LEFT_FOR : 0 } }
}

/** Time until which downloads of the site stay in the browser; null if Ashore may accept them. */
export function leftUntil(records: SiteRecords, site: string, now: number): number | null {
  const found = Object.entries(records).find(([listed, { left_until }]) => isWithin(site, listed) && left_until > now)
  return found?.[1].left_until ?? null
}
