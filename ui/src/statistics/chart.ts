// The last weeks as a picture: a day for each bar, how high it is, and what a day is to be told of. [pure]
import type { Counted, DayStatistic, SourceStatistic } from '../api/api'
import { percent } from '../i18n/format'

/** Days that are shown, today included. */
export const DAYS = 28
const DAY = 86_400_000
const WEEK = 7

const NOTHING: Counted = { added: 0, succeeded: 0, failed: 0, retried: 0, downloaded: 0, uploaded: 0 }

/** Such as `2026-11-22`, where the person is. `now` in milliseconds of Unix time. */
export function today(now: number): string {
  const date = new Date(now)
  // As if it were the same time of day at Greenwich, where every day has 24 hours.
  return written(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()))
}

/** Every day of the last ones up to `last`, the oldest first: on which nothing was added as well. */
export function daysUpTo(last: string, known: readonly DayStatistic[], length = DAYS): DayStatistic[] {
  const byDay = new Map(known.map((day) => [day.day, day]))
  return Array.from({ length }, (_, place) => {
    const day = written(Date.parse(last) - (length - 1 - place) * DAY)
    return byDay.get(day) ?? { day, ...NOTHING }
  })
}

export function together(days: readonly Counted[]): Counted {
  const keys = Object.keys(NOTHING) as (keyof Counted)[]
  return Object.fromEntries(keys.map((key) => [key, days.reduce((sum, day) => sum + day[key], 0)])) as unknown as Counted
}

/** Of what came to an end by itself, how much succeeded, in whole percent; null where nothing did. 100 is all of it. */
export function share({ succeeded, failed }: Counted): number | null {
  return succeeded + failed === 0 ? null : percent(succeeded, succeeded + failed)
}

/** Percent of the height at which `top` is. What there is can be seen, however little. */
export function heightOf(bytes: number, top: number): number {
  return bytes <= 0 ? 0 : Math.min(100, Math.max(1, Math.round((bytes / top) * 1000) / 10))
}

/** What brought most goes first; the order of the others is that of the engine. */
export function bySize(sources: readonly SourceStatistic[]): SourceStatistic[] {
  return [...sources].sort((one, other) => other.downloaded - one.downloaded || other.succeeded - one.succeeded)
}

/** Places of the days that are named below the picture: each a week after the one before. */
export function named(length = DAYS): number[] {
  return Array.from({ length: Math.ceil(length / WEEK) }, (_, week) => week * WEEK)
}

/** The day under a pointer that is `x` pixels into a picture so wide. */
export function dayUnder(x: number, width: number, length = DAYS): number {
  return within(Math.floor((x / Math.max(1, width)) * length), length)
}

/** The day that a key goes to; null where it goes to none. */
export function stepTo(place: number, key: string, length = DAYS): number | null {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return within(place - 1, length)
    case 'ArrowRight':
    case 'ArrowUp':
      return within(place + 1, length)
    case 'PageDown':
      return within(place - WEEK, length)
    case 'PageUp':
      return within(place + WEEK, length)
    case 'Home':
      return 0
    case 'End':
      return length - 1
    default:
      return null
  }
}

function within(place: number, length: number): number {
  return Math.max(0, Math.min(length - 1, place))
}

function written(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
