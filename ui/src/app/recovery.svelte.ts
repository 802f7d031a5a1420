// Findings of the last start that the user should see:
//
// - the recovery of a damaged list, until the user dismisses it;
// - partial files that are not in the list, until the user adopts them;
// - files of removed downloads that could not be moved to the trash, until the move succeeds.
//
// "Not now" hides the partial files and the files of removed downloads.
import type { Api, Event, KeptFile, Orphan, Recovery } from '../api/api'

/** Storage key of the partial files for which the user chose "not now". */
const LATER = 'ashore.orphans-later'
/** Storage key of the files of removed downloads for which the user chose "not now". */
const KEPT_LATER = 'ashore.kept-files-later'

interface RecoveryOptions {
  api: Pick<Api, 'recovery' | 'recoverySeen' | 'orphans' | 'adopt' | 'keptFiles'>
  watch: (listener: (event: Event) => void) => unknown
  failed: (thrown: unknown) => void
  keep: Pick<Storage, 'getItem' | 'setItem'>
}

export class Recovered {
  recovery = $state.raw<Recovery | null>(null)
  orphans = $state.raw<readonly Orphan[]>([])
  kept = $state.raw<readonly KeptFile[]>([])
  readonly #options: RecoveryOptions

  constructor(options: RecoveryOptions) {
    this.#options = options
    options.watch((event) => {
      if (event.type === 'lagged') void this.read()
    })
  }

  /** Reads all findings. Ignores a failed read, because the list itself shows the failure. */
  async read(): Promise<void> {
    const { api } = this.#options
    try {
      this.recovery = await api.recovery()
      const later = this.#later(LATER)
      this.orphans = (await api.orphans()).filter(({ may_resume, path }) => may_resume && !later.includes(path))
      const keptLater = this.#later(KEPT_LATER)
      this.kept = (await api.keptFiles()).filter(({ path }) => !keptLater.includes(path))
    } catch {
      return
    }
  }

  async seen(): Promise<void> {
    this.recovery = null
    await this.#try(() => this.#options.api.recoverySeen())
  }

  async adopt(): Promise<void> {
    const paths = this.orphans.map(({ path }) => path)
    this.orphans = []
    await this.#try(() => this.#options.api.adopt(paths))
    await this.read()
  }

  later(): void {
    this.#putOff(LATER, this.orphans)
    this.orphans = []
  }

  keptLater(): void {
    this.#putOff(KEPT_LATER, this.kept)
    this.kept = []
  }

  #putOff(key: string, files: readonly { path: string }[]): void {
    this.#options.keep.setItem(key, JSON.stringify([...this.#later(key), ...files.map(({ path }) => path)]))
  }

  #later(key: string): readonly string[] {
    try {
      const kept: unknown = JSON.parse(this.#options.keep.getItem(key) ?? '[]')
      return Array.isArray(kept) ? kept.filter((path) => typeof path === 'string') : []
    } catch {
      return []
    }
  }

  async #try(verb: () => Promise<unknown>): Promise<void> {
    try {
      await verb()
    } catch (thrown) {
      this.#options.failed(thrown)
    }
  }
}
