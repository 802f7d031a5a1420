// Limits the hand-offs of a site that happen without a click, and recognises the bypass key. [pure]

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
  /** Times of the hand-offs without a click, by site. */
  unclicked: Readonly<Record<string, readonly number[]>>
}

export const NO_ACTIVITY: Activity = { clicks: [], unclicked: {} }

const MOST_UNCLICKED = 10
const MINUTE = 60_000
/** A download that begins this long after a click belongs to the click. */
const FOLLOWS_CLICK = 5_000
/** A server may answer a clicked link this late. */
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

/** Counts a hand-off of `site`: the clicks and hand-offs afterwards, or null if the site used up its share. */
export function countHandOff(activity: Activity, site: string, now: number): Activity | null {
  const used = activity.clicks.findLast(({ at, has_key }) => !has_key && now - at < FOLLOWS_CLICK)
  // One click permits one hand-off, so that a page cannot start many downloads with a single click.
  if (used !== undefined) return { ...activity, clicks: activity.clicks.filter((click) => click !== used) }
  const times = (activity.unclicked[site] ?? []).filter((at) => now - at < MINUTE)
  if (times.length >= MOST_UNCLICKED) return null
  const others = Object.entries(activity.unclicked).filter(([other, at]) => other !== site && now - (at.at(-1) ?? 0) < MINUTE)
  return { ...activity, unclicked: { ...Object.fromEntries(others), [site]: [...times, now] } }
}
