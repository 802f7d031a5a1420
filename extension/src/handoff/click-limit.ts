// Limits the hand-offs per site that occur without a click, and recognises the bypass key. [pure]
import { hostNameOf } from '../settings/settings'

/** Trusted click of a person on a page. */
export interface Click {
  /** Milliseconds since 1970. */
  at: number
  has_key: boolean
  /** Address of the link, if it was clicked with the key. */
  href: string | null
}

export interface Activity {
  clicks: readonly Click[]
  /** Times of the hand-offs without a click, by source. */
  unclicked: Readonly<Record<string, readonly number[]>>
}

export const NO_ACTIVITY: Activity = { clicks: [], unclicked: {} }

/** Maximum number of hand-offs without a click per source and minute. */
const MOST_UNCLICKED = 10
/** Maximum for all sources together, because a page can use any number of host names and tabs. */
const MOST_UNCLICKED_IN_ALL = 30
const ALL = 'all'
const MINUTE = 60_000
/** A download that begins at most this long after a click belongs to the click. */
const FOLLOWS_CLICK = 5_000
/** Longest time in which a server may answer a clicked link. */
const FOLLOWS_LINK = 60_000
const MOST_CLICKS = 20

const withoutFragment = (address: string): string => address.replace(/#.*$/, '')

export function withClick(activity: Activity, click: Click): Activity {
  const recent = activity.clicks.filter(({ at }) => click.at - at < FOLLOWS_LINK)
  return { ...activity, clicks: [...recent, click].slice(-MOST_CLICKS) }
}

/** Whether the click that caused a download was made with the bypass key. */
export function isBypassed({ clicks }: Activity, addresses: readonly string[], now: number): boolean {
  const wanted = new Set(addresses.map(withoutFragment))
  const ofLink = clicks.findLast(({ at, href }) => href !== null && now - at < FOLLOWS_LINK && wanted.has(withoutFragment(href)))
  const latest = ofLink ?? clicks.findLast(({ at }) => now - at < FOLLOWS_CLICK)
  return latest?.has_key === true
}

/** Sources for which a hand-off is counted: its tab, and the hosts of the pages and files that may have caused it. */
export function sourcesOf(tab: number, addresses: readonly (string | null | undefined)[]): string[] {
  const hosts = addresses.map(hostNameOf).filter((host) => host !== null)
  return [...new Set([...(tab >= 0 ? [`tab ${tab}`] : []), ...hosts.map((host) => `host ${host}`)])]
}

/** Counts a hand-off. Returns the new clicks and hand-offs, or null if one of the sources has reached its limit. */
export function countHandOff(activity: Activity, sources: readonly string[], now: number): Activity | null {
  const used = activity.clicks.findLast(({ at, has_key }) => !has_key && now - at < FOLLOWS_CLICK)
  // Each click permits only one hand-off, so that a page cannot start many downloads with a single click.
  if (used !== undefined) return { ...activity, clicks: activity.clicks.filter((click) => click !== used) }
  const recent = Object.entries(activity.unclicked)
    .map(([source, times]) => [source, times.filter((at) => now - at < MINUTE)] as const)
    .filter(([, times]) => times.length > 0)
  const unclicked: Record<string, readonly number[]> = Object.fromEntries(recent)
  for (const source of [...sources, ALL]) {
    const times = unclicked[source] ?? []
    if (times.length >= (source === ALL ? MOST_UNCLICKED_IN_ALL : MOST_UNCLICKED)) return null
    unclicked[source] = [...times, now]
  }
  return { ...activity, unclicked }
}
