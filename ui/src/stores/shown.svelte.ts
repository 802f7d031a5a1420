// Which registrations are on the screen: filter, search, what is opened, what is selected.
import type { Api } from '../api/api'
import { Lines, type Opened } from '../lib/lines'
import { type Filter, filterOf } from '../lib/phase'
import { bySooner } from '../lib/queue'
import type { Downloads } from './downloads.svelte'

const FOUND_AT_MOST = 2000
/** Typing goes on faster than this; the engine is asked when it rests. */
const REST = 150

export interface Selected {
  uniqueId: string
  /** One of its files, or null for the registration itself. */
  file: number | null
}

export class Shown {
  filter = $state<Filter>('all')
  selected = $state.raw<Selected | null>(null)
  /** To be brought into sight, once it is in the list. */
  wanted = $state.raw<string | null>(null)
  #search = $state('')
  #opened = $state.raw<ReadonlySet<string>>(new Set())
  /** Found by the engine, which also knows addresses and file names. */
  #found = $state.raw<ReadonlySet<string>>(new Set())
  #asking: ReturnType<typeof setTimeout> | null = null

  readonly #api: Api
  readonly #downloads: Downloads
  /** The last answer, where a longer search can go on. */
  #last: { version: number; filter: Filter; wanted: string; ids: readonly string[] } | null = null

  ids = $derived.by(() => this.#select())
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
  }

  /** What is shown is shown in the order in which it will go on. */
  get isQueue(): boolean {
    return this.filter === 'waiting'
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

  /** Brings a registration into sight, whatever is filtered at the moment. */
  show(uniqueId: string): void {
    this.filter = 'all'
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

  async #ask(wanted: string): Promise<void> {
    try {
      const found = await this.#api.list({ search: wanted, limit: FOUND_AT_MOST })
      if (this.#search.trim() === wanted) this.#found = new Set(found.map((one) => one.unique_id))
    } catch {
      // The list as it is here has been searched already; a person loses nothing they were promised.
    }
  }

  #select(): readonly string[] {
    const order = this.#downloads.order()
    const wanted = this.#search.trim().toLowerCase()
    if (this.filter === 'all' && wanted === '') return order
    const { filter } = this
    const found = this.#found
    const version = this.#downloads.listVersion
    const last = this.#last
    const isNarrower = last?.version === version && last.filter === filter && found.size === 0 && wanted.startsWith(last.wanted)
    const chosen = (isNarrower ? last.ids : order).filter((id) => {
      const row = this.#downloads.peek(id)
      if (row === undefined || (filter !== 'all' && filterOf(row.registration) !== filter)) return false
      return wanted === '' || row.needle.includes(wanted) || found.has(id)
    })
    const ids = this.isQueue && !isNarrower ? this.#inTurn(chosen) : chosen
    // What the engine found does not follow from the words, so nothing can be narrowed from it.
    this.#last = found.size === 0 ? { version, filter, wanted, ids } : null
    return ids
  }

  /** `newestFirst` in the order in which they will go on. */
  #inTurn(newestFirst: readonly string[]): readonly string[] {
    const rows = newestFirst.map((id) => this.#downloads.peek(id)!.registration)
    return rows.reverse().sort(bySooner).map((registration) => registration.unique_id)
  }

  *#openedIn(ids: readonly string[]): Generator<[string, number]> {
    if (this.#opened.size === 0) return
    for (let position = 0; position < ids.length; position += 1) {
      const id = ids[position]!
      if (this.#opened.has(id)) yield [id, position]
    }
  }
}
