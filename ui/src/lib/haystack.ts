// The words of many things as one text: which of them have a word is found in one go through it, without a look at each of
// 100,000. [pure]

/** Between two of them: no key gives it. */
const BETWEEN = '\0'

export class Haystack {
  readonly #text: string
  /** Where each of them begins in the text; and where one more would. */
  readonly #starts: Uint32Array

  constructor(texts: readonly string[]) {
    this.#text = texts.join(BETWEEN)
    this.#starts = new Uint32Array(texts.length + 1)
    let start = 0
    for (let place = 0; place < texts.length; place += 1) {
      this.#starts[place] = start
      start += texts[place]!.length + BETWEEN.length
    }
    this.#starts[texts.length] = start
  }

  /** The places of those that have `word`, which is not empty, in their order. */
  find(word: string): number[] {
    const places: number[] = []
    if (word.includes(BETWEEN)) return places
    const [text, starts] = [this.#text, this.#starts]
    let place = 0
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, starts[place])) {
      while (starts[place + 1]! <= at) place += 1
      places.push(place)
      place += 1
    }
    return places
  }
}
