// Columns of the list in wide windows: their texts, the choice of the user, and the space for them. [pure, except for the language]
import type { Registration } from '../api/api'
import { moment, rate, size, span } from '../i18n/format'
import { expected, isSending, isSettled } from '../i18n/phase'
import type { Sort } from '../lib/sort-order'

/** Columns after the name, in the order in which they are shown. */
export const COLUMNS = ['size', 'progress', 'speed', 'left', 'added'] as const
export type Column = (typeof COLUMNS)[number]

/** Width of the page from which the list may have columns and the details are at its side, in pixels at the default font size. */
const WIDE = 1200

/** Width of each column, as a class. */
export const WIDTHS: { readonly [column in Column]: string } = {
  size: 'w-20',
  progress: 'w-32',
  speed: 'w-20',
  left: 'w-20',
  added: 'w-36',
}
/** Width of each column in pixels at the default font size, with the gap before it. */
const PIXELS: { readonly [column in Column]: number } = { size: 92, progress: 140, speed: 92, left: 92, added: 156 }
/** Columns in the order of their importance. In a narrow list, the last ones are hidden first. */
const BY_IMPORTANCE: readonly Column[] = ['progress', 'speed', 'size', 'left', 'added']
/** Width of a row without its name and columns, and of the scroll bar. */
const AROUND = 340
/** Least width for the name. In compact rows, the status is beside the name. */
const LEAST_NAME = { comfortable: 240, compact: 320 }

/** Whether a page of this width has space for columns and for details at the side. `width` is in pixels at the default font size. */
export const isWide = (width: number): boolean => width >= WIDE

interface Space {
  /** Width of the page, in pixels at the default font size. */
  page: number
  /** Width of the list, in the same unit. */
  list: number
  isDense: boolean
}

/** Columns of `chosen` for which the list has space. Null if the list has no columns: it has no space for the first of them. */
export function columnsIn({ page, list, isDense }: Space, chosen: readonly Column[]): readonly Column[] | null {
  if (!isWide(page)) return null
  let space = list - AROUND - (isDense ? LEAST_NAME.compact : LEAST_NAME.comfortable)
  const fitting = new Set<Column>()
  for (const column of BY_IMPORTANCE.filter((one) => chosen.includes(one))) {
    space -= PIXELS[column]
    if (space < 0) break
    fitting.add(column)
  }
  return fitting.size === 0 && chosen.length > 0 ? null : COLUMNS.filter((column) => fitting.has(column))
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
