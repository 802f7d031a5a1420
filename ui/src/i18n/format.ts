// Formats sizes, speeds, durations and times in the language of the page. [pure, except for the language]
import { language, say } from './i18n.svelte'

export interface Locale {
  /** Locale for dates; the locale of the page by default. */
  tag?: string
  timeZone?: string
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const

function unitOf(bytes: number): number {
  let unit = 0
  // Switch to the next unit at 999.5, because 999.5 would be rounded to a number of four digits.
  while (bytes >= 999.5 && unit < UNITS.length - 1) {
    bytes /= 1000
    unit += 1
  }
  return unit
}

function inUnit(bytes: number, unit: number, keepsDecimal: boolean): string {
  const value = bytes / 1000 ** unit
  const whole = unit === 0 || value >= 99.95 || (!keepsDecimal && Math.abs(value - Math.round(value)) < 0.05)
  return number(value, whole ? 0 : 1)
}

/** Prevents line breaks at spaces and slashes, so that an amount stays on one line. */
const unbroken = (amount: string): string => amount.replaceAll(' ', '\u00a0').replaceAll('/', '/\u2060')

/** Reverts `unbroken`: text that leaves the page contains plain spaces only. */
export const typed = (text: string): string => text.replaceAll('\u00a0', ' ').replaceAll('\u2060', '')

const withUnit = (amount: string, unit: number): string => unbroken(say('size', { amount, unit: UNITS[unit]! }))

/** Formats a size such as `8.1 MB`, in decimal units as on disks and in file managers. */
export function size(bytes: number): string {
  const unit = unitOf(bytes)
  return withUnit(inUnit(bytes, unit, false), unit)
}

/** Formats a share such as `3.1 of 4.2 GB`, or `84 MB of 1 GB` if the first number is less than one unit of the second. */
export function part(done: number, total: number): string {
  const unit = unitOf(total)
  const isSmaller = done > 0 && unitOf(done) < unit
  return say('part', { done: isSmaller ? size(done) : inUnit(done, unit, true), whole: size(total) })
}

/** Formats a changing speed such as `11.4 MB/s`. */
export function rate(bytesPerSecond: number): string {
  // Always one decimal, so that the width stays the same while the value changes.
  const unit = unitOf(bytesPerSecond)
  return unbroken(say('rate', { size: withUnit(inUnit(bytesPerSecond, unit, true), unit) }))
}

/** Name of a unit of speeds, such as `MB/s`. */
export function rateUnit(unit: (typeof UNITS)[number]): string {
  const size = say('size', { amount: '', unit }).trim()
  return say('rate', { size })
}

/** Formats a fixed speed such as `1 MB/s`. */
export function limit(bytesPerSecond: number): string {
  return unbroken(say('rate', { size: size(bytesPerSecond) }))
}

/** Formats a duration such as `40 s`, `2 min`, `3 h 20 min` or `2 days`. Longer durations are less precise. */
export function span(seconds: number): string {
  return unbroken(spanned(seconds))
}

function spanned(seconds: number): string {
  const rounded = Math.max(1, Math.ceil(seconds))
  if (rounded < 60) return say('span-seconds', { seconds: rounded })
  const minutes = Math.round(rounded / 60)
  if (minutes < 60) return say('span-minutes', { minutes })
  if (minutes < 24 * 60) {
    const rest = minutes % 60
    const hours = Math.floor(minutes / 60)
    if (rest === 0 || hours >= 10) return say('span-hours', { hours: Math.round(minutes / 60) })
    return say('span-hours-minutes', { hours, minutes: rest })
  }
  return say('span-days', { days: Math.round(minutes / (24 * 60)) })
}

/** Formats an integer such as `1,234`. */
export function count(value: number): string {
  return number(value, 0)
}

/** Share of received bytes in whole percent; 100 only if all bytes are received. */
export function percent(done: number, total: number): number {
  if (total <= 0) return 0
  return done >= total ? 100 : Math.max(0, Math.min(99, Math.floor((done / total) * 100)))
}

// Caches of formatters. Creating a formatter is slow, and every row of a list needs several.
const numberFormats = new Map<string, Intl.NumberFormat>()
const dateFormats = new Map<string, Intl.DateTimeFormat>()

function kept<Format>(formats: Map<string, Format>, key: string, make: () => Format): Format {
  const known = formats.get(key) ?? make()
  formats.set(key, known)
  return known
}

function number(value: number, digits: number): string {
  const tag = language().formats
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return kept(numberFormats, `${tag} ${digits}`, () => new Intl.NumberFormat(tag, options)).format(value)
}

function format(
  name: string,
  options: Intl.DateTimeFormatOptions,
  { tag = language().formats, timeZone }: Locale,
): Intl.DateTimeFormat {
  return kept(dateFormats, `${name} ${tag} ${timeZone ?? ''}`, () => new Intl.DateTimeFormat(tag, { ...options, timeZone }))
}

/**
 * Formats a time as `14:02` if it is today, otherwise as `3 Oct, 14:02`, and adds the year if it is not this year.
 * `at` and `now` are in milliseconds of Unix time.
 */
export function moment(at: number, now: number, locale: Locale = {}): string {
  return dated(format('time', { timeStyle: 'short' }, locale).format(at), at, now, locale)
}

/** Formats a time like `moment`, with seconds: `14:02:09`. */
export function exactly(at: number, now: number, locale: Locale = {}): string {
  return dated(format('second', { timeStyle: 'medium' }, locale).format(at), at, now, locale)
}

/** Formats a day such as `2026-11-21` as `Saturday, 21 November` or `21 Nov`. */
export function dayName(day: string, style: 'long' | 'short', { tag }: Locale = {}): string {
  const options: Intl.DateTimeFormatOptions =
    style === 'long' ? { weekday: 'long', day: 'numeric', month: 'long' } : { day: 'numeric', month: 'short' }
  return format(`day ${style}`, options, { tag, timeZone: 'UTC' }).format(Date.parse(day))
}

/** Formats a day such as `3 May`, and adds the year if it is not this year. `at` and `now` are in milliseconds of Unix time. */
export function dayOf(at: number, now: number, locale: Locale = {}): string {
  const year = format('year', { year: 'numeric' }, locale)
  return year.format(at) === year.format(now)
    ? format('day and month', { day: 'numeric', month: 'long' }, locale).format(at)
    : format('whole day', { day: 'numeric', month: 'long', year: 'numeric' }, locale).format(at)
}

/** Formats the weekday of a time, such as `Tuesday`. */
export function weekdayOf(at: number, locale: Locale = {}): string {
  return format('weekday', { weekday: 'long' }, locale).format(at)
}

const relativeFormats = new Map<string, Intl.RelativeTimeFormat>()

/** Formats `today`, `yesterday` or `5 days ago`. */
export function daysAgo(days: number): string {
  const tag = language().formats
  return kept(relativeFormats, tag, () => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })).format(-days, 'day')
}

function dated(time: string, at: number, now: number, locale: Locale): string {
  const day = format('day', { year: 'numeric', month: '2-digit', day: '2-digit' }, locale)
  if (day.format(at) === day.format(now)) return time
  const year = format('year', { year: 'numeric' }, locale)
  const date =
    year.format(at) === year.format(now)
      ? format('date', { day: 'numeric', month: 'short' }, locale)
      : format('full', { day: 'numeric', month: 'short', year: 'numeric' }, locale)
  return say('moment', { date: date.format(at), time })
}

/** Formats a number of files such as `3 files`. */
export function files(number: number): string {
  return say('n-files', { count: number })
}

/** Formats a share of the files such as `2 of 3 files`. */
export function filesOf(done: number, number: number): string {
  return say('files-of', { done, count: number })
}
