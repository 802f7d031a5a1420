// Sentences about a failed cycle, and about a server that has lost data. [pure, except for the language]
import type { SyncStatus } from '../../api/sync-api'
import { sentence } from '../../i18n/engine-messages'
import { dayOf, moment, size, weekdayOf } from '../../i18n/format'
import { say } from '../../i18n/i18n.svelte'
import { syncWords } from '../sync-labels'
import { waitingOf } from '../sync-text'

const DAY = 86_400_000
const WEEK = 7

/** Sentences about the fault. If the first sentence does not mention the waiting changes, a second sentence does. */
export function faultLines(
  { fault, collections, synced_ms, space }: Pick<SyncStatus, 'fault' | 'collections' | 'synced_ms' | 'space'>,
  now: number,
): string[] {
  if (fault === null) return []
  const count = waitingOf(collections)
  if (fault.code === 'sync-unreachable' && synced_ms !== null) {
    const since = sinceText(synced_ms, now)
    return [count > 0 ? say('sync-silent.waiting', { since, count }) : say('sync-silent.continues', { since })]
  }
  if (fault.code === 'sync-full' && space !== null) {
    const [used, total] = [size(space.used), size(space.total)]
    return [count > 0 ? say('sync-space.waiting', { used, total, count }) : say('sync-space', { used, total })]
  }
  return [sentence(fault), ...(count > 0 ? [syncWords.state.waiting(count)] : [])]
}

/**
 * Sentence which says that the server had lost data and has the data again. Null before the data is back, and also from
 * seven days after the loss was found.
 */
export function restorationText({ restored }: Pick<SyncStatus, 'restored'>, now: number): string | null {
  if (restored === null || restored.records === 0 || now >= restored.found_ms + WEEK * DAY) return null
  const { until_ms, records: count } = restored
  if (until_ms === 0) return say('sync-restoration.emptied', { count })
  return say('sync-restoration', { day: dayOf(until_ms, now), count })
}

/** Formats a time of today as `since 14:02`, a time within the last week as `since Tuesday`, and any other as `since 3 May`. */
function sinceText(at: number, now: number): string {
  // The clock may have been set back in the meantime.
  const then = Math.min(at, now)
  const days = Math.round((midnightBefore(now) - midnightBefore(then)) / DAY)
  if (days === 0) return say('sync-since.time', { when: moment(then, now) })
  if (days < WEEK) return say('sync-since.weekday', { when: weekdayOf(then) })
  return say('sync-since.day', { when: dayOf(then, now) })
}

const midnightBefore = (at: number): number => new Date(at).setHours(0, 0, 0, 0)
