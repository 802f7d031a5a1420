// Search index that joins many texts into one. A single pass finds all matches, instead of a separate check of each of
// 100,000 texts. [pure]

/** Separator between texts; users cannot type this character. */
const BETWEEN = '\0'

export class Haystack {
  readonly #text: string
  /** Positions at which the texts start, followed by the position at which the last text ends. */
  readonly #starts: Uint32Array
  /** Reused result buffer: a new array of 100,000 places per keystroke would become garbage and delay the next keystroke. */
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
   * Places of the texts that contain `word`, in ascending order. `word` must not be empty. The caller may
   * overwrite the result; the next call reuses its memory.
   */
  find(word: string): Uint32Array {
    const [text, starts, places] = [this.#text, this.#starts, this.#places]
    let count = 0
    let place = 0
    // A word that contains the separator cannot match.
    let at = word.includes(BETWEEN) ? -1 : text.indexOf(word)
    for (; at >= 0; at = text.indexOf(word, starts[place])) {
      while (starts[place + 1]! <= at) place += 1
      places[count++] = place
      place += 1
    }
    return places.subarray(0, count)
  }
}
