// Weekly schedule as a grid of half hours that the user can paint. [pure, except for the day names]
import type { Week } from '../api/api'
import type { Cell, SpeedCode } from '../api/week'
import { settingWords } from './setting-labels'
import { language } from '../i18n/i18n.svelte'

export const HALVES = 48
export const DAYS = [0, 1, 2, 3, 4, 5, 6] as const

export const paceAt = (week: Week, { day, half }: Cell): SpeedCode => (week.days[day]?.[half] ?? 'f') as SpeedCode

export const isSame = (one: Week, other: Week): boolean => one.days.every((day, number) => day === other.days[number])

/** Cell that an arrow key, Home or End leads to, limited to the grid; null for other keys. */
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

/** Formats the start of a half hour as `08:30`. */
export const time = (half: number): string => `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 === 0 ? '00' : '30'}`

const DAY_NAMES = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const PACE_NAMES: { [name: string]: SpeedCode } = { full: 'f', slow: 's', off: 'o' }

/**
 * Translates a line of the settings file, such as `mon-fri 08:00-18:00 slow`, to the language of the page. Returns a line
 * that cannot be parsed unchanged.
 */
export function lineInWords(line: string, locale = language().formats): string {
  const [days = '', times = '', pace = ''] = line.toLowerCase().trim().split(/\s+/)
  const [from, until] = times.split('-')
  const names = daysInWords(days, dayNames('short', locale))
  const letter = PACE_NAMES[pace]
  if (names === null || letter === undefined || from === undefined || until === undefined) return line
  return settingWords.cell(names, from, until, settingWords.paces[letter])
}

/** Days such as `mon-wed,fri` as `Mon–Wed, Fri`; null if they cannot be read. `names` starts with Monday. */
function daysInWords(days: string, names: readonly string[]): string | null {
  if (days === 'daily') return `${names[0]}–${names[6]}`
  const parts = days.split(',').map((part) => part.split('-').map((day) => names[DAY_NAMES.indexOf(day)]))
  return parts.some((part) => part.includes(undefined)) ? null : parts.map((part) => part.join('–')).join(', ')
}

/** Localised names of the days, starting with Monday. */
export function dayNames(style: 'short' | 'long', locale = language().formats): string[] {
  const format = new Intl.DateTimeFormat(locale, { weekday: style, timeZone: 'UTC' })
  // 2024-01-01 was a Monday.
  return DAYS.map((day) => format.format(Date.UTC(2024, 0, 1 + day)))
}
