import { describe, expect, it } from 'vitest'

import { arrangeNames, arrangeNumbers } from '../../../src/list/data/radix-sort'

// Fixed seed, so that a failure can be reproduced.
let seed = 11
const chance = (below: number): number => (seed = (seed * 48271) % 2147483647) % below

/** Reference order, computed by a stable comparison sort. */
function expected<Key extends string | number>(keys: readonly Key[]): number[] {
  const positions = keys.map((_, position) => position)
  return positions.sort((one, other) => (keys[one]! < keys[other]! ? -1 : Number(keys[one]! > keys[other]!)))
}

describe('radix sort', () => {
  it('radix sort orders numbers', () => {
    for (const size of [0, 1, 2, 1000]) {
      const keys = Array.from({ length: size }, () => (chance(2) === 0 ? -1 : 1) * (chance(40) / 8 + chance(2) * 1e12) + 0)
      expect([...arrangeNumbers(Float64Array.from(keys))]).toEqual(expected(keys))
    }
  })

  it('radix sort orders names of any length and script, also with a common prefix', () => {
    const letters = ['a', 'b', '0', '9', ' ', '\u00ff', '\u0100', '水', '😀', '\uffff']
    for (const [size, length, number] of [
      [0, 1, 2],
      [1, 3, 2],
      [24, 4, 3],
      [25, 4, 3],
      [3000, 3, 4],
      [3000, 9, 2],
      [3000, 20, 1],
      [3000, 6, 10],
      [3000, 2, 6],
    ] as const) {
      const word = (): string => Array.from({ length: chance(length + 1) }, () => letters[chance(number)]!).join('')
      const names = Array.from({ length: size }, () => `${chance(3) === 0 ? 'the same for long: ' : ''}${word()}`)
      expect([...arrangeNames(names)], `${size} of ${length}`).toEqual(expected(names))
    }
  })
})
