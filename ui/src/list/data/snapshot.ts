// The list as this page knows it: a snapshot read in pages, with events on top. [pure] Knows no Svelte and no engine.
//
// While a snapshot is read, events go on arriving. What an event said since the reading began is newer than any page,
// and where it is not, another event follows; so the event wins and the page's row is dropped.
import type { Category, Event, Registration } from '../../api/api'
import { Haystack } from './search-index'
import { CATEGORIES, type Filter, FILTERS, filterOf } from './phase'
import { bySooner } from './queue-order'
import { nameKey, type Sort, Sorted } from './sort'

/** Replaced, never changed, so that what shows it can compare by identity. */
export interface Row {
  readonly registration: Registration
  /** Bytes per second; null when nobody knows. */
  readonly speed: number | null
  /** Among rows created in the same millisecond, the higher one is newer. */
  readonly place: number
  /** What names are compared by. */
  readonly name: string
}

/** What filters and searches look at, for 100,000 rows within a frame or two; one as long as its row is in the list. */
export interface Entry {
  readonly id: string
  row: Row
  filter: Exclude<Filter, 'all'>
  category: Category
  /** In lower case. */
  needle: string
}

export type Counts = { [filter in Filter]: number }
/** How many there are of each kind under each filter. */
export type Kinds = { [filter in Filter]: { [category in Category]: number } }

/** How much of what is shown a change touches. */
export type Touched = 'nothing' | 'row' | 'list'

export class Picture {
  readonly counts = Object.fromEntries(FILTERS.map((filter) => [filter, 0])) as Counts
  readonly kinds = Object.fromEntries(FILTERS.map((filter) => [filter, noKinds()])) as Kinds
  #entries = new Map<string, Entry>()
  /** The newest first. Kept as what it lists: looking 100,000 up by their ids is all that a filter has time for. */
  #order: readonly Entry[] = []
  #arrived: Entry[] = []
  #orderHasGaps = false
  #highest = 0
  #lowest = 0
  /** Ids an event spoke of since the reading began; null when nothing is being read. */
  #spokenOf: Set<string> | null = null
  #seenInPages = new Set<string>()
  /** Kept up to date, and not to be seen: for everybody who looks, they are not there. */
  readonly #hidden = new Set<string>()
  /** The order that was asked for last, where that is another one than the newest first. */
  #sorted: Sorted<Row> | null = null
  /** What was looked up last. */
  #looked: { order: readonly string[]; entries: readonly Entry[] } = { order: [], entries: [] }
  /** The words of an order, while nothing in them is another. */
  #haystack: { order: readonly string[]; words: Haystack } | null = null

  get size(): number {
    return this.#entries.size
  }

  row(uniqueId: string): Row | undefined {
    return this.entry(uniqueId)?.row
  }

  entry(uniqueId: string): Entry | undefined {
    return this.#hidden.size > 0 && this.#hidden.has(uniqueId) ? undefined : this.#entries.get(uniqueId)
  }

  /** Out of sight until they are brought back; also what has not come yet. */
  hide(ids: Iterable<string>): void {
    for (const id of ids) {
      this.#sorted?.touch(id)
      this.#count(this.#entries.get(id), -1)
      this.#hidden.add(id)
    }
  }

  bringBack(ids: Iterable<string>): void {
    for (const id of ids) {
      if (!this.#hidden.has(id)) continue
      this.#sorted?.touch(id)
      this.#hidden.delete(id)
      this.#count(this.#entries.get(id), 1)
    }
  }

  /** One that is out of sight. */
  hidden(uniqueId: string): Row | undefined {
    return this.#hidden.has(uniqueId) ? this.#entries.get(uniqueId)?.row : undefined
  }

  order(sort: Sort = 'newest'): readonly string[] {
    if (sort !== 'newest') {
      if (this.#sorted?.sort !== sort) {
        const rows = this.entries(this.#newest()).map(({ row }) => row)
        this.#sorted = new Sorted(sort, (id) => this.row(id), rows)
      }
      return this.#sorted.order()
    }
    // Kept up to date for nobody it would only cost.
    this.#sorted = null
    return this.#newest()
  }

  /** Those of an {@link order}; the same array as long as that is the same. */
  entries(order: readonly string[]): readonly Entry[] {
    if (this.#looked.order !== order) {
      const entries: Entry[] = []
      for (const id of order) entries.push(this.#entries.get(id)!)
      this.#looked = { order, entries }
    }
    return this.#looked.entries
  }

  /** What is searched of an {@link order}, in it; the same as long as that is the same and has the same words. */
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

  /** Everything was read: what no page and no event spoke of is gone. */
  endReading(): void {
    for (const id of this.#entries.keys()) {
      if (!this.#seenInPages.has(id) && !this.#spokenOf?.has(id)) this.#drop(id)
    }
    this.#spokenOf = null
    this.#seenInPages = new Set()
  }

  apply(event: Event): Touched {
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
        this.#sorted?.touch(event.unique_id)
        entry.row = { ...entry.row, registration: { ...entry.row.registration, downloaded, uploaded, expected_total }, speed }
        return 'row'
      }
      case 'removed':
        this.#spokenOf?.add(event.unique_id)
        return this.#drop(event.unique_id) ? 'list' : 'nothing'
      case 'totals':
      case 'settings':
      case 'clicked':
      case 'lagged':
        return 'nothing'
    }
  }

  #newest(): readonly string[] {
    const everything = this.#everything()
    const entries = this.#hidden.size === 0 ? everything : everything.filter(({ id }) => !this.#hidden.has(id))
    if (this.#looked.entries !== entries) this.#looked = { order: entries.map(({ id }) => id), entries }
    return this.#looked.order
  }

  #everything(): readonly Entry[] {
    // One that went and came back is another one.
    const isThere = (entry: Entry): boolean => this.#entries.get(entry.id) === entry
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
    this.#sorted?.touch(id)
    this.#count(before, -1)
    // A speed belongs to a transfer under way and to no other state.
    const speed = registration.state === 'running' ? (before?.row.speed ?? null) : null
    const { needle, name } = wordsOf(registration, before)
    const now: Entry = { id, row: { registration, speed, place, name }, filter: filterOf(registration), category, needle }
    this.#count(now, 1)
    if (before?.needle !== needle) this.#haystack = null
    // What was looked up goes on to be true.
    if (before !== undefined) return void Object.assign(before, now)
    this.#arrived.push(now)
    this.#entries.set(id, now)
  }

  #count(entry: Entry | undefined, by: 1 | -1): void {
    if (entry === undefined || this.#hidden.has(entry.id)) return
    for (const filter of ['all', entry.filter] as const) {
      this.counts[filter] += by
      this.kinds[filter][entry.category] += by
    }
  }

  #drop(id: string): boolean {
    const entry = this.#entries.get(id)
    if (entry === undefined) return false
    this.#sorted?.touch(id)
    this.#entries.delete(id)
    this.#count(entry, -1)
    this.#hidden.delete(id)
    this.#orderHasGaps = true
    return true
  }
}

function newestFirst({ row: one }: Entry, { row: other }: Entry): number {
  return other.registration.created - one.registration.created || other.place - one.place
}

/** Two sorted lists as one. Nearly always one of them goes before the other as a whole. */
function merged(known: readonly Entry[], arrived: readonly Entry[]): readonly Entry[] {
  if (arrived.length === 0) return known
  if (known.length === 0 || newestFirst(known.at(-1)!, arrived[0]!) < 0) return [...known, ...arrived]
  if (newestFirst(arrived.at(-1)!, known[0]!) < 0) return [...arrived, ...known]
  return [...known, ...arrived].sort(newestFirst)
}

function noKinds(): Kinds[Filter] {
  return Object.fromEntries(CATEGORIES.map((category) => [category, 0])) as Kinds[Filter]
}

function wordsOf(registration: Registration, before: Entry | undefined): { needle: string; name: string } {
  const { title, path } = registration
  const known = before?.row.registration
  if (before !== undefined && known?.title === title && known.path === path)
    return { needle: before.needle, name: before.row.name }
  return { needle: `${title}\n${path ?? ''}`.toLowerCase(), name: nameKey(title) }
}

/** Would it stand elsewhere, or be found by other words? */
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
