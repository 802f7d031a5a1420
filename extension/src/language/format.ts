// Formats sizes, speeds and durations, with the rules and messages of the window. [pure]
import type { Words } from './say'

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const

export interface Formats {
  size(bytes: number): string
  /** Formats a part of a total, such as `3.1 of 4.2 GB`. */
  part(done: number, total: number): string
  rate(bytesPerSecond: number): string
  span(seconds: number): string
}

export function formatsOf({ say, number }: Pick<Words, 'say' | 'number'>): Formats {
  const inUnit = (bytes: number, unit: number, keepsDecimal: boolean): string => {
    const value = bytes / 1000 ** unit
    const isWhole = unit === 0 || value >= 99.95 || (!keepsDecimal && Math.abs(value - Math.round(value)) < 0.05)
    return number(value, isWhole ? 0 : 1)
  }
  const withUnit = (amount: string, unit: number): string => say('size', { amount, unit: UNITS[unit]! })
  const size = (bytes: number): string => withUnit(inUnit(bytes, unitOf(bytes), false), unitOf(bytes))
  return {
    size,
    part: (done, total) => {
      const unit = unitOf(total)
      const isSmaller = done > 0 && unitOf(done) < unit
      return say('part', { done: isSmaller ? size(done) : inUnit(done, unit, true), whole: size(total) })
    },
    // Show exactly one decimal, so that the width stays the same while the value changes.
    rate: (bytes) => say('rate', { size: withUnit(inUnit(bytes, unitOf(bytes), true), unitOf(bytes)) }),
    span: (seconds) => {
      const rounded = Math.max(1, Math.ceil(seconds))
      if (rounded < 60) return say('span-seconds', { seconds: rounded })
      const minutes = Math.round(rounded / 60)
      if (minutes < 60) return say('span-minutes', { minutes })
      if (minutes >= 24 * 60) return say('span-days', { days: Math.round(minutes / (24 * 60)) })
      const [rest, hours] = [minutes % 60, Math.floor(minutes / 60)]
      if (rest === 0 || hours >= 10) return say('span-hours', { hours: Math.round(minutes / 60) })
      return say('span-hours-minutes', { hours, minutes: rest })
    },
  }
}

function unitOf(bytes: number): number {
  let [value, unit] = [bytes, 0]
  // Switch to the next unit at 999.5, because 999.5 would be rounded to a number of four digits.
  while (value >= 999.5 && unit < UNITS.length - 1) [value, unit] = [value / 1000, unit + 1]
  return unit
}
