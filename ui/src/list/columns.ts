// Columns of the list in wide windows: their texts, and the choice of the user. [pure, except for the language]
import type { Registration } from '../api/api'
import { moment, rate, size, span } from '../i18n/format'
import { expected, isSending, isSettled } from '../lib/phase'
import type { Sort } from '../lib/sort-order'

/** Columns after the name, in the order in which they are shown. */
export const COLUMNS = ['size', 'progress', 'speed', 'left', 'added'] as const
export type Column = (typeof COLUMNS)[number]

/**
 * Width of the page from which the list has columns and the details are at its side, in pixels at the default font size.
 * Details at the side do not count towards the width for the columns.
 */
const WIDE = 1200
/** Width from which the columns include the date. In narrower windows, the names need the space. */
const WIDE_WITH_DATE = 1400

/** Width of each column, as a class. */
export const WIDTHS: { readonly [column in Column]: string } = {
  size: 'w-20',
  progress: 'w-32',
  speed: 'w-20',
  left: 'w-20',
  added: 'w-36',
}

/** Whether a page of this width has columns. `width` is in pixels at the default font size. */
export const isTabular = (width: number): boolean => width >= WIDE

/** Columns of `chosen` for which a page of this width has space. `width` is in pixels at the default font size. */
export function columnsAt(width: number, chosen: readonly Column[]): readonly Column[] {
  if (!isTabular(width)) return []
  return width < WIDE_WITH_DATE ? chosen.filter((column) => column !== 'added') : chosen
}

/** Sort order that a click on the head of a column selects. */
export const SORT_OF: { readonly [column in Column | 'name']: Sort } = {
  name: 'name',
  size: 'size',
  progress: 'progress',
  speed: 'speed',
  left: 'left',
  added: 'newest',
}

interface Circumstances {
  /** Current time in milliseconds of Unix time. */
  now: number
  /** Current speed in bytes per second; null if unknown. */
  speed: number | null
}

/** Text of a cell; empty if the value is unknown. The column for progress has no text, because it shows a bar. */
export function cellText(column: Exclude<Column, 'progress'>, registration: Registration, { now, speed }: Circumstances): string {
  const { downloaded, uploaded, uploadTotal, created } = registration
  const sends = isSending(registration)
  const total = sends ? uploadTotal : expected(registration)
  switch (column) {
    case 'size': {
      const bytes = isSettled(registration) && registration.result === 'success' ? downloaded : total || downloaded
      return bytes > 0 ? size(bytes) : ''
    }
    case 'speed':
      return registration.state === 'running' && speed !== null ? rate(speed) : ''
    case 'left': {
      const bytes = total - (sends ? uploaded : downloaded)
      const isKnown = registration.state === 'running' && speed !== null && speed > 0 && total > 0 && bytes > 0
      return isKnown ? span(bytes / speed) : ''
    }
    case 'added':
      return moment(created, now)
  }
}

/** Returns the columns whose names are in `saved`, separated by commas. Skips unknown names. For null, returns all columns. */
export function readColumns(saved: string | null): readonly Column[] {
  if (saved === null) return COLUMNS
  const names = saved.split(',')
  return COLUMNS.filter((column) => names.includes(column))
}

/** Adds the column to `shown`, or removes it from `shown`. */
export function toggled(shown: readonly Column[], column: Column): readonly Column[] {
  return COLUMNS.filter((one) => (one === column ? !shown.includes(one) : shown.includes(one)))
}
