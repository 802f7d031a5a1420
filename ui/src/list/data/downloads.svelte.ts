// Live list of all registrations: first a snapshot, then events, without polling. Rows are not reactive. Changes are
// announced once per frame, and components then look up their row again. Progress is announced four times a second:
// downloads do not report more often, and hundreds of reports would repaint every frame.
import { type Api, type Event, Failure, type Registration, type Totals } from '../../api/api'
import { painted } from '../../lib/animation-frame'
import type { Haystack } from './search-index'
import { Throttle } from '../../lib/throttle'
import { whenIdle } from '../../lib/idle'
import { type Sort, SORTS } from '../../lib/sort-order'
import { type Counts, type IndexedRow, type Kinds, Picture, type Row } from './snapshot'

/**
 * Number of rows on the first page: few enough to be painted immediately and to keep the page responsive while the rest
 * loads.
 */
const FIRST_PAGE = 200
const PAGE = 2000
const BEGUN_ANEW_AT_MOST = 10
/** Milliseconds between announcements of progress. */
const PACE = 250

export class Downloads {
  totals = $state.raw<Totals>({ running: 0, waiting: 0, speed: 0, paused: false, speed_limit: null, pace: 'full', gate: null })
  counts = $state.raw<Counts>(new Picture().counts)
  kinds = $state.raw<Kinds>(new Picture().kinds)
  /** Number of files that run now. */
  active = $state(0)
  /** Whether the first page has been read, or reading it has failed. */
  isRead = $state(false)
  /** Whether the whole list has been read at least once. Until then, the counts do not include all rows. */
  isComplete = $state(false)
  failure = $state.raw<Failure | null>(null)
  #changes = $state(0)
  #listChanges = $state(0)

  readonly #api: Api
  readonly #picture = new Picture()
  #touchedRow = false
  #touchedList = false
  #frame: number | null = null
  #reading: Promise<void> | null = null
  #readAgain = false
  #watchers = new Set<(event: Event) => void>()
  readonly #progress = new Throttle(PACE, () => this.#announce('row'))

  constructor(api: Api) {
    this.#api = api
  }

  async start(): Promise<void> {
    try {
      await this.#api.events((event) => this.#hear(event))
    } catch (thrown) {
      this.failure = Failure.of(thrown)
      this.isRead = true
      return
    }
    await this.read()
  }

  /** Row of a registration; reactive to every change. */
  row(uniqueId: string): Row | undefined {
    void this.#changes
    return this.#picture.row(uniqueId)
  }

  /** Current row, not reactive. */
  peek(uniqueId: string): Row | undefined {
    return this.#picture.row(uniqueId)
  }

  /** Hides rows until they are restored. */
  hide(ids: Iterable<string>): void {
    this.#picture.hide(ids)
    this.#announce('list')
  }

  bringBack(ids: Iterable<string>): void {
    this.#picture.bringBack(ids)
    this.#announce('list')
  }

  /** Row with this id, if the row is hidden. */
  hidden(uniqueId: string): Row | undefined {
    return this.#picture.hidden(uniqueId)
  }

  /** Ids in sort order; reactive to added, removed and moved rows, not to progress. */
  order(sort: Sort = 'newest'): readonly string[] {
    void this.#listChanges
    return this.#picture.order(sort)
  }

  /** Entry for filters and searches, not reactive. */
  entry(uniqueId: string): IndexedRow | undefined {
    return this.#picture.entry(uniqueId)
  }

  /** Entries of an {@link order}. */
  entries(order: readonly string[]): readonly IndexedRow[] {
    return this.#picture.entries(order)
  }

  /** Search index of an {@link order}. */
  haystack(order: readonly string[]): Haystack {
    return this.#picture.haystack(order)
  }

  /** Changes whenever {@link order} or its search index changes. */
  get listVersion(): number {
    return this.#listChanges
  }

  /** Calls `watcher` with every event before it is applied. */
  watch(watcher: (event: Event) => void): void {
    this.#watchers.add(watcher)
  }

  /** Adds a registration that a call returned, unless an event has already added it. */
  learn(registration: Registration): void {
    if (this.#picture.row(registration.unique_id) === undefined) this.#hear({ type: 'changed', registration })
  }

  /** Reads the list again; if a read is in progress, schedules another read. */
  read(): Promise<void> {
    if (this.#reading !== null) {
      this.#readAgain = true
      return this.#reading
    }
    this.#reading = this.#readAll().finally(() => {
      this.#reading = null
      void this.#prepareOrders()
    })
    return this.#reading
  }

  /** Sorts the list by each sort order, one order per idle moment, because sorting 100,000 rows takes several frames. */
  async #prepareOrders(): Promise<void> {
    for (const sort of SORTS) {
      await whenIdle()
      if (this.#reading !== null) return
      this.#picture.prepare(sort)
    }
  }

  async #readAll(): Promise<void> {
    let begunAnew = 0
    do {
      this.#readAgain = false
      try {
        await this.#readOnce()
        this.failure = null
      } catch (thrown) {
        const failure = Failure.of(thrown)
        // The last row of the previous page has been removed, so read the list again.
        if (failure.code === 'unknown' && ++begunAnew < BEGUN_ANEW_AT_MOST) this.#readAgain = true
        else {
          this.failure = failure
          this.isRead = true
          return
        }
      }
    } while (this.#readAgain)
  }

  async #readOnce(): Promise<void> {
    this.#picture.beginReading()
    const totals = this.#api.totals()
    let before: string | undefined
    for (let limit = FIRST_PAGE; ; limit = PAGE) {
      // Only an empty page ends the list, because the engine may return fewer rows than requested.
      const page = await this.#api.list(before === undefined ? { limit } : { limit, before })
      if (before === undefined) this.totals = await totals
      if (page.length === 0) break
      this.#picture.page(page)
      before = page.at(-1)!.unique_id
      this.#announce('list')
      if (this.isRead) continue
      // Publish now, without an animation frame: the window is hidden until its first page is published.
      this.#publish()
      this.isRead = true
      // Wait for the paint, which would be delayed by reading the other pages first.
      await painted()
    }
    this.#picture.endReading()
    // Publish the counts before they are shown, so that they include all rows when they appear.
    this.#touchedRow = this.#touchedList = true
    this.#publish()
    this.isRead = this.isComplete = true
  }

  #hear(event: Event): void {
    for (const watcher of this.#watchers) watcher(event)
    if (event.type === 'totals') this.totals = event.totals
    else if (event.type === 'lagged') void this.read()
    else {
      const touched = this.#picture.apply(event)
      if (touched === 'nothing') return
      if (event.type === 'progress') this.#progress.ask()
      else this.#announce(touched)
    }
  }

  #announce(touched: 'row' | 'list'): void {
    this.#touchedRow = true
    if (touched === 'list') this.#touchedList = true
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null
      this.#publish()
    })
  }

  #publish(): void {
    if (this.#touchedRow) this.#changes += 1
    this.active = this.#picture.active
    if (this.#touchedList) {
      this.#listChanges += 1
      this.counts = { ...this.#picture.counts }
      this.kinds = structuredClone(this.#picture.kinds)
    }
    this.#touchedRow = this.#touchedList = false
  }
}
