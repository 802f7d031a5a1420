// Which registrations are on the screen: filter, kind of file, search, what is opened, what is chosen.
import type { Api, Category } from '../../api/api'
import { readLeft } from './saved-view'
import { Lines, type Opened } from './rows'
import type { Filter } from './phase'
import { bySooner } from './queue-order'
import * as selection from '../selection'
import { isLive, type Sort, SORTS } from './sort'
import { clock } from '../../lib/clock.svelte'
import type { Downloads } from './downloads.svelte'
import type { Entry } from './snapshot'

/** Typing goes on faster than this; the engine is asked when it rests. */
const REST = 150
/** So often what runs may change its place, seconds: more often, and nobody could click on it. */
const BEAT = 3
const SORT = 'ashore.sort'
const LEFT = 'ashore.left'

export interface Selected {
  uniqueId: string
  /** One of its files, or null for the registration itself. */
  file: number | null
}

export class Shown {
  filter = $state<Filter>('all')
  /** Null for every kind. */
  category = $state<Category | null>(null)
  /** To be brought into sight, once it is in the list. */
  wanted = $state.raw<string | null>(null)
  #sort = $state<Sort>(SORTS.find((sort) => sort === localStorage.getItem(SORT)) ?? 'newest')
  #selection = $state.raw(selection.NOTHING)
  #file = $state<number | null>(null)
  #search = $state('')
  #opened = $state.raw<ReadonlySet<string>>(new Set())
  /** Found by the engine alone, which also knows addresses and file names. */
  #found = $state.raw<ReadonlySet<string>>(new Set())
  #asking: ReturnType<typeof setTimeout> | null = null

  readonly #api: Api
  readonly #downloads: Downloads
  readonly #beat = $derived.by(() => {
    const isMoving = isLive(this.#sort) && this.#downloads.totals.running > 0
    return isMoving ? Math.floor(clock.now / 1000 / BEAT) : 0
  })

  ids = $derived.by(() => this.#select())
  // What cannot be seen is not chosen: a verb must never reach a row that its person does not know of.
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

  /** The window goes: the next one is to be as this one was. */
  leave(): void {
    const { filter, category, search, selected } = this
    const left = { filter, category, search, opened: [...this.#opened], selected: selected?.uniqueId ?? null }
    localStorage.setItem(LEFT, JSON.stringify(left))
  }

  /** The list is there: what was selected when the last window went is so again, unless something is by now. */
  comeBack(): void {
    const { selected } = readLeft(localStorage.getItem(LEFT))
    localStorage.removeItem(LEFT)
    if (selected === null || this.selected !== null || !this.has(selected)) return
    this.selected = { uniqueId: selected, file: null }
    this.wanted = selected
  }

  /** What is shown is shown in the order in which it will go on. */
  get isQueue(): boolean {
    return this.filter === 'waiting'
  }

  /** Remembered. What waits is always shown in the order in which it goes on. */
  get sort(): Sort {
    return this.#sort
  }

  set sort(sort: Sort) {
    this.#sort = sort
    localStorage.setItem(SORT, sort)
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

  /** Somebody is about to type: what takes longest of a search is made now, while nobody waits for it. */
  expectSearch(): void {
    this.#downloads.haystack(this.#order())
  }

  /** The one that keys start from and that is shown in detail; one of {@link chosen}, null where nothing is. */
  get selected(): Selected | null {
    return this.#selected
  }

  /** Chooses this alone. */
  set selected(selected: Selected | null) {
    this.#choose(selected === null ? selection.NOTHING : selection.only(selected.uniqueId), selected?.file ?? null)
  }

  /** What verbs act on. */
  get chosen(): ReadonlySet<string> {
    return this.#seen.ids
  }

  /** The same from top to bottom. */
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

  /** Chooses the selected one alone. */
  chooseOne(): void {
    if (this.selected !== null) this.selected = this.selected
  }

  toggleChosen(uniqueId: string): void {
    this.#choose(selection.toggled(this.#seen, uniqueId))
  }

  /** Chooses everything from where a range began to this one. */
  stretch(uniqueId: string, isMore = false): void {
    this.#choose(selection.stretched(this.#seen, uniqueId, this.ids, isMore))
  }

  /** For what is about to be done with this one: with all that are chosen where it is among them, else with it alone. */
  lead(uniqueId: string): void {
    if (this.chosen.has(uniqueId)) this.#choose(selection.ledBy(this.#seen, uniqueId))
    else this.selected = { uniqueId, file: null }
  }

  /** Is it in the list as it is filtered and searched? */
  has(uniqueId: string): boolean {
    return this.#sees()(uniqueId)
  }

  /** What left the list is not chosen again when it comes back. */
  forgetWhatLeft(): void {
    if (this.#seen !== this.#selection) this.#choose(this.#seen, this.selected?.file)
  }

  /** Brings a registration into sight, whatever is filtered at the moment. */
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

  /** Belongs a row to what is filtered? Signals are read once, and not for each of 100,000 rows. */
  #belongs(): (entry: Entry) => boolean {
    const { filter, category } = this
    return (entry) => (filter === 'all' || entry.filter === filter) && (category === null || entry.category === category)
  }

  /** And to what is searched? */
  #matches(): (entry: Entry) => boolean {
    const found = this.#found
    const wanted = this.#wanted
    return (entry) => wanted === '' || entry.needle.includes(wanted) || found.has(entry.id)
  }

  /** The same by id, for what is in the list. */
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
      // What the words find here as well is on the screen already; for that alone nobody looks through the list again.
      const words = wanted.toLowerCase()
      const more = found.filter((id) => !this.#downloads.entry(id)?.needle.includes(words))
      if (more.length > 0) this.#found = new Set(more)
    } catch {
      // The list as it is here has been searched already; a person loses nothing they were promised.
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
    return this.#downloads.order(this.isQueue ? 'newest' : this.#sort)
  }

  /** Those of an order that fit, in it. */
  #find(order: readonly string[]): readonly string[] {
    const entries = this.#downloads.entries(order)
    const [belongs, matches] = [this.#belongs(), this.#matches()]
    // What the engine found may be anywhere.
    if (this.#wanted === '' || this.#found.size > 0) {
      const ids: string[] = []
      for (const entry of entries) if (belongs(entry) && matches(entry)) ids.push(entry.id)
      return ids
    }
    const places = this.#downloads.haystack(order).find(this.#wanted)
    let count = 0
    for (const place of places) if (belongs(entries[place]!)) places[count++] = place
    // Of its final length at once: one that grows to 100,000 is thrown away a dozen times, and garbage delays the next key.
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

/** `newestFirst` in the order in which they will go on. */
function inTurn(newestFirst: Entry[]): string[] {
  const entries = newestFirst.reverse().sort((one, other) => bySooner(one.row.registration, other.row.registration))
  return entries.map(({ id }) => id)
}
