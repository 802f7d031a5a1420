// A value in the storage of the extension, changed by one writer at a time.
//
// - The worker, the popup and the settings page change the same values. Each change therefore holds a lock of the
//   browser.
// - A service worker can end at any time, so every change is written before the promise resolves.
import type { StorageArea } from './api'

/** Locks that all pages and workers of the extension share. Undefined in browsers without such locks. */
const locksOf = ({ navigator }: { navigator?: { locks?: LockManager } }): LockManager | undefined => navigator?.locks

export class Stored<Value> {
  readonly #area: StorageArea
  readonly #key: string
  readonly #read: (stored: unknown) => Value
  #last: Promise<unknown> = Promise.resolve()

  /** `read` must accept any stored value, including a value of an older version and a missing value. */
  constructor(area: StorageArea, key: string, read: (stored: unknown) => Value) {
    this.#area = area
    this.#key = key
    this.#read = read
  }

  async get(): Promise<Value> {
    const stored = await this.#area.get(this.#key)
    return this.#read(stored[this.#key])
  }

  /** Writes the result of `change`, and returns it. Writes nothing if `change` returns the same value. */
  update(change: (value: Value) => Value): Promise<Value> {
    const write = async (): Promise<Value> => {
      const before = await this.get()
      const after = change(before)
      if (after !== before) await this.#area.set({ [this.#key]: after })
      return after
    }
    const locks = locksOf(globalThis)
    const next = this.#last.then(() => (locks === undefined ? write() : locks.request(`stored/${this.#key}`, write)))
    // A failed write must not block later writes.
    this.#last = next.catch(() => undefined)
    return next
  }
}
