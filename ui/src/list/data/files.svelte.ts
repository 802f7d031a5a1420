// File records, read in pages while a view watches them. They are read again after events that change them. Pages
// without a watcher are not updated.
import type { Api, Event, FileId, FileRecord, Registration } from '../../api/api'
import { hasFiles, hasOneFile } from '../../i18n/phase'
import type { Downloads } from './downloads.svelte'

const PAGE = 100
const KEPT = 100
/** Delay before a read, in milliseconds. Rows that fast scrolling shows only briefly are therefore not read. */
const REST = 80
/** Minimum time between two reads of a page, in milliseconds; progress events arrive four times a second. */
const PAUSE = 500

interface FilePage {
  id: string
  number: number
  records: readonly FileRecord[]
  isStale: boolean
  isLoading: boolean
  readAt: number
  watchers: number
}

export class Files {
  #changes = $state(0)
  readonly #pages = new Map<string, FilePage>()
  readonly #api: Api
  #timer: ReturnType<typeof setTimeout> | null = null

  constructor(api: Api, downloads: Downloads) {
    this.#api = api
    downloads.watch((event) => this.#hear(event))
  }

  record(id: string, index: number): FileRecord | undefined {
    void this.#changes
    return this.#pages.get(key(id, index))?.records[index % PAGE]
  }

  /** Watches a file until the returned function is called. */
  look(id: string, index: number): () => void {
    const name = key(id, index)
    let page = this.#pages.get(name)
    if (page === undefined) {
      page = { id, number: Math.floor(index / PAGE), records: [], isStale: true, isLoading: false, readAt: 0, watchers: 0 }
      this.#pages.set(name, page)
      this.#forgetSome()
    }
    page.watchers += 1
    if (page.isStale) this.#readSoon(REST)
    return () => (page.watchers -= 1)
  }

  /** Reads the records of all files, page by page. */
  async all(id: string): Promise<FileRecord[]> {
    const records: FileRecord[] = []
    for (;;) {
      const page = await this.#api.records(id, records.length, 1000)
      if (page.length === 0) return records
      records.push(...page)
    }
  }

  /** Ids of the complete files of a registration. */
  async there(registration: Registration): Promise<FileId[]> {
    const { unique_id } = registration
    if (!hasFiles(registration)) return []
    if (hasOneFile(registration)) return [[unique_id, 0]]
    return (await this.all(unique_id)).filter(({ path }) => path !== null).map(({ index }) => [unique_id, index])
  }

  #hear(event: Event): void {
    const id =
      event.type === 'changed' || event.type === 'owed'
        ? event.registration.unique_id
        : event.type === 'progress'
          ? event.unique_id
          : null
    for (const page of this.#pages.values()) {
      if (event.type !== 'lagged' && page.id !== id) continue
      if (event.type === 'progress' && !page.records.some((record) => record.state === 'active')) continue
      page.isStale = true
      if (page.watchers > 0) this.#readSoon(REST)
    }
  }

  #readSoon(wait: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      const now = Date.now()
      for (const page of this.#pages.values()) {
        if (page.watchers === 0 || !page.isStale || page.isLoading) continue
        if (now - page.readAt < PAUSE) this.#readSoon(PAUSE)
        else void this.#read(page)
      }
    }, wait)
  }

  async #read(page: FilePage): Promise<void> {
    page.isStale = false
    page.isLoading = true
    try {
      page.records = await this.#api.records(page.id, page.number * PAGE, PAGE)
      this.#changes += 1
    } catch {
      // The row of the registration shows the failure. The next event triggers another read.
      page.isStale = true
    } finally {
      page.isLoading = false
      page.readAt = Date.now()
      if (page.isStale && page.watchers > 0 && page.records.length > 0) this.#readSoon(PAUSE)
    }
  }

  #forgetSome(): void {
    if (this.#pages.size <= KEPT) return
    for (const [name, page] of this.#pages) {
      if (page.watchers === 0) this.#pages.delete(name)
      if (this.#pages.size <= KEPT) return
    }
  }
}

function key(id: string, index: number): string {
  return `${id} ${Math.floor(index / PAGE)}`
}
