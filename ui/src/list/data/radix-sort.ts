// Radix sort for 100,000 keys within a frame or two. [pure]
//
// The native sort compares pairs of rows, which took four times as long for names. The radix sort processes the bytes
// of the keys, last byte first. Names are processed as numbers, six characters at a time. The sort is stable.

/** Size up to which insertion sort is faster. */
const FEW = 24
const BYTES = 8

/** Positions of `keys` in ascending order. `keys` must not contain -0. */
export function arrangeNumbers(keys: Float64Array): Uint32Array {
  const size = keys.length
  const words = ascending(keys)
  const counts = new Uint32Array(256)
  let order = counted(size)
  let next = new Uint32Array(size)
  for (let byte = 0; byte < BYTES; byte += 1) {
    const half = byte >> 2
    const shift = (byte & 3) * 8
    counts.fill(0)
    for (let place = 0; place < size; place += 1) counts[(words[2 * place + half]! >>> shift) & 255]! += 1
    // Skip this byte if it has the same value in all keys.
    if (size === 0 || counts[(words[half]! >>> shift) & 255] === size) continue
    for (let digit = 0, before = 0; digit < 256; digit += 1) {
      const count = counts[digit]!
      counts[digit] = before
      before += count
    }
    for (let place = 0; place < size; place += 1) {
      const position = order[place]!
      const digit = (words[2 * position + half]! >>> shift) & 255
      next[counts[digit]!] = position
      counts[digit]! += 1
    }
    const past = order
    order = next
    next = past
  }
  return order
}

/**
 * Bytes of the numbers, transformed so that they sort like the numbers. Lower word first, as on every
 * little-endian machine.
 */
function ascending(keys: Float64Array): Uint32Array {
  const words = new Uint32Array(keys.slice().buffer)
  for (let lower = 0; lower < words.length; lower += 2) {
    const upper = lower + 1
    if (words[upper]! >>> 31 === 0) words[upper]! ^= 0x80000000
    else {
      words[lower] = ~words[lower]!
      words[upper] = ~words[upper]!
    }
  }
  return words
}

function counted(size: number): Uint32Array<ArrayBuffer> {
  const order = new Uint32Array(size)
  for (let place = 0; place < size; place += 1) order[place] = place
  return order
}

/** Positions of `names` in ascending order of UTF-16 code units. Names must not contain U+0000. */
export function arrangeNames(names: readonly string[]): Uint32Array {
  const order = counted(names.length)
  /** Unfinished parts of `order`. In each part, the names have the same characters before position `letter`. */
  const runs = [{ from: 0, to: names.length, letter: 0 }]
  for (let run = runs.pop(); run !== undefined; run = runs.pop()) {
    const { from, to, letter } = run
    if (to - from <= FEW) {
      insertEach(order, names, from, to)
      continue
    }
    const positions = order.slice(from, to)
    const { keys, letters } = read(names, positions, letter)
    const arranged = arrangeNumbers(keys)
    let begun = 0
    for (let place = 0; place < arranged.length; place += 1) {
      const key = keys[arranged[place]!]!
      order[from + place] = positions[arranged[place]!]!
      if (place + 1 < arranged.length && keys[arranged[place + 1]!] === key) continue
      const isAtEnd = key % (letters === NARROW ? 0x100 : 0x10000) === 0
      if (place > begun && !isAtEnd) runs.push({ from: from + begun, to: from + place + 1, letter: letter + letters })
      begun = place + 1
    }
  }
  return order
}

/** Number of characters that fit exactly into one number: `NARROW` for characters of 8 bits, `WIDE` for 16 bits. */
const NARROW = 6
const WIDE = 3

/** Converts the characters of each name from `letter` on to a number. A missing character counts as 0. */
function read(names: readonly string[], positions: Uint32Array, letter: number): { keys: Float64Array; letters: number } {
  const keys = new Float64Array(positions.length)
  for (const letters of [NARROW, WIDE]) {
    const base = letters === NARROW ? 0x100 : 0x10000
    let isRead = true
    for (let place = 0; isRead && place < positions.length; place += 1) {
      const name = names[positions[place]!]!
      let key = 0
      for (let at = letter; at < letter + letters; at += 1) {
        const code = at < name.length ? name.charCodeAt(at) : 0
        isRead &&= code < base
        key = key * base + code
      }
      keys[place] = key
    }
    if (isRead) return { keys, letters }
  }
  return { keys, letters: WIDE }
}

/** Insertion sort of a short run. */
function insertEach(order: Uint32Array, names: readonly string[], from: number, to: number): void {
  for (let place = from + 1; place < to; place += 1) {
    const position = order[place]!
    const name = names[position]!
    let gap = place
    for (; gap > from && names[order[gap - 1]!]! > name; gap -= 1) order[gap] = order[gap - 1]!
    order[gap] = position
  }
}
