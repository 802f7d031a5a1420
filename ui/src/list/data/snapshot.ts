// Model of the list: a snapshot that is read in pages, and events applied to it. [pure] Independent of Svelte and the
// engine.
//
// Events arrive even while a snapshot is read. Such an event is newer than any page, or a newer event follows it. So
// the event takes precedence, and the row in the page is dropped.
import type { Category, Event, Registration } from '../../api/api'
import { Haystack } from './search-index'
import { CATEGORIES, type Filter, FILTERS, filterOf } from '../../i18n/phase'
import { bySooner } from './queue-order'
import type { Sort } from '../../lib/sort-order'
import { nameKey, Sorted } from './sort'

/** Row of the list. Replaced, never mutated, so that components can compare by identity. */
export interface Row {
  readonly registration: Registration
  /** Bytes per second; null if unknown. */
  readonly speed: number | null
  /** Tie-breaker for rows created in the same millisecond; the higher one is newer. */
  readonly place: number
  /** Sort key of the title. */
  readonly name: string
}

/** Data for filters and searches, which must check 100,000 rows within a frame or two. Exists as long as its row is listed. */
export interface IndexedRow {
  readonly id: string
  row: Row
  filter: Exclude<Filter, 'all'>
  category: Category
  /** Search text in lower case. */
  needle: string
}

export type Counts = { [filter in Filter]: number }
/** Number of registrations of each category under each filter. */
export type Kinds = { [filter in Filter]: { [category in Category]: number } }

/** Part of the list that a change affects. */
export type ChangedPart = 'nothing' | 'row' | 'list'

export class Picture {
  readonly counts = Object.fromEntries(FILTERS.map((filter) => [filter, 0])) as Counts
  readonly kinds = Object.fromEntries(FILTERS.map((filter) => [filter, noKinds()])) as Kinds
  /** Number of files that run now. */
  active = 0
  #entries = new Map<string, IndexedRow>()
  /** Entries, newest first. Stored as entries, because filters have no time to look up 100,000 ids. */
  #order: readonly IndexedRow[] = []
  #arrived: IndexedRow[] = []
  #orderHasGaps = false
  #highest = 0
  #lowest = 0
  /** Ids with an event since the read began; null when no read is in progress. */
  #spokenOf: Set<string> | null = null
  #seenInPages = new Set<string>()
  /** Ids that are kept up to date but hidden. */
  readonly #hidden = new Set<string>()
  /** Orders that were requested or prepared. An order is dropped when a quarter of its rows has changed. */
  readonly #sorted = new Map<Sort, Sorted<Row>>()
  /** Order by age, with its entries. */
  #chronological: { order: readonly string[]; entries: readonly IndexedRow[] } = { order: [], entries: [] }
  /** Other order that was last looked up, with its entries. */
  #looked: { order: readonly string[]; entries: readonly IndexedRow[] } = { order: [], entries: [] }
  /** Search index of an order; valid until any of its texts changes. */
  #haystack: { order: readonly string[]; words: Haystack } | null = null

  get size(): number {
    return this.#entries.size
  }

  row(uniqueId: string): Row | undefined {
    return this.entry(uniqueId)?.row
  }

  entry(uniqueId: string): IndexedRow | undefined {
    return this.#hidden.size > 0 && this.#hidden.has(uniqueId) ? undefined : this.#entries.get(uniqueId)
  }

  /** Hides ids, including ids that are not loaded yet, until they are shown again. */
  hide(ids: Iterable<string>): void {
    for (const id of ids) {
      this.#touch(id)
      this.#count(this.#entries.get(id), -1)
      this.#hidden.add(id)
    }
  }

  bringBack(ids: Iterable<string>): void {
    for (const id of ids) {
      if (!this.#hidden.has(id)) continue
      this.#touch(id)
      this.#hidden.delete(id)
      this.#count(this.#entries.get(id), 1)
    }
  }

  /** Row with this id, if the row is hidden. */
  hidden(uniqueId: string): Row | undefined {
    return this.#hidden.has(uniqueId) ? this.#entries.get(uniqueId)?.row : undefined
  }

  order(sort: Sort = 'newest'): readonly string[] {
    return sort === 'newest' ? this.#newest() : this.#sortedBy(sort).order()
  }

  /** Sorts the list by `sort` in advance, so that a later {@link order} only has to apply changes. */
  prepare(sort: Sort): void {
    this.order(sort)
  }

  /** Entries of an {@link order}; the same array as long as the order is the same. */
  entries(order: readonly string[]): readonly IndexedRow[] {
    if (this.#chronological.order === order) return this.#chronological.entries
    if (this.#looked.order !== order) {
      const entries: IndexedRow[] = []
      for (const id of order) entries.push(this.#entries.get(id)!)
      this.#looked = { order, entries }
    }
    return this.#looked.entries
  }

  /** Search index of an {@link order}; the same object as long as order and texts are the same. */
  haystack(order: readonly string[]): Haystack {
    if (this.#haystack?.order !== order) {
      this.#haystack = { order, words: new Haystack(this.entries(order).map(({ needle }) => needle)) }
    }
    return this.#haystack.words
  }

  beginReading(): void {
    this.#spokenOf = new Set()
    this.#seenInPages = new Set()
  }

  page(registrations: readonly Registration[]): void {
    for (const registration of registrations) {
      const id = registration.unique_id
      this.#seenInPages.add(id)
      if (this.#spokenOf?.has(id)) continue
      this.#put(registration, this.#entries.get(id)?.row.place ?? --this.#lowest)
    }
  }

  /** Ends the read and removes rows that appeared in no page and in no event. */
  endReading(): void {
    for (const id of this.#entries.keys()) {
      if (!this.#seenInPages.has(id) && !this.#spokenOf?.has(id)) this.#drop(id)
    }
    this.#spokenOf = null
    this.#seenInPages = new Set()
  }

  apply(event: Event): ChangedPart {
    switch (event.type) {
      case 'changed':
      case 'ended':
      case 'owed': {
        const id = event.registration.unique_id
        this.#spokenOf?.add(id)
        const before = this.#entries.get(id)?.row
        this.#put(event.registration, before?.place ?? ++this.#highest)
        return before === undefined || differsInList(before.registration, event.registration) ? 'list' : 'row'
      }
      case 'progress': {
        const entry = this.#entries.get(event.unique_id)
        if (entry === undefined || entry.row.registration.state !== 'running') return 'nothing'
        const { downloaded, uploaded, expected_total, speed } = event
        this.#touch(event.unique_id)
        entry.row = { ...entry.row, registration: { ...entry.row.registration, downloaded, uploaded, expected_total }, speed }
        return 'row'
      }
      case 'removed':
        this.#spokenOf?.add(event.unique_id)
        return this.#drop(event.unique_id) ? 'list' : 'nothing'
      case 'totals':
      case 'settings':
      case 'sync':
      case 'clicked':
      case 'lagged':
        return 'nothing'
    }
  }

  #sortedBy(sort: Exclude<Sort, 'newest'>): Sorted<Row> {
    const known = this.#sorted.get(sort)
    if (known !== undefined) return known
    const rows = this.entries(this.#newest()).map(({ row }) => row)
    const sorted = new Sorted(sort, (id) => this.row(id), rows)
    this.#sorted.set(sort, sorted)
    return sorted
  }

  /** Must be called before a row is added, removed or changed. */
  #touch(id: string): void {
    for (const [sort, sorted] of this.#sorted) {
      sorted.touch(id)
      if (sorted.isWorn) this.#sorted.delete(sort)
    }
  }

  #newest(): readonly string[] {
    const everything = this.#everything()
    const entries = this.#hidden.size === 0 ? everything : everything.filter(({ id }) => !this.#hidden.has(id))
    if (this.#chronological.entries !== entries) this.#chronological = { order: entries.map(({ id }) => id), entries }
    return this.#chronological.order
  }

  #everything(): readonly IndexedRow[] {
    // Compare the entries, not the ids: an id that was removed and added again has a new entry.
    const isThere = (entry: IndexedRow): boolean => this.#entries.get(entry.id) === entry
    if (this.#orderHasGaps) {
      this.#order = this.#order.filter(isThere)
      this.#orderHasGaps = false
    }
    if (this.#arrived.length > 0) {
      this.#order = merged(this.#order, this.#arrived.filter(isThere).sort(newestFirst))
      this.#arrived = []
    }
    return this.#order
  }

  #put(registration: Registration, place: number): void {
    const { unique_id: id, category } = registration
    const before = this.#entries.get(id)
    this.#touch(id)
    this.#count(before, -1)
    this.active += registration.active - (before?.row.registration.active ?? 0)
    // Only a running transfer has a speed.
    const speed = registration.state === 'running' ? (before?.row.speed ?? null) : null
    const { needle, name } = wordsOf(registration, before)
    const now: IndexedRow = { id, row: { registration, speed, place, name }, filter: filterOf(registration), category, needle }
    this.#count(now, 1)
    if (before?.needle !== needle) this.#haystack = null
    // Update in place, so that cached look-ups stay valid.
    if (before !== undefined) return void Object.assign(before, now)
    this.#arrived.push(now)
    this.#entries.set(id, now)
  }

  #count(entry: IndexedRow | undefined, by: 1 | -1): void {
    if (entry === undefined || this.#hidden.has(entry.id)) return
    for (const filter of ['all', entry.filter] as const) {
      this.counts[filter] += by
      this.kinds[filter][entry.category] += by
    }
  }

  #drop(id: string): boolean {
    const entry = this.#entries.get(id)
    if (entry === undefined) return false
    this.#touch(id)
    this.#entries.delete(id)
    this.active -= entry.row.registration.active
    this.#count(entry, -1)
    this.#hidden.delete(id)
    this.#orderHasGaps = true
    return true
  }
}

function newestFirst({ row: one }: IndexedRow, { row: other }: IndexedRow): number {
  return other.registration.created - one.registration.created || other.place - one.place
}

/** Merges two sorted lists. Almost always, all entries of one list precede all entries of the other. */
function merged(known: readonly IndexedRow[], arrived: readonly IndexedRow[]): readonly IndexedRow[] {
  if (arrived.length === 0) return known
  if (known.length === 0 || newestFirst(known.at(-1)!, arrived[0]!) < 0) return [...known, ...arrived]
  if (newestFirst(arrived.at(-1)!, known[0]!) < 0) return [...arrived, ...known]
  return [...known, ...arrived].sort(newestFirst)
}

function noKinds(): Kinds[Filter] {
  return Object.fromEntries(CATEGORIES.map((category) => [category, 0])) as Kinds[Filter]
}

function wordsOf(registration: Registration, before: IndexedRow | undefined): { needle: string; name: string } {
  const { title, path } = registration
  const known = before?.row.registration
  if (before !== undefined && known?.title === title && known.path === path)
    return { needle: before.needle, name: before.row.name }
  return { needle: `${title}\n${path ?? ''}`.toLowerCase(), name: nameKey(title) }
}

/** Whether the change affects position, filter or search. */
function differsInList(before: Registration, after: Registration): boolean {
  return (
    filterOf(before) !== filterOf(after) ||
    before.category !== after.category ||
    before.title !== after.title ||
    before.path !== after.path ||
    before.created !== after.created ||
    bySooner(before, after) !== 0
  )
}
