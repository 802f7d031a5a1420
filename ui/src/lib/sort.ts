// The orders in which a list can be read, and keeping one of them while the list changes. [pure]
import type { Registration } from '../api/api'
import { expected, isSending, isSettled, phase, type Phase } from './phase'

export const SORTS = ['newest', 'name', 'size', 'progress', 'left'] as const
export type Sort = (typeof SORTS)[number]

export interface Sortable {
  readonly registration: Registration
  /** Bytes per second; null when nobody knows. */
  readonly speed: number | null
  /** Among rows created in the same millisecond, the higher one is newer. */
  readonly place: number
  /** What {@link nameKey} makes of its title. */
  readonly name: string
}

/** Do keys change while a transfer is under way? */
export function isLive(sort: Sort): boolean {
  return sort === 'size' || sort === 'progress' || sort === 'left'
}

/** Compares as people read names: without regard to capitals and accents, and 2 before 10. */
export function nameKey(title: string): string {
  const plain = /^[\x20-\x7e]*$/.test(title) ? title : title.normalize('NFD').replace(/\p{M}+/gu, '')
  return plain.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(12, '0'))
}

/** From so many changes on it costs less to go through the list once than to look each of them up. */
const MANY = 64

/**
 * A list in one order, kept. To sort 100,000 rows takes longer than a frame, which is fine once; afterwards only those that
 * were touched are taken out and put where they belong. Of two with the same key, the newer one is first.
 */
export class Sorted<Row extends Sortable> {
  readonly sort: Exclude<Sort, 'newest'>
  readonly #rowOf: (id: string) => Row | undefined
  readonly #entries = new Map<string, Entry>()
  readonly #touched: Set<string>
  #ids: readonly string[] = []

  constructor(sort: Exclude<Sort, 'newest'>, rowOf: (id: string) => Row | undefined, ids: Iterable<string>) {
    this.sort = sort
    this.#rowOf = rowOf
    this.#touched = new Set(ids)
  }

  /** It came, went, or is not what it was. */
  touch(id: string): void {
    this.#touched.add(id)
  }

  /** Another array whenever it is another order. */
  order(): readonly string[] {
    if (this.#touched.size > 0) {
      const touched = [...this.#touched]
      this.#touched.clear()
      const others = this.#without(touched)
      this.#ids = this.#with(others, touched)
    }
    return this.#ids
  }

  #without(touched: readonly string[]): string[] {
    if (this.#ids.length === 0) return []
    if (touched.length > MANY) {
      const gone = new Set(touched)
      return this.#ids.filter((id) => !gone.has(id))
    }
    const ids = this.#ids.slice()
    for (const id of touched) {
      const entry = this.#entries.get(id)
      if (entry !== undefined) ids.splice(this.#gap(ids, entry), 1)
    }
    return ids
  }

  #with(ids: string[], touched: readonly string[]): string[] {
    const entries: Entry[] = []
    for (const id of touched) {
      const row = this.#rowOf(id)
      if (row === undefined) {
        this.#entries.delete(id)
        continue
      }
      const entry = { id, key: keyOf(row, this.sort), created: row.registration.created, place: row.place }
      this.#entries.set(id, entry)
      entries.push(entry)
    }
    entries.sort(inOrder)
    if (entries.length <= MANY) {
      for (const entry of entries) ids.splice(this.#gap(ids, entry), 0, entry.id)
      return ids
    }
    const merged: string[] = []
    let from = 0
    for (const entry of entries) {
      for (const to = this.#gap(ids, entry, from); from < to; from += 1) merged.push(ids[from]!)
      merged.push(entry.id)
    }
    for (; from < ids.length; from += 1) merged.push(ids[from]!)
    return merged
  }

  /** The first position, not before `from`, of what does not come before `entry`. */
  #gap(ids: readonly string[], entry: Entry, from = 0): number {
    let [low, high] = [from, ids.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (inOrder(this.#entries.get(ids[middle]!)!, entry) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

interface Entry {
  readonly id: string
  readonly key: string | number
  readonly created: number
  readonly place: number
}

function inOrder(one: Entry, other: Entry): number {
  if (one.key !== other.key) return one.key < other.key ? -1 : 1
  return other.created - one.created || other.place - one.place || (one.id < other.id ? -1 : Number(one.id > other.id))
}

function keyOf(row: Sortable, sort: Exclude<Sort, 'newest'>): string | number {
  switch (sort) {
    case 'name':
      return row.name
    case 'size':
      return -(expected(row.registration) || row.registration.downloaded)
    case 'progress':
      return progressKey(row.registration)
    case 'left':
      return leftKey(row)
  }
}

/** The furthest first; then what nobody knows it of, then what is over. */
function progressKey(registration: Registration): number {
  if (isSettled(registration)) return 2
  if (isSending(registration)) return -registration.uploaded / registration.uploadTotal
  const total = expected(registration)
  return total > 0 ? -Math.min(1, registration.downloaded / total) : 1
}

const UNKNOWN = 1e12
const AFTER: { [phase in Phase]: number } = { running: 0, waiting: 1, paused: 2, failed: 3, cancelled: 4, done: 5 }

/** Seconds that are left; what cannot be known goes by its state, what is over last. */
function leftKey({ registration, speed }: Sortable): number {
  const now = phase(registration)
  if (now !== 'running') return UNKNOWN + AFTER[now]
  const { uploadTotal, uploaded, downloaded } = registration
  const bytes = isSending(registration) ? uploadTotal - uploaded : expected(registration) - downloaded
  return speed !== null && speed > 0 && bytes > 0 ? bytes / speed : UNKNOWN
}
