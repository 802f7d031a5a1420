// Sizes, speeds, spans and times as people read them. [pure] No words of the language beyond units.

export interface Locale {
  /** For numbers and dates; none means the system's. */
  tag?: string
  timeZone?: string
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const

function unitOf(bytes: number): number {
  let unit = 0
  // 999.5 would be rounded up to a fourth digit, so the next unit begins there.
  while (bytes >= 999.5 && unit < UNITS.length - 1) {
    bytes /= 1000
    unit += 1
  }
  return unit
}

function inUnit(bytes: number, unit: number): string {
  const value = bytes / 1000 ** unit
  const whole = unit === 0 || value >= 99.95
  return value.toFixed(whole ? 0 : 1)
}

/** `8.1 MB`; units of a thousand, as on disks and in file managers. */
export function size(bytes: number): string {
  const unit = unitOf(bytes)
  return `${inUnit(bytes, unit).replace(/\.0$/, '')} ${UNITS[unit]}`
}

/** `3.1 of 4.2 GB`, in one unit where that still says something. */
export function part(done: number, total: number): string {
  const unit = unitOf(total)
  const tellsNothing = done > 0 && unit > 0 && done / 1000 ** unit < 0.05
  return `${tellsNothing ? size(done) : inUnit(done, unit)} of ${size(total)}`
}

/** `11.4 MB/s`. */
export function rate(bytesPerSecond: number): string {
  // With its decimal always, so that it does not jump about while it changes.
  const unit = unitOf(bytesPerSecond)
  return `${inUnit(bytesPerSecond, unit)} ${UNITS[unit]}/s`
}

/** `40 s`, `2 min`, `3 h 20 min`, `2 days`; never more exact than anybody can know. */
export function span(seconds: number): string {
  const rounded = Math.max(1, Math.ceil(seconds))
  if (rounded < 60) return `${rounded} s`
  const minutes = Math.round(rounded / 60)
  if (minutes < 60) return `${minutes} min`
  if (minutes < 24 * 60) {
    const rest = minutes % 60
    const hours = Math.floor(minutes / 60)
    return rest === 0 || hours >= 10 ? `${Math.round(minutes / 60)} h` : `${hours} h ${rest} min`
  }
  const days = Math.round(minutes / (24 * 60))
  return days === 1 ? '1 day' : `${days} days`
}

/** `1,234`. */
export function count(value: number): string {
  return value < 1000 ? String(value) : value.toLocaleString('en')
}

/** Whole percent, 100 only when everything is there. */
export function percent(done: number, total: number): number {
  if (total <= 0) return 0
  return done >= total ? 100 : Math.max(0, Math.min(99, Math.floor((done / total) * 100)))
}

// Building a format costs far more than using it, and a list uses it for every row.
const formats = new Map<string, Intl.DateTimeFormat>()

function format(name: string, options: Intl.DateTimeFormatOptions, locale: Locale): Intl.DateTimeFormat {
  const key = `${name} ${locale.tag ?? ''} ${locale.timeZone ?? ''}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(locale.tag, { ...options, timeZone: locale.timeZone })
  formats.set(key, made)
  return made
}

/** `14:02` today, else `3 Oct, 14:02`, with the year when it is another one. Both times in ms of Unix time. */
export function moment(at: number, now: number, locale: Locale = {}): string {
  return dated(format('time', { timeStyle: 'short' }, locale).format(at), at, now, locale)
}

/** The same to the second: `14:02:09`. */
export function exactly(at: number, now: number, locale: Locale = {}): string {
  return dated(format('second', { timeStyle: 'medium' }, locale).format(at), at, now, locale)
}

/** `Saturday, 21 November`, or `21 Nov`, of a day such as `2026-11-21`. */
export function dayName(day: string, style: 'long' | 'short', { tag }: Locale = {}): string {
  const options: Intl.DateTimeFormatOptions =
    style === 'long' ? { weekday: 'long', day: 'numeric', month: 'long' } : { day: 'numeric', month: 'short' }
  return format(`day ${style}`, options, { tag, timeZone: 'UTC' }).format(Date.parse(day))
}

function dated(time: string, at: number, now: number, locale: Locale): string {
  const day = format('day', { year: 'numeric', month: '2-digit', day: '2-digit' }, locale)
  if (day.format(at) === day.format(now)) return time
  const year = format('year', { year: 'numeric' }, locale)
  const date =
    year.format(at) === year.format(now)
      ? format('date', { day: 'numeric', month: 'short' }, locale)
      : format('full', { day: 'numeric', month: 'short', year: 'numeric' }, locale)
  return `${date.format(at)}, ${time}`
}
