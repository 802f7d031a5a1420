// How fast a download went, second by second, and the picture of it. [pure]

/** Seconds that are remembered. */
export const KEPT = 300
/** A single second without news belongs to the one before it: news come four times a second, but not on the second. */
const LATE = 2
const WINDOWS = [60, 120, KEPT] as const

/** What is shown of a history. Speeds in bytes per second. */
export interface Shown {
  /** One for each second, the oldest first; null where nothing ran or nobody looked. */
  speeds: readonly (number | null)[]
  /** Null when it does not run. */
  current: number | null
  /** While it ran; null when nothing of that is known. */
  mean: number | null
  highest: number
}

/** The last minutes of one download. */
export class History {
  readonly #speeds = new Float64Array(KEPT)
  #first = 0
  /** The latest second that is written down; before the first, none. */
  #last: number | null = null
  #isRunning = false

  /** `at` in milliseconds of Unix time. */
  add(at: number, speed: number): void {
    this.#goTo(at)
    this.#speeds[this.#last! % KEPT] = speed
    this.#isRunning = true
  }

  /** It does not run any more. */
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
      // The first, or the clock was set back: what was before belongs to another time.
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

/** What stands at the top of an axis that holds `highest`: what people read at a glance, and whose half is such as well. */
export function topOf(highest: number): number {
  const least = Math.max(highest, 1000)
  const power = 10 ** Math.floor(Math.log10(least))
  return [1, 2, 4, 5, 10].map((step) => step * power).find((top) => top >= least) ?? 10 * power
}

export interface Outline {
  line: string
  area: string
}

/** SVG paths in a box of that size. A second in which nothing ran interrupts them. */
export function outline(speeds: readonly (number | null)[], top: number, width: number, height: number): Outline {
  const step = speeds.length > 1 ? width / (speeds.length - 1) : 0
  const x = (place: number) => round(place * step)
  const lines: string[] = []
  const areas: string[] = []
  let begun: number | null = null
  let points: string[] = []
  speeds.forEach((speed, place) => {
    if (speed !== null) {
      begun ??= place
      points.push(`${x(place)} ${round(height - (Math.min(speed, top) / top) * height)}`)
    }
    if (begun === null || (speed !== null && place < speeds.length - 1)) return
    const end = speed === null ? place - 1 : place
    // A lone second is a short stroke: a line from a point to itself cannot be seen.
    const stroke = points.length === 1 ? `${points[0]} h 1` : points.join(' L ')
    lines.push(`M ${stroke}`)
    areas.push(`M ${x(begun)} ${height} L ${points.join(' L ')} L ${x(end)} ${height} Z`)
    begun = null
    points = []
  })
  return { line: lines.join(' '), area: areas.join(' ') }
}

function secondOf(at: number): number {
  return Math.floor(at / 1000)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
