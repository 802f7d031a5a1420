// Lines of the list. Each registration has one line. If it is expanded, one line for each file follows. [pure]

export interface Opened {
  /** Position of this registration among all registrations. */
  position: number
  files: number
}

export interface Place {
  position: number
  /** Index of the file; null for the line of the registration itself. */
  file: number | null
}

export class Lines {
  readonly length: number
  readonly #opened: readonly (Opened & { line: number })[]

  /** `opened` must be in ascending order of position. */
  constructor(registrations: number, opened: readonly Opened[]) {
    let before = 0
    this.#opened = opened.map((one) => {
      const line = one.position + before
      before += one.files
      return { ...one, line }
    })
    this.length = registrations + before
  }

  at(line: number): Place {
    let below = 0
    let low = 0
    let high = this.#opened.length
    // Find the last expanded registration that starts at or above this line.
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#opened[middle]!.line <= line) low = middle + 1
      else high = middle
    }
    const above = this.#opened[low - 1]
    if (above === undefined) return { position: line, file: null }
    const into = line - above.line
    if (into === 0) return { position: above.position, file: null }
    if (into <= above.files) return { position: above.position, file: into - 1 }
    below = above.line + above.files
    return { position: above.position + (line - below), file: null }
  }

  /**
   * Returns how many registration lines and how many file lines are above `line`. If `line` is the total number of lines,
   * these are the totals.
   */
  before(line: number): { registrations: number; files: number } {
    const { position, file } = this.at(line)
    const registrations = file === null ? position : position + 1
    return { registrations, files: line - registrations }
  }

  /** Line of the registration at `position`. */
  lineOf(position: number): number {
    let before = 0
    for (const one of this.#opened) {
      if (one.position >= position) break
      before += one.files
    }
    return position + before
  }
}
