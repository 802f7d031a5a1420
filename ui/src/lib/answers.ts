// Answers to a search while it is being typed: a longer one is looked for in what a shorter one found, and of a letter that
// is taken back the answer is there already. [pure]

export class Answers<Found> {
  #ground: readonly unknown[] = []
  /** From the fewest letters to the most, each within the one before. */
  #known: { wanted: string; found: Found }[] = []

  /**
   * What is found for `wanted` in `ground`, which is another one when any of its parts is. `look` is asked where that is not
   * known, and is given the nearest answer that has all of it, null where there is none.
   */
  find(ground: readonly unknown[], wanted: string, look: (within: Found | null) => Found): Found {
    if (!isSame(this.#ground, ground)) this.forget()
    this.#ground = ground
    const end = this.#known.findIndex((answer) => !wanted.startsWith(answer.wanted))
    if (end >= 0) this.#known.length = end
    const nearest = this.#known.at(-1)
    if (nearest?.wanted === wanted) return nearest.found
    const found = look(nearest?.found ?? null)
    this.#known.push({ wanted, found })
    return found
  }

  forget(): void {
    this.#known = []
  }
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((part, place) => part === other[place])
}
