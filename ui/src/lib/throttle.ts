// Something that is asked for very often and done no more often than a person needs it.

export class Pace {
  readonly #gap: number
  readonly #act: () => void
  #last = -Infinity
  #isWaiting = false

  /** `act` at once where the last time is `gap` milliseconds ago, else as soon as it is. */
  constructor(gap: number, act: () => void) {
    this.#gap = gap
    this.#act = act
  }

  ask(): void {
    if (this.#isWaiting) return
    const left = this.#last + this.#gap - performance.now()
    if (left <= 0) this.#go()
    else {
      this.#isWaiting = true
      setTimeout(() => {
        this.#isWaiting = false
        this.#go()
      }, left)
    }
  }

  #go(): void {
    this.#last = performance.now()
    this.#act()
  }
}
