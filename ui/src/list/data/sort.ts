// Sort orders of the list, maintained while the list changes. [pure]
import type { Registration } from '../../api/api'
import { arrangeNames, arrangeNumbers } from './radix-sort'
import type { Sort } from '../../lib/sort-order'
import { expected, isSending, isSettled, phase, type Phase } from '../../i18n/phase'

export interface Sortable {
  readonly registration: Registration
  /** Bytes per second; null if unknown. */
  readonly speed: number | null
  /** Tie-breaker for rows created in the same millisecond; the higher one is newer. */
  readonly place: number
  /** Title as converted by {@link nameKey}. */
  readonly name: string
}

/** Whether sort keys change during a transfer. */
export function isLive(sort: Sort): boolean {
  return sort === 'size' || sort === 'progress' || sort === 'speed' || sort === 'left'
}

/** Sort key for natural order: ignores case and accents, and sorts 2 before 10. */
export function nameKey(title: string): string {
  const plain = /^[\x20-\x7e]*$/.test(title) ? title : title.normalize('NFD').replace(/[\p{M}\0]+/gu, '')
  return plain.toLowerCase().replace(/\d+/g, numberKey)
}

/** Prefixes a number with its length, because a longer number is greater. */
function numberKey(digits: string): string {
  const plain = digits.replace(/^0+(?=\d)/, '')
  return plain.length < 9 ? `${plain.length}${plain}` : `9${String(plain.length).padStart(3, '0')}${plain}`
}

/** Number of changes above which one pass over the list costs less than a search for each change. */
const MANY = 64

/**
 * Maintained sort order. The list is sorted once; afterwards only touched rows are removed and inserted again. Of
 * two rows with the same key, the newer one comes first.
 */
export class Sorted<Row extends Sortable> {
  readonly sort: Exclude<Sort, 'newest'>
  readonly #rowOf: (id: string) => Row | undefined
  /** Changed rows, each with the state that determines its current position; undefined for ids that are not in the list. */
  readonly #touched = new Map<string, Row | undefined>()
  #rows: Row[]
  #ids: readonly string[]

  constructor(sort: Exclude<Sort, 'newest'>, rowOf: (id: string) => Row | undefined, rows: Row[]) {
    this.sort = sort
    this.#rowOf = rowOf
    this.#rows = this.#arranged(rows)
    this.#ids = this.#rows.map(idOf)
  }

  /** Must be called before a row is added, removed or changed. */
  touch(id: string): void {
    if (!this.#touched.has(id)) this.#touched.set(id, this.#rowOf(id))
  }

  /** Whether so many rows have changed that sorting all rows again costs less than an update. */
  get isWorn(): boolean {
    return this.#touched.size > this.#rows.length / 4
  }

  /** Ids in sort order; a new array whenever the order changes. */
  order(): readonly string[] {
    if (this.#touched.size > 0) {
      this.#rows = this.#with(this.#without())
      this.#touched.clear()
      this.#ids = this.#rows.map(idOf)
    }
    return this.#ids
  }

  #there(ids: Iterable<string>): Row[] {
    const rows: Row[] = []
    for (const id of ids) {
      const row = this.#rowOf(id)
      if (row !== undefined) rows.push(row)
    }
    return rows
  }

  #arranged(rows: Row[]): Row[] {
    // Almost always, the rows are already sorted newest first. The stable sort keeps this order for equal keys.
    if (rows.some((row, place) => place > 0 && newestFirst(rows[place - 1]!, row) > 0)) rows.sort(newestFirst)
    return picked(rows, this.#order(rows))
  }

  #order(rows: readonly Row[]): Uint32Array {
    const { sort } = this
    if (sort === 'name') return arrangeNames(rows.map((row) => row.name))
    const keys = new Float64Array(rows.length)
    for (let place = 0; place < rows.length; place += 1) keys[place] = keyOf(rows[place]!, sort)
    return arrangeNumbers(keys)
  }

  #without(): Row[] {
    if (this.#touched.size > MANY) return this.#rows.filter((row) => !this.#touched.has(idOf(row)))
    const rows = this.#rows.slice()
    for (const row of this.#touched.values()) if (row !== undefined) rows.splice(this.#gap(rows, row), 1)
    return rows
  }

  #with(rows: Row[]): Row[] {
    const changed = this.#arranged(this.#there(this.#touched.keys()))
    if (changed.length <= MANY) {
      for (const row of changed) rows.splice(this.#gap(rows, row), 0, row)
      return rows
    }
    const merged: Row[] = []
    let from = 0
    for (const row of changed) {
      for (const to = this.#gap(rows, row, from); from < to; from += 1) merged.push(rows[from]!)
      merged.push(row)
    }
    for (; from < rows.length; from += 1) merged.push(rows[from]!)
    return merged
  }

  /** First position from `from` on where `row` can be inserted. */
  #gap(rows: readonly Row[], row: Row, from = 0): number {
    let [low, high] = [from, rows.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#inOrder(rows[middle]!, row) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #inOrder(one: Row, other: Row): number {
    const { sort } = this
    const key = sort === 'name' ? one.name : keyOf(one, sort)
    const otherKey = sort === 'name' ? other.name : keyOf(other, sort)
    if (key !== otherKey) return key < otherKey ? -1 : 1
    return newestFirst(one, other)
  }
}

function idOf(row: Sortable): string {
  return row.registration.unique_id
}

function newestFirst(one: Sortable, other: Sortable): number {
  return (
    other.registration.created - one.registration.created ||
    other.place - one.place ||
    (idOf(one) < idOf(other) ? -1 : Number(idOf(one) > idOf(other)))
  )
}

function picked<Row>(rows: readonly Row[], order: Uint32Array): Row[] {
  const found = new Array<Row>(order.length)
  for (let place = 0; place < order.length; place += 1) found[place] = rows[order[place]!]!
  return found
}

function keyOf(row: Sortable, sort: Exclude<Sort, 'newest' | 'name'>): number {
  switch (sort) {
    case 'size':
      // Subtract from 0, because negating 0 would give -0.
      return 0 - (expected(row.registration) || row.registration.downloaded)
    case 'progress':
      return progressKey(row.registration)
    case 'speed':
      return speedKey(row)
    case 'left':
      return leftKey(row)
  }
}

/** Sort key for progress: greatest progress first, then unknown progress, then settled registrations. */
function progressKey(registration: Registration): number {
  if (isSettled(registration)) return 2
  if (isSending(registration)) return 0 - registration.uploaded / registration.uploadTotal
  const total = expected(registration)
  return total > 0 ? 0 - Math.min(1, registration.downloaded / total) : 1
}

const UNKNOWN = 1e12
const AFTER: { [phase in Phase]: number } = { running: 0, waiting: 1, paused: 2, failed: 3, cancelled: 4, done: 5 }

/** Sort key for speed: the fastest download first. Downloads that do not run follow, ordered by state. */
function speedKey({ registration, speed }: Sortable): number {
  const now = phase(registration)
  return now === 'running' ? 0 - (speed ?? 0) : UNKNOWN + AFTER[now]
}

/** Sort key for time left, in seconds. If the time is unknown, the state decides; completed registrations come last. */
function leftKey({ registration, speed }: Sortable): number {
  const now = phase(registration)
  if (now !== 'running') return UNKNOWN + AFTER[now]
  const { uploadTotal, uploaded, downloaded } = registration
  const bytes = isSending(registration) ? uploadTotal - uploaded : expected(registration) - downloaded
  return speed !== null && speed > 0 && bytes > 0 ? bytes / speed : UNKNOWN
}
