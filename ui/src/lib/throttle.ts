// Limits the rate of an action that is requested very often.

export class Throttle {
  readonly #gap: number
  readonly #act: () => void
  #last = -Infinity
  #isWaiting = false

  /** Limits `act` to one run per `gap` milliseconds. Requests within this time cause one run at the end of this time. */
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
