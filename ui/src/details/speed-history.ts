// Speed history of a download in steps of one second. [pure]

/** Number of seconds for which the history is kept. */
export const KEPT = 300
/**
 * Seconds without an event after which the speed counts as 0. Events are not aligned to seconds, so a gap of one
 * second is normal.
 */
const LATE = 2
const WINDOWS = [60, 120, KEPT] as const

/** Visible part of a history. Speeds in bytes per second. */
export interface Shown {
  /** Speed of each second, oldest first; null if no download was running or the page was not open. */
  speeds: readonly (number | null)[]
  /** Current speed; null if the download does not run. */
  current: number | null
  /** Mean speed over the seconds in which the download ran; null if no such second is known. */
  mean: number | null
  highest: number
}

/** Speed history of the last minutes. */
export class History {
  readonly #speeds = new Float64Array(KEPT)
  #first = 0
  /** Latest recorded second; null before the first record. */
  #last: number | null = null
  #isRunning = false

  /** Records a speed. `at` is in milliseconds of Unix time. */
  add(at: number, speed: number): void {
    this.#goTo(at)
    this.#speeds[this.#last! % KEPT] = speed
    this.#isRunning = true
  }

  /** Ends the current run of the download, after which the history has a gap. */
  stop(at: number): void {
    if (this.#last === null || !this.#isRunning) return
    this.#goTo(at)
    this.#isRunning = false
  }

  shown(at: number): Shown {
    const now = secondOf(at)
    const age = this.#last === null ? 0 : now - this.#first + 1
    const length = WINDOWS.find((window) => window >= age) ?? KEPT
    const speeds = Array.from({ length }, (_, place) => this.#at(now - length + 1 + place))
    const known = speeds.filter((speed) => speed !== null)
    return {
      speeds,
      current: this.#isRunning ? (speeds.at(-1) ?? 0) : null,
      mean: known.length === 0 ? null : known.reduce((sum, speed) => sum + speed, 0) / known.length,
      highest: Math.max(0, ...known),
    }
  }

  #goTo(at: number): void {
    const second = secondOf(at)
    if (this.#last === null || second < this.#last - LATE) {
      // Start a new history: there is no value yet, or the clock was set back and the old history no longer fits.
      this.#first = this.#last = second
      this.#speeds[second % KEPT] = 0
      return
    }
    for (let next = Math.max(this.#last + 1, second - KEPT + 1); next <= second; next += 1) {
      this.#speeds[next % KEPT] = this.#at(next) ?? Number.NaN
    }
    this.#last = Math.max(this.#last, second)
  }

  #at(second: number): number | null {
    const last = this.#last
    if (last === null || second < this.#first || second <= last - KEPT) return null
    if (second > last) {
      if (!this.#isRunning) return null
      return second - last < LATE ? (this.#speeds[last % KEPT] ?? 0) : 0
    }
    const speed = this.#speeds[second % KEPT]!
    return Number.isNaN(speed) ? null : speed
  }
}

function secondOf(at: number): number {
  return Math.floor(at / 1000)
}
