// The panel about the selected download: open or not, how high, which page of it, which of the files; and what the engine
// knows of that file beyond the list.
import type { Api, Event, FileDetails, Segments } from '../api/api'
import type { Downloads } from '../list/data/downloads.svelte'
import { Followed } from '../lib/live-query.svelte'
import type { Shown } from '../list/data/visible.svelte'

export const PAGES = ['files', 'activity', 'speed', 'about'] as const
export type Page = (typeof PAGES)[number]

export const LEAST_HEIGHT = 150
export const USUAL_HEIGHT = 264

const OPEN = 'ashore.details'
const HEIGHT = 'ashore.details-height'
const PAGE = 'ashore.details-page'
/** A running file says something four times a second; twice is enough for its map. */
const PAUSE = 500

export class Details {
  isOpen = $state(localStorage.getItem(OPEN) === 'open')
  /** Pixels, where letters have their usual size. */
  height = $state(heightOf(localStorage.getItem(HEIGHT)))
  page = $state<Page>(PAGES.find((page) => page === localStorage.getItem(PAGE)) ?? 'files')
  /** The keyboard is to go into the panel, once it is there. */
  isEntered = $state(false)
  #chosen = $state.raw<{ id: string; file: number } | null>(null)

  readonly #api: Api
  readonly #shown: Shown
  readonly #known = new Followed<FileDetails>(PAUSE)
  readonly #maps = new Followed<readonly Segments[]>(PAUSE)
  #knownOf = ''
  #mapsOf = ''

  constructor(api: Api, downloads: Downloads, shown: Shown) {
    this.#api = api
    this.#shown = shown
    downloads.watch((event) => this.#hear(event))
  }

  /** The selected download. */
  get id(): string | null {
    return this.#shown.selected?.uniqueId ?? null
  }

  /** The index of the file that is spoken of. */
  get file(): number {
    const selected = this.#shown.selected
    if (selected === null) return 0
    return selected.file ?? (this.#chosen?.id === selected.uniqueId ? this.#chosen.file : 0)
  }

  set file(file: number) {
    const selected = this.#shown.selected
    if (selected === null) return
    this.#chosen = { id: selected.uniqueId, file }
    // Where the list shows the files as well, it shows the same one.
    if (this.#shown.isOpened(selected.uniqueId)) this.#shown.selected = { ...selected, file }
    else if (selected.file !== null) this.#shown.selected = { ...selected, file: null }
  }

  /** Opens it, on `page` where one is named, and takes the keyboard there. */
  open(page = this.page): void {
    this.#keepOpen(true)
    this.show(page)
    this.isEntered = true
  }

  close(): void {
    this.#keepOpen(false)
  }

  toggle(): void {
    this.#keepOpen(!this.isOpen)
  }

  show(page: Page): void {
    this.page = page
    localStorage.setItem(PAGE, page)
  }

  resize(pixels: number): void {
    this.height = Math.max(LEAST_HEIGHT, Math.round(pixels))
    localStorage.setItem(HEIGHT, String(this.height))
  }

  /** Null until it is read. */
  known(id: string, file: number): FileDetails | null {
    return this.#known.value(nameOf(id, file))
  }

  get failure() {
    return this.#known.failure
  }

  readAgain(): void {
    this.#known.changed()
  }

  /** Somebody looks at what is known of a file, until the returned function is called. */
  followKnown(id: string, file: number): () => void {
    this.#knownOf = id
    return this.#known.follow(nameOf(id, file), () => this.#api.details(id, file))
  }

  /** Where the bytes of a running file lie; null when it does not run, or nobody knows. */
  map(id: string, file: number): Segments | null {
    return this.#maps.value(id)?.find((map) => map.index === file) ?? null
  }

  /** Somebody looks at the maps of a download, until the returned function is called. */
  followMaps(id: string): () => void {
    this.#mapsOf = id
    return this.#maps.follow(id, () => this.#api.segments(id))
  }

  #keepOpen(isOpen: boolean): void {
    this.isOpen = isOpen
    localStorage.setItem(OPEN, isOpen ? 'open' : 'closed')
  }

  #hear(event: Event): void {
    if (event.type === 'lagged') {
      this.#known.changed()
      this.#maps.changed()
    } else if (event.type === 'progress') {
      if (event.unique_id === this.#mapsOf) this.#maps.changed()
    } else if (event.type === 'changed' || event.type === 'owed') {
      if (event.registration.unique_id === this.#mapsOf) this.#maps.changed()
      if (event.registration.unique_id === this.#knownOf) this.#known.changed()
    }
  }
}

function nameOf(id: string, file: number): string {
  return `${id} ${file}`
}

function heightOf(kept: string | null): number {
  const pixels = Number(kept)
  return kept !== null && pixels >= LEAST_HEIGHT ? pixels : USUAL_HEIGHT
}
