// Data and geometry of the bar chart for the last weeks. [pure]
import type { Counted, DayStatistic, SourceStatistic } from '../api/api'
import { written } from '../api/day'
import { percent } from '../i18n/format'

/** Days shown, including today. */
export const DAYS = 28
const DAY = 86_400_000
const WEEK = 7

const NOTHING: Counted = { added: 0, succeeded: 0, failed: 0, retried: 0, downloaded: 0, uploaded: 0 }

/** The last `length` days up to `last`, oldest first, including days without downloads. */
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

/**
 * Whole percent of finished files that succeeded; cancelled files do not count. Null if no file has finished. 100
 * only if no file failed.
 */
export function share({ succeeded, failed }: Counted): number | null {
  return succeeded + failed === 0 ? null : percent(succeeded, succeeded + failed)
}

/** Height of a bar in percent, where the value `top` is 100 percent. Any value above 0 stays visible. */
export function heightOf(bytes: number, top: number): number {
  return bytes <= 0 ? 0 : Math.min(100, Math.max(1, Math.round((bytes / top) * 1000) / 10))
}

/** Sources in descending order of bytes, then of number of files; sources with equal values keep the order of the engine. */
export function bySize(sources: readonly SourceStatistic[]): SourceStatistic[] {
  return [...sources].sort((one, other) => other.downloaded - one.downloaded || other.succeeded - one.succeeded)
}

/** Indexes of the days that are labelled below the chart, one per week. */
export function named(length = DAYS): number[] {
  return Array.from({ length: Math.ceil(length / WEEK) }, (_, week) => week * WEEK)
}

/** Index of the day at `x` pixels from the start of a chart that is `width` pixels wide. */
export function dayUnder(x: number, width: number, length = DAYS): number {
  return within(Math.floor((x / Math.max(1, width)) * length), length)
}

/** Index of the day that a key leads to; null for other keys. */
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
