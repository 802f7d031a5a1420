// What a person removed from the list and may still take back: out of sight at once, told to the engine after ten seconds.
// Until then nothing is touched, its files neither, so that taking it back has nothing to restore: what was on its way is
// paused, and goes on. What is pending is written down beside the page, so that one that goes away without a word forgets none
// of it.
import { each, type Refused } from './bulk-actions'

export const UNDO_FOR = 10_000
const OWED = 'ashore.removing'

export interface Removal {
  readonly key: number
  readonly ids: readonly string[]
  /** The title, of a single one. */
  readonly title: string
  /** Its files go to the trash with it. */
  readonly files: boolean
  /** Those that were on their way, and are paused for it. */
  readonly moving: readonly string[]
}

/** As it is written down: the id alone, where the files stay. */
type Written = string | { readonly id: string; readonly files: true }

interface Options {
  hide: (ids: readonly string[]) => void
  bringBack: (ids: readonly string[]) => void
  /** Over or paused, as the page knows it; undefined where it does not. */
  isStill: (id: string) => boolean | undefined
  /** As the engine knows it. Rejects with `unknown` when it is gone. */
  askIsStill: (id: string) => Promise<boolean>
  remove: (id: string, files: boolean) => Promise<unknown>
  /** Told about those that are back because the engine refused. */
  failed: (refused: readonly Refused[], of: number) => void
  keep: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}

export class Removals {
  /** The last one that may be taken back. */
  latest = $state.raw<Removal | null>(null)
  readonly #options: Options
  readonly #pending = new Map<Removal, ReturnType<typeof setTimeout>>()
  /** Not yet known to be gone; and whether the files go along. */
  readonly #owed = new Map<string, boolean>()
  #last = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** Carries out what a page before this one left behind. Before the list is read, so that none of it is shown. */
  async start(): Promise<void> {
    const owed = read(this.#options.keep)
    if (owed.size === 0) return
    for (const [id, files] of owed) this.#owed.set(id, files)
    const ids = [...owed.keys()]
    this.#options.hide(ids)
    const wanted: string[] = []
    const doubtful = await each(ids, async (id) => {
      if (await this.#options.askIsStill(id)) wanted.push(id)
      // It goes on since: nobody removes what is under way without being asked.
      else this.#keepIt(id)
    })
    for (const { id, failure } of doubtful) {
      if (failure.code === 'unknown') this.#owed.delete(id)
      else this.#keepIt(id)
    }
    await this.#tell(wanted)
  }

  /** Those `moving` are being paused. */
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

  /** The last removal, taken back; null where there is none to take back any more. */
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
    // Somebody went on with it meanwhile, from elsewhere.
    for (const id of removal.ids) if (!wanted.includes(id)) this.#keepIt(id)
    await this.#tell(wanted)
  }

  /** The page goes away. */
  async carryOutAll(): Promise<void> {
    await Promise.all([...this.#pending.keys()].map((removal) => this.carryOut(removal)))
  }

  async #tell(ids: readonly string[]): Promise<void> {
    const refused = await each(ids, (id) => this.#options.remove(id, this.#owed.get(id) ?? false))
    // What is gone already is what was wanted.
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
      else keep.setItem(OWED, JSON.stringify([...this.#owed].map(([id, files]): Written => (files ? { id, files } : id))))
    } catch {
      // More than the page may write down: the ten seconds still hold, and only a page that dies in them forgets.
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

/** What makes no sense removes nothing. */
function entry(written: unknown): [string, boolean][] {
  if (typeof written === 'string') return [[written, false]]
  const isOne = typeof written === 'object' && written !== null && 'id' in written && typeof written.id === 'string'
  return isOne ? [[String(written.id), 'files' in written && written.files === true]] : []
}
