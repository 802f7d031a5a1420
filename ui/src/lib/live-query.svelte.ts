// Engine value that is read while the page watches it. The value is read again after events that may have changed it.
//
// The value is never polled. The rate of reads is limited, and without a watcher there are no reads.
import { Failure } from '../api/api'

export class Followed<Value> {
  #held = $state.raw<{ name: string; value: Value } | null>(null)
  failure = $state.raw<Failure | null>(null)
  readonly #pause: number
  #read: (() => Promise<Value>) | null = null
  #name = ''
  #watchers = 0
  #isReading = false
  #isStale = false
  #readAt = -Infinity
  #timer: ReturnType<typeof setTimeout> | null = null

  /** `pause` is the minimum time between two reads, in milliseconds. */
  constructor(pause: number) {
    this.#pause = pause
  }

  /** Value of the latest read, if that read was for `name`; otherwise null. */
  value(name: string): Value | null {
    return this.#held?.name === name ? this.#held.value : null
  }

  /** Watches `name` until the returned function is called. If `name` is new, reads its value immediately. */
  follow(name: string, read: () => Promise<Value>): () => void {
    this.#watchers += 1
    this.#read = read
    if (this.#name !== name) {
      this.#name = name
      this.failure = null
      this.#readAt = -Infinity
      if (this.#timer !== null) clearTimeout(this.#timer)
      this.#timer = null
    }
    this.changed()
    return () => (this.#watchers -= 1)
  }

  /** Marks the value as stale; a watched value is read again. */
  changed(): void {
    this.#isStale = true
    if (this.#watchers === 0 || this.#isReading || this.#timer !== null) return
    const wait = this.#readAt + this.#pause - performance.now()
    this.#timer = setTimeout(
      () => {
        this.#timer = null
        if (this.#watchers > 0 && this.#isStale && !this.#isReading) void this.#readNow()
      },
      Math.max(0, wait),
    )
  }

  async #readNow(): Promise<void> {
    const name = this.#name
    this.#isStale = false
    this.#isReading = true
    try {
      const value = await this.#read!()
      if (name === this.#name) {
        this.#held = { name, value }
        this.failure = null
      }
    } catch (thrown) {
      // Report the failure. The next event triggers another read.
      if (name === this.#name) this.failure = Failure.of(thrown)
    } finally {
      this.#isReading = false
      this.#readAt = name === this.#name ? performance.now() : -Infinity
      if (this.#isStale || name !== this.#name) this.changed()
    }
  }
}
