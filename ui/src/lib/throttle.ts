// Limits the rate of an action that is requested very often.

export class Pace {
  readonly #gap: number
  readonly #act: () => void
  #last = -Infinity
  #isWaiting = false

  /** Runs `act` immediately if its last run is `gap` milliseconds ago, else as soon as it is. */
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
