// The words of many things as one text: which of them have a word is found in one go through it, without a look at each of
// 100,000. [pure]

/** Between two of them: no key gives it. */
const BETWEEN = '\0'

export class Haystack {
  readonly #text: string
  /** Where each of them begins in the text; and where one more would. */
  readonly #starts: Uint32Array
  /** What was found last. Lists of 100,000 places, one for each key, are garbage that delays the next one. */
  readonly #places: Uint32Array

  constructor(texts: readonly string[]) {
    this.#text = texts.join(BETWEEN)
    this.#starts = new Uint32Array(texts.length + 1)
    let start = 0
    for (let place = 0; place < texts.length; place += 1) {
      this.#starts[place] = start
      start += texts[place]!.length + BETWEEN.length
    }
    this.#starts[texts.length] = start
    this.#places = new Uint32Array(texts.length)
  }

  /**
   * The places of those that have `word`, which is not empty, in their order. Whoever asks may write into them; they are theirs
   * until somebody asks again.
   */
  find(word: string): Uint32Array {
    const [text, starts, places] = [this.#text, this.#starts, this.#places]
    let count = 0
    let place = 0
    // What none of them can have is not looked for.
    let at = word.includes(BETWEEN) ? -1 : text.indexOf(word)
    for (; at >= 0; at = text.indexOf(word, starts[place])) {
      while (starts[place + 1]! <= at) place += 1
      places[count++] = place
      place += 1
    }
    return places.subarray(0, count)
  }
}
