// The hours of a week as a grid of half hours that can be painted. [pure, but for the days' names]
import type { Week } from '../api/api'
import { language } from '../i18n/i18n.svelte'

export type Pace = 'f' | 's' | 'o'

export interface Cell {
  /** Monday is 0. */
  day: number
  /** Half hours since midnight, 0 to 47. */
  half: number
}

export const HALVES = 48
export const DAYS = [0, 1, 2, 3, 4, 5, 6] as const

/** With everything between two cells, which are corners, at `pace`. */
export function painted(week: Week, from: Cell, to: Cell, pace: Pace): Week {
  const [firstDay, lastDay] = [Math.min(from.day, to.day), Math.max(from.day, to.day)]
  const [first, last] = [Math.min(from.half, to.half), Math.max(from.half, to.half)]
  const days = week.days.map((day, number) =>
    number < firstDay || number > lastDay ? day : day.slice(0, first) + pace.repeat(last - first + 1) + day.slice(last + 1),
  )
  return { days: days as Week['days'], is_exact: true }
}

export const paceAt = (week: Week, { day, half }: Cell): Pace => (week.days[day]?.[half] ?? 'f') as Pace

export const isSame = (one: Week, other: Week): boolean => one.days.every((day, number) => day === other.days[number])

/** One further, staying inside. */
export function step(cell: Cell, key: string): Cell | null {
  const within = (value: number, most: number): number => Math.min(most, Math.max(0, value))
  switch (key) {
    case 'ArrowLeft':
      return { ...cell, half: within(cell.half - 1, HALVES - 1) }
    case 'ArrowRight':
      return { ...cell, half: within(cell.half + 1, HALVES - 1) }
    case 'ArrowUp':
      return { ...cell, day: within(cell.day - 1, 6) }
    case 'ArrowDown':
      return { ...cell, day: within(cell.day + 1, 6) }
    case 'Home':
      return { ...cell, half: 0 }
    case 'End':
      return { ...cell, half: HALVES - 1 }
    default:
      return null
  }
}

/** `08:30`. */
export const time = (half: number): string => `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 === 0 ? '00' : '30'}`

/** The days' names where the person is, from Monday on. */
export function dayNames(style: 'short' | 'long', locale = language().formats): string[] {
  const format = new Intl.DateTimeFormat(locale, { weekday: style, timeZone: 'UTC' })
  // 2024-01-01 was a Monday.
  return DAYS.map((day) => format.format(Date.UTC(2024, 0, 1 + day)))
}
