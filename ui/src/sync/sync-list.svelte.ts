// Sync items that are read from the engine while the page shows them. Created by `Sync`.
//
// - While the list has no name, nothing is read, and there are no items.
// - When the name changes, the items of the previous list are dropped at once.
import type { Failure } from '../api/api'
import { Followed } from '../lib/live-query.svelte'

/** Milliseconds between two reads, because one cycle may emit several events. */
const PAUSE = 500

export class SyncList<Item> {
  readonly #read: () => Promise<Item[]>
  readonly #name: () => string | null
  readonly #followed = new Followed<Item[]>(PAUSE)

  /** `name` is null while there is nothing to read. */
  constructor(read: () => Promise<Item[]>, name: () => string | null) {
    this.#read = read
    this.#name = name
  }

  /** Items of the latest read; null until they are read. */
  get items(): readonly Item[] | null {
    const name = this.#name()
    return name === null ? null : this.#followed.value(name)
  }

  /** Reason why the latest read failed; null if it succeeded. */
  get failure(): Failure | null {
    return this.#name() === null ? null : this.#followed.failure
  }

  /** Keeps the items up to date until the returned function is called. */
  follow(): () => void {
    const name = this.#name()
    return name === null ? () => undefined : this.#followed.follow(name, this.#read)
  }

  /** Reads the items again if they are shown, and otherwise when they are shown next. */
  changed(): void {
    this.#followed.changed()
  }
}
