// Removals that can be undone: rows are hidden immediately, but the engine is called only after ten seconds. Nothing is
// deleted until then, so an undo has nothing to restore. Running downloads are paused, and an undo resumes them.
// Pending removals are stored, so that they survive a crash of the page.
import { each, type Refused } from './bulk-actions'

export const UNDO_FOR = 10_000
const OWED = 'ashore.removing'

export interface Removal {
  readonly key: number
  readonly ids: readonly string[]
  /** Title of the first registration, for the notice. */
  readonly title: string
  /** Whether the files also move to the trash. */
  readonly files: boolean
  /** Ids that were running or waiting; they are paused until the removal is carried out or undone. */
  readonly moving: readonly string[]
}

/** Stored form of a removal: only the id if the files are kept. */
type StoredRemoval = string | { readonly id: string; readonly files: true }

interface Options {
  hide: (ids: readonly string[]) => void
  bringBack: (ids: readonly string[]) => void
  /** Whether the registration is settled or paused according to the page; undefined if the page does not know it. */
  isStill: (id: string) => boolean | undefined
  /**
   * Whether the registration is settled or paused according to the engine. Rejects with `unknown` if the registration does
   * not exist.
   */
  askIsStill: (id: string) => Promise<boolean>
  remove: (id: string, files: boolean) => Promise<unknown>
  /** Called with the refused removals after their rows are visible again. */
  failed: (refused: readonly Refused[], of: number) => void
  keep: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}

export class Removals {
  /** Latest removal that can be undone. */
  latest = $state.raw<Removal | null>(null)
  readonly #options: Options
  readonly #pending = new Map<Removal, ReturnType<typeof setTimeout>>()
  /** Ids with a pending removal. The value is true if the files also move to the trash. */
  readonly #owed = new Map<string, boolean>()
  #last = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** Carries out removals that the previous page left pending. Runs before the list is read, so that their rows never appear. */
  async start(): Promise<void> {
    const owed = read(this.#options.keep)
    if (owed.size === 0) return
    for (const [id, files] of owed) this.#owed.set(id, files)
    const ids = [...owed.keys()]
    this.#options.hide(ids)
    const wanted: string[] = []
    const doubtful = await each(ids, async (id) => {
      if (await this.#options.askIsStill(id)) wanted.push(id)
      // The download is running again. Do not remove it without asking.
      else this.#keepIt(id)
    })
    for (const { id, failure } of doubtful) {
      if (failure.code === 'unknown') this.#owed.delete(id)
      else this.#keepIt(id)
    }
    await this.#tell(wanted)
  }

  /** Starts a removal. The caller pauses the `moving` ids. */
  remove(ids: readonly string[], title: string, files = false, moving: readonly string[] = []): void {
    const removal = { key: ++this.#last, ids, title, files, moving }
    for (const id of ids) this.#owed.set(id, files)
    this.#remember()
    this.#options.hide(ids)
    this.#pending.set(
      removal,
      setTimeout(() => void this.carryOut(removal), UNDO_FOR),
    )
    this.#announce()
  }

  /** Undoes the latest removal and returns it; null if no removal can be undone. */
  takeBack(): Removal | null {
    const removal = this.latest
    if (removal === null) return null
    this.#forget(removal)
    for (const id of removal.ids) this.#keepIt(id)
    this.#remember()
    return removal
  }

  async carryOut(removal: Removal): Promise<void> {
    if (!this.#pending.has(removal)) return
    this.#forget(removal)
    const wanted = removal.ids.filter((id) => this.#options.isStill(id) !== false)
    // Keep downloads that another program has resumed in the meantime.
    for (const id of removal.ids) if (!wanted.includes(id)) this.#keepIt(id)
    await this.#tell(wanted)
  }

  /** Carries out all pending removals before the page unloads. */
  async carryOutAll(): Promise<void> {
    await Promise.all([...this.#pending.keys()].map((removal) => this.carryOut(removal)))
  }

  async #tell(ids: readonly string[]): Promise<void> {
    const refused = await each(ids, (id) => this.#options.remove(id, this.#owed.get(id) ?? false))
    // If a registration does not exist any more, its removal counts as successful.
    const kept = refused.filter(({ failure }) => failure.code !== 'unknown')
    for (const id of ids) this.#owed.delete(id)
    this.#remember()
    if (kept.length === 0) return
    this.#options.bringBack(kept.map(({ id }) => id))
    this.#options.failed(kept, ids.length)
  }

  #keepIt(id: string): void {
    this.#owed.delete(id)
    this.#options.bringBack([id])
  }

  #forget(removal: Removal): void {
    clearTimeout(this.#pending.get(removal))
    this.#pending.delete(removal)
    this.#announce()
  }

  #announce(): void {
    this.latest = [...this.#pending.keys()].at(-1) ?? null
  }

  #remember(): void {
    const { keep } = this.#options
    try {
      if (this.#owed.size === 0) keep.removeItem(OWED)
      else keep.setItem(OWED, JSON.stringify([...this.#owed].map(([id, files]): StoredRemoval => (files ? { id, files } : id))))
    } catch {
      // Ignore full storage: the removal is still carried out after ten seconds, unless the page crashes first.
    }
  }
}

function read(keep: Options['keep']): Map<string, boolean> {
  try {
    const found: unknown = JSON.parse(keep.getItem(OWED) ?? '[]')
    return new Map(Array.isArray(found) ? found.flatMap(entry) : [])
  } catch {
    return new Map()
  }
}

/** Parses a stored entry; an invalid entry yields no removal. */
function entry(written: unknown): [string, boolean][] {
  if (typeof written === 'string') return [[written, false]]
  const isOne = typeof written === 'object' && written !== null && 'id' in written && typeof written.id === 'string'
  return isOne ? [[String(written.id), 'files' in written && written.files === true]] : []
}
