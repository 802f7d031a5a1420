// The list as this page knows it: a snapshot read in pages, with events on top. [pure] Knows no Svelte and no engine.
//
// While a snapshot is read, events go on arriving. What an event said since the reading began is newer than any page,
// and where it is not, another event follows; so the event wins and the page's row is dropped.
import type { Category, Event, Registration } from '../api/api'
import { CATEGORIES, type Filter, FILTERS, filterOf } from '../lib/phase'
import { bySooner } from '../lib/queue'
import { nameKey, type Sort, Sorted } from '../lib/sort'

/** Replaced, never changed, so that what shows it can compare by identity. */
export interface Row {
  readonly registration: Registration
  /** Bytes per second; null when nobody knows. */
  readonly speed: number | null
  /** Among rows created in the same millisecond, the higher one is newer. */
  readonly place: number
  /** What a search looks at, in lower case. */
  readonly needle: string
  /** What names are compared by. */
  readonly name: string
}

export type Counts = { [filter in Filter]: number }
/** How many there are of each kind under each filter. */
export type Kinds = { [filter in Filter]: { [category in Category]: number } }

/** How much of what is shown a change touches. */
export type Touched = 'nothing' | 'row' | 'list'

export class Picture {
  readonly counts = Object.fromEntries(FILTERS.map((filter) => [filter, 0])) as Counts
  readonly kinds = Object.fromEntries(FILTERS.map((filter) => [filter, noKinds()])) as Kinds
  #rows = new Map<string, Row>()
  #order: string[] = []
  #arrived: string[] = []
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

  get size(): number {
    return this.#rows.size
  }

  row(uniqueId: string): Row | undefined {
    // Asked for each of 100,000 rows at every letter of a search.
    return this.#hidden.size > 0 && this.#hidden.has(uniqueId) ? undefined : this.#rows.get(uniqueId)
  }

  /** Out of sight until they are brought back; also what has not come yet. */
  hide(ids: Iterable<string>): void {
    for (const id of ids) {
      this.#sorted?.touch(id)
      this.#count(this.#rows.get(id), -1)
      this.#hidden.add(id)
    }
  }

  bringBack(ids: Iterable<string>): void {
    for (const id of ids) {
      if (!this.#hidden.has(id)) continue
      this.#sorted?.touch(id)
      this.#hidden.delete(id)
      this.#count(this.#rows.get(id), 1)
    }
  }

  /** One that is out of sight. */
  hidden(uniqueId: string): Row | undefined {
    return this.#hidden.has(uniqueId) ? this.#rows.get(uniqueId) : undefined
  }

  order(sort: Sort = 'newest'): readonly string[] {
    if (sort !== 'newest') {
      if (this.#sorted?.sort !== sort) this.#sorted = new Sorted(sort, (id) => this.row(id), this.#rows.keys())
      return this.#sorted.order()
    }
    // Kept up to date for nobody it would only cost.
    this.#sorted = null
    const order = this.#everything()
    return this.#hidden.size === 0 ? order : order.filter((id) => !this.#hidden.has(id))
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
      this.#put(registration, this.#rows.get(id)?.place ?? --this.#lowest)
    }
  }

  /** Everything was read: what no page and no event spoke of is gone. */
  endReading(): void {
    for (const id of this.#rows.keys()) {
      if (!this.#seenInPages.has(id) && !this.#spokenOf?.has(id)) this.#drop(id)
    }
    this.#spokenOf = null
    this.#seenInPages = new Set()
  }

  apply(event: Event): Touched {
    switch (event.type) {
      case 'changed':
      case 'owed': {
        const id = event.registration.unique_id
        this.#spokenOf?.add(id)
        const before = this.#rows.get(id)
        this.#put(event.registration, before?.place ?? ++this.#highest)
        return before === undefined || differsInList(before.registration, event.registration) ? 'list' : 'row'
      }
      case 'progress': {
        const row = this.#rows.get(event.unique_id)
        if (row === undefined || row.registration.state !== 'running') return 'nothing'
        const { downloaded, uploaded, expected_total, speed } = event
        this.#sorted?.touch(event.unique_id)
        this.#rows.set(event.unique_id, {
          ...row,
          registration: { ...row.registration, downloaded, uploaded, expected_total },
          speed,
        })
        return 'row'
      }
      case 'removed':
        this.#spokenOf?.add(event.unique_id)
        return this.#drop(event.unique_id) ? 'list' : 'nothing'
      case 'totals':
      case 'settings':
      case 'lagged':
        return 'nothing'
    }
  }

  #everything(): readonly string[] {
    if (this.#orderHasGaps) {
      // One that went and came back arrives anew.
      const arrived = new Set(this.#arrived)
      this.#order = this.#order.filter((id) => this.#rows.has(id) && !arrived.has(id))
      this.#orderHasGaps = false
    }
    if (this.#arrived.length > 0) {
      const arrived = [...new Set(this.#arrived)].filter((id) => this.#rows.has(id)).sort(this.#newestFirst)
      this.#arrived = []
      this.#order = this.#merged(this.#order, arrived)
    }
    return this.#order
  }

  #put(registration: Registration, place: number): void {
    const id = registration.unique_id
    const before = this.#rows.get(id)
    if (before === undefined) this.#arrived.push(id)
    // A speed belongs to a transfer under way and to no other state.
    const speed = registration.state === 'running' ? (before?.speed ?? null) : null
    const { needle, name } = wordsOf(registration, before)
    const row = { registration, speed, place, needle, name }
    this.#sorted?.touch(id)
    this.#count(before, -1)
    this.#count(row, 1)
    this.#rows.set(id, row)
  }

  #count(row: Row | undefined, by: 1 | -1): void {
    if (row === undefined || this.#hidden.has(row.registration.unique_id)) return
    const { category } = row.registration
    for (const filter of ['all', filterOf(row.registration)] as const) {
      this.counts[filter] += by
      this.kinds[filter][category] += by
    }
  }

  #drop(id: string): boolean {
    const row = this.#rows.get(id)
    if (row === undefined) return false
    this.#sorted?.touch(id)
    this.#rows.delete(id)
    this.#count(row, -1)
    this.#hidden.delete(id)
    this.#orderHasGaps = true
    return true
  }

  #newestFirst = (left: string, right: string): number => {
    const [one, other] = [this.#rows.get(left)!, this.#rows.get(right)!]
    return other.registration.created - one.registration.created || other.place - one.place
  }

  /** Two sorted lists as one. Nearly always one of them goes before the other as a whole. */
  #merged(known: string[], arrived: string[]): string[] {
    if (arrived.length === 0) return known
    if (known.length === 0 || this.#newestFirst(known.at(-1)!, arrived[0]!) < 0) return [...known, ...arrived]
    if (this.#newestFirst(arrived.at(-1)!, known[0]!) < 0) return [...arrived, ...known]
    return [...known, ...arrived].sort(this.#newestFirst)
  }
}

function noKinds(): Kinds[Filter] {
  return Object.fromEntries(CATEGORIES.map((category) => [category, 0])) as Kinds[Filter]
}

function wordsOf(registration: Registration, before: Row | undefined): Pick<Row, 'needle' | 'name'> {
  const { title, path } = registration
  if (before !== undefined && before.registration.title === title && before.registration.path === path) return before
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
