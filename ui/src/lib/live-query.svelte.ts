// What the engine knows of one thing, read when somebody looks at it and again when an event says that it may have changed;
// never by the clock, and not more often than anybody can read. What nobody looks at is not asked for.
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

  /** Milliseconds between two readings, at least. */
  constructor(pause: number) {
    this.#pause = pause
  }

  /** As it was last read; null before, and for another one than is followed. */
  value(name: string): Value | null {
    return this.#held?.name === name ? this.#held.value : null
  }

  /** Somebody looks at it, until the returned function is called. Another name is another thing, and is read at once. */
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

  /** It may be another now. */
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
      // The next event asks again.
      if (name === this.#name) this.failure = Failure.of(thrown)
    } finally {
      this.#isReading = false
      this.#readAt = name === this.#name ? performance.now() : -Infinity
      if (this.#isStale || name !== this.#name) this.changed()
    }
  }
}
