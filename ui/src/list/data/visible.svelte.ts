// State of the list view: filter, category, search, expanded sets and selection.
import type { Api, Category } from '../../api/api'
import { readLeft } from './saved-view'
import { Lines, type Opened } from './rows'
import type { Filter } from '../../i18n/phase'
import { bySooner } from './queue-order'
import { type Column, readColumns } from '../columns'
import * as selection from '../selection'
import { type Sort, SORTS } from '../../lib/sort-order'
import { isLive } from './sort'
import { clock } from '../../lib/clock.svelte'
import type { Downloads } from './downloads.svelte'
import type { IndexedRow } from './snapshot'

/** Pause in typing before the engine is queried, in milliseconds. */
const REST = 150
/** Seconds between reorderings of running rows. With a shorter interval, users could not click the moving rows. */
const BEAT = 3
const SORT = 'ashore.sort'
const REVERSED = 'ashore.sort-reversed'
const DENSE = 'ashore.dense'
const COLUMNS = 'ashore.columns'
const LEFT = 'ashore.left'

export interface Selected {
  uniqueId: string
  /** Index of a file; null for the registration itself. */
  file: number | null
}

export class Shown {
  filter = $state<Filter>('all')
  /** Category of the registrations that are shown; null for all categories. */
  category = $state<Category | null>(null)
  /** Id of a row to scroll into view as soon as the row is in the list. */
  wanted = $state.raw<string | null>(null)
  #sort = $state<Sort>(SORTS.find((sort) => sort === localStorage.getItem(SORT)) ?? 'newest')
  #isReversed = $state(localStorage.getItem(REVERSED) === 'reversed')
  #columns = $state.raw(readColumns(localStorage.getItem(COLUMNS)))
  #isDense = $state(localStorage.getItem(DENSE) === 'dense')
  #selection = $state.raw(selection.NOTHING)
  #file = $state<number | null>(null)
  #search = $state('')
  #opened = $state.raw<ReadonlySet<string>>(new Set())
  /** Matches found only by the engine, which also searches addresses and file names. */
  #found = $state.raw<ReadonlySet<string>>(new Set())
  #asking: ReturnType<typeof setTimeout> | null = null
  /** Latest order that was reversed, and its reverse. */
  #reversed: { of: readonly string[]; ids: readonly string[] } = { of: [], ids: [] }

  readonly #api: Api
  readonly #downloads: Downloads
  readonly #beat = $derived.by(() => {
    const isMoving = isLive(this.#sort) && this.#downloads.totals.running > 0
    return isMoving ? Math.floor(clock.now / 1000 / BEAT) : 0
  })

  ids = $derived.by(() => this.#select())
  // Hidden rows are never selected, so that no action affects a row that the user does not see.
  readonly #seen = $derived.by(() => {
    void this.#downloads.listVersion
    return selection.within(this.#selection, this.#sees())
  })
  readonly #selected = $derived.by((): Selected | null => {
    const { lead } = this.#seen
    return lead === null ? null : { uniqueId: lead, file: lead === this.#selection.lead ? this.#file : null }
  })
  readonly #positions = $derived.by(() => new Map(this.#openedIn(this.ids)))
  lines = $derived.by(() => {
    const opened: Opened[] = [...this.#positions].map(([id, position]) => ({
      position,
      files: this.#downloads.peek(id)?.registration.requests ?? 0,
    }))
    return new Lines(this.ids.length, opened)
  })

  constructor(api: Api, downloads: Downloads) {
    this.#api = api
    this.#downloads = downloads
    const { filter, category, search, opened } = readLeft(localStorage.getItem(LEFT))
    this.filter = filter
    this.category = category
    if (search !== '') this.search = search
    this.#opened = new Set(opened)
  }

  /** Saves the view for the next window. */
  leave(): void {
    const { filter, category, search, selected } = this
    const left = { filter, category, search, opened: [...this.#opened], selected: selected?.uniqueId ?? null }
    localStorage.setItem(LEFT, JSON.stringify(left))
  }

  /** Restores the selection of the last window after the list is loaded, unless a row is selected already. */
  comeBack(): void {
    const { selected } = readLeft(localStorage.getItem(LEFT))
    localStorage.removeItem(LEFT)
    if (selected === null || this.selected !== null || !this.has(selected)) return
    this.selected = { uniqueId: selected, file: null }
    this.wanted = selected
  }

  /**
   * Whether the list shows the queue, in the order in which the downloads will run. Paused downloads keep their places in
   * the queue.
   */
  get isQueue(): boolean {
    return this.filter === 'waiting' || this.filter === 'paused'
  }

  /** Sort order, remembered across windows. The queue always has its own order. */
  get sort(): Sort {
    return this.#sort
  }

  set sort(sort: Sort) {
    this.#sort = sort
    localStorage.setItem(SORT, sort)
    this.isReversed = false
  }

  /** Whether the sort order is reversed, remembered across windows. */
  get isReversed(): boolean {
    return this.#isReversed
  }

  set isReversed(isReversed: boolean) {
    this.#isReversed = isReversed
    localStorage.setItem(REVERSED, isReversed ? 'reversed' : 'usual')
  }

  /** Sorts by `sort`. If the list is already sorted by it, reverses the order. */
  sortOrReverse(sort: Sort): void {
    if (sort === this.sort) this.isReversed = !this.isReversed
    else this.sort = sort
  }

  /** Whether each row has only one line of text, remembered across windows. */
  get isDense(): boolean {
    return this.#isDense
  }

  set isDense(isDense: boolean) {
    this.#isDense = isDense
    localStorage.setItem(DENSE, isDense ? 'dense' : 'comfortable')
  }

  /** Columns of wide windows that the user has chosen, remembered across windows. */
  get columns(): readonly Column[] {
    return this.#columns
  }

  set columns(columns: readonly Column[]) {
    this.#columns = columns
    localStorage.setItem(COLUMNS, columns.join())
  }

  get search(): string {
    return this.#search
  }

  set search(text: string) {
    this.#search = text
    this.#found = new Set()
    if (this.#asking !== null) clearTimeout(this.#asking)
    const wanted = text.trim()
    if (wanted === '') return
    this.#asking = setTimeout(() => void this.#ask(wanted), REST)
  }

  /** Builds the search index before the user types, because building it is the slowest part of a search. */
  expectSearch(): void {
    this.#downloads.haystack(this.#order())
  }

  /**
   * Selected row. Key commands start from it, and the details describe it. Part of {@link chosen}; null if nothing is
   * selected.
   */
  get selected(): Selected | null {
    return this.#selected
  }

  /** Selects only this row. */
  set selected(selected: Selected | null) {
    this.#choose(selected === null ? selection.NOTHING : selection.only(selected.uniqueId), selected?.file ?? null)
  }

  /** Ids that actions apply to. */
  get chosen(): ReadonlySet<string> {
    return this.#seen.ids
  }

  /** Chosen ids from top to bottom. */
  get chosenInOrder(): readonly string[] {
    const { chosen } = this
    return chosen.size > 1 ? this.ids.filter((id) => chosen.has(id)) : [...chosen]
  }

  choose(ids: readonly string[]): void {
    this.#choose(selection.these(ids))
  }

  chooseEverything(): void {
    this.#choose(selection.everything(this.#seen, this.ids))
  }

  /** Reduces the selection to the selected row. */
  chooseOne(): void {
    if (this.selected !== null) this.selected = this.selected
  }

  toggleChosen(uniqueId: string): void {
    this.#choose(selection.toggled(this.#seen, uniqueId))
  }

  /** Extends the selection from its anchor to this row. If `isMore`, also keeps the previous selection. */
  stretch(uniqueId: string, isMore = false): void {
    this.#choose(selection.stretched(this.#seen, uniqueId, this.ids, isMore))
  }

  /** Prepares an action on this row: keeps the selection if the row is part of it, otherwise selects only this row. */
  lead(uniqueId: string): void {
    if (this.chosen.has(uniqueId)) this.#choose(selection.ledBy(this.#seen, uniqueId))
    else this.selected = { uniqueId, file: null }
  }

  /** Whether the row passes filter and search. */
  has(uniqueId: string): boolean {
    return this.#sees()(uniqueId)
  }

  /** Deselects rows that are no longer in the list. If such rows return, they are not selected. */
  forgetWhatLeft(): void {
    if (this.#seen !== this.#selection) this.#choose(this.#seen, this.selected?.file)
  }

  /** Scrolls a registration into view; clears filter and search. */
  show(uniqueId: string): void {
    this.filter = 'all'
    this.category = null
    this.search = ''
    this.selected = { uniqueId, file: null }
    this.wanted = uniqueId
  }

  isOpened(uniqueId: string): boolean {
    return this.#opened.has(uniqueId)
  }

  toggle(uniqueId: string, open = !this.#opened.has(uniqueId)): void {
    const opened = new Set(this.#opened)
    if (open) opened.add(uniqueId)
    else opened.delete(uniqueId)
    this.#opened = opened
  }

  #choose(chosen: selection.Selection, file: number | null = null): void {
    this.#selection = chosen
    this.#file = file
  }

  /** Returns a predicate for filter and category. Reads signals once, not for each of 100,000 rows. */
  #belongs(): (entry: IndexedRow) => boolean {
    const { filter, category } = this
    return (entry) => (filter === 'all' || entry.filter === filter) && (category === null || entry.category === category)
  }

  /** Returns a predicate for the search. */
  #matches(): (entry: IndexedRow) => boolean {
    const found = this.#found
    const wanted = this.#wanted
    return (entry) => wanted === '' || entry.needle.includes(wanted) || found.has(entry.id)
  }

  /** Returns a predicate on ids that combines filter, category and search. */
  #sees(): (id: string) => boolean {
    const [belongs, matches] = [this.#belongs(), this.#matches()]
    return (id) => {
      const entry = this.#downloads.entry(id)
      return entry !== undefined && belongs(entry) && matches(entry)
    }
  }

  get #wanted(): string {
    return this.#search.trim().toLowerCase()
  }

  async #ask(wanted: string): Promise<void> {
    try {
      const found = await this.#api.search(wanted)
      if (this.#search.trim() !== wanted) return
      // Rows whose title matches are already shown, so do not search the list again for them.
      const words = wanted.toLowerCase()
      const more = found.filter((id) => !this.#downloads.entry(id)?.needle.includes(words))
      if (more.length > 0) this.#found = new Set(more)
    } catch {
      // Ignore the failure, because the local search has already succeeded.
    }
  }

  #select(): readonly string[] {
    void this.#beat
    const order = this.#order()
    if (this.filter === 'all' && this.category === null && this.#wanted === '') return order
    const ids = this.#find(order)
    return this.isQueue ? inTurn(ids.map((id) => this.#downloads.entry(id)!)) : ids
  }

  #order(): readonly string[] {
    if (this.isQueue) return this.#downloads.order('newest')
    const order = this.#downloads.order(this.#sort)
    if (!this.#isReversed) return order
    // Return the same array for the same order, because the search index of an order is found by its array.
    if (this.#reversed.of !== order) this.#reversed = { of: order, ids: order.slice().reverse() }
    return this.#reversed.ids
  }

  /** Returns the ids that match filter, category and search, in the order of `order`. */
  #find(order: readonly string[]): readonly string[] {
    const entries = this.#downloads.entries(order)
    const [belongs, matches] = [this.#belongs(), this.#matches()]
    // Check every entry if there is no search. Also check every entry if the engine has found matches, because the
    // index does not contain these matches.
    if (this.#wanted === '' || this.#found.size > 0) {
      const ids: string[] = []
      for (const entry of entries) if (belongs(entry) && matches(entry)) ids.push(entry.id)
      return ids
    }
    const places = this.#downloads.haystack(order).find(this.#wanted)
    let count = 0
    for (const place of places) if (belongs(entries[place]!)) places[count++] = place
    // Allocate the final length: growing to 100,000 entries reallocates a dozen times, and the garbage delays the next
    // keystroke.
    const ids = order.slice(0, count)
    for (let at = 0; at < count; at += 1) ids[at] = order[places[at]!]!
    return ids
  }

  *#openedIn(ids: readonly string[]): Generator<[string, number]> {
    if (this.#opened.size === 0) return
    for (let position = 0; position < ids.length; position += 1) {
      const id = ids[position]!
      if (this.#opened.has(id)) yield [id, position]
    }
  }
}

/** Ids in queue order. */
function inTurn(newestFirst: IndexedRow[]): string[] {
  const entries = newestFirst.reverse().sort((one, other) => bySooner(one.row.registration, other.row.registration))
  return entries.map(({ id }) => id)
}
