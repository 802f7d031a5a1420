// State of the details panel: visibility, height, width, page and file, and the engine's details of that file.
import type { Api, Event, FileDetails, Segments } from '../api/api'
import type { Downloads } from '../list/data/downloads.svelte'
import { phone } from '../components/phone.svelte'
import { Followed } from '../lib/live-query.svelte'
import type { Shown } from '../list/data/visible.svelte'

export const PAGES = ['files', 'activity', 'speed', 'about'] as const
export type DetailsPage = (typeof PAGES)[number]

export const LEAST_HEIGHT = 150
export const USUAL_HEIGHT = 264
export const LEAST_WIDTH = 300
export const USUAL_WIDTH = 384

const OPEN = 'ashore.details'
const HEIGHT = 'ashore.details-height'
const WIDTH = 'ashore.details-width'
const PAGE = 'ashore.details-page'
/** Minimum interval between map queries, in milliseconds; progress events arrive four times a second. */
const PAUSE = 500

export class Details {
  /** Whether the user wants the panel. On a phone, the panel covers the list, so it is closed at first. */
  #isWanted = $state(!phone.isNarrow && localStorage.getItem(OPEN) === 'open')
  /** Height of the panel, in pixels at the default font size. */
  height = $state(lengthOf(localStorage.getItem(HEIGHT), LEAST_HEIGHT, USUAL_HEIGHT))
  /** Width of the panel at the side of the list, in the same unit. */
  width = $state(lengthOf(localStorage.getItem(WIDTH), LEAST_WIDTH, USUAL_WIDTH))
  page = $state<DetailsPage>(PAGES.find((page) => page === localStorage.getItem(PAGE)) ?? 'files')
  /** Whether the panel should take the keyboard focus when it is mounted. */
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

  /** Whether the panel is shown: the user wants it, and a download is selected. */
  get isOpen(): boolean {
    return this.#isWanted && this.id !== null
  }

  /** Id of the selected download. */
  get id(): string | null {
    return this.#shown.selected?.uniqueId ?? null
  }

  /** Index of the file that the pages describe. */
  get file(): number {
    const selected = this.#shown.selected
    if (selected === null) return 0
    return selected.file ?? (this.#chosen?.id === selected.uniqueId ? this.#chosen.file : 0)
  }

  set file(file: number) {
    const selected = this.#shown.selected
    if (selected === null) return
    this.#chosen = { id: selected.uniqueId, file }
    // If the list shows the files of this download, select the file there too.
    if (this.#shown.isOpened(selected.uniqueId)) this.#shown.selected = { ...selected, file }
    else if (selected.file !== null) this.#shown.selected = { ...selected, file: null }
  }

  /** Opens the panel at `page` and moves the focus there. If no download is selected, selects the first one. */
  open(page = this.page): void {
    this.#selectOne()
    this.#keepOpen(true)
    this.show(page)
    this.isEntered = true
  }

  close(): void {
    this.#keepOpen(false)
  }

  /** Opens or closes the panel. If it opens while no download is selected, selects the first one. */
  toggle(): void {
    const isWanted = !this.isOpen
    if (isWanted) this.#selectOne()
    this.#keepOpen(isWanted)
  }

  show(page: DetailsPage): void {
    this.page = page
    localStorage.setItem(PAGE, page)
  }

  /** Changes the height, or the width if the panel is at the side of the list. */
  resize(pixels: number, isAtSide: boolean): void {
    if (isAtSide) {
      this.width = Math.max(LEAST_WIDTH, Math.round(pixels))
      localStorage.setItem(WIDTH, String(this.width))
    } else {
      this.height = Math.max(LEAST_HEIGHT, Math.round(pixels))
      localStorage.setItem(HEIGHT, String(this.height))
    }
  }

  /** Details of a file; null until they are read. */
  known(id: string, file: number): FileDetails | null {
    return this.#known.value(nameOf(id, file))
  }

  get failure() {
    return this.#known.failure
  }

  readAgain(): void {
    this.#known.changed()
  }

  /** Keeps the details of a file up to date until the returned function is called. */
  followKnown(id: string, file: number): () => void {
    this.#knownOf = id
    return this.#known.follow(nameOf(id, file), () => this.#api.details(id, file))
  }

  /** Segments of a running file; null if the file is not running or its segments are unknown. */
  map(id: string, file: number): Segments | null {
    return this.#maps.value(id)?.find((map) => map.index === file) ?? null
  }

  /** Segments of all running files of a download; null if they are unknown. */
  maps(id: string): readonly Segments[] | null {
    return this.#maps.value(id)
  }

  /** Keeps the segment maps of a download up to date until the returned function is called. */
  followMaps(id: string): () => void {
    this.#mapsOf = id
    return this.#maps.follow(id, () => this.#api.segments(id))
  }

  #selectOne(): void {
    const first = this.#shown.ids[0]
    if (this.id === null && first !== undefined) this.#shown.selected = { uniqueId: first, file: null }
  }

  #keepOpen(isWanted: boolean): void {
    this.#isWanted = isWanted
    if (!phone.isNarrow) localStorage.setItem(OPEN, isWanted ? 'open' : 'closed')
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

function lengthOf(kept: string | null, least: number, usual: number): number {
  const pixels = Number(kept)
  return kept !== null && pixels >= least ? pixels : usual
}
