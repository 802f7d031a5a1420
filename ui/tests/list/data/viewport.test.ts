import { expect, it } from 'vitest'

import { type Extent, firstSeen, lineAt, sameLines, seen } from '../../../src/list/data/viewport'

/** Lines of 76 pixels; the second is expanded to two files of 40 pixels. */
const SIZES = [76, 76, 40, 40, 76]
const opened: Extent = { count: SIZES.length, startOf: (line) => SIZES.slice(0, line).reduce((sum, size) => sum + size, 0) }
const long: Extent = { count: 100_000, startOf: (line) => line * 76 }

it('the line at each pixel is found, or the nearest line outside the list', () => {
  const at = SIZES.flatMap((size, line) => new Array<number>(size).fill(line))
  expect(at.map((_, pixel) => lineAt(opened, pixel))).toEqual(at)
  expect([lineAt(opened, -5), lineAt(opened, 1e9)]).toEqual([0, 4])
  expect(lineAt({ count: 1, startOf: (line) => line * 76 }, 500)).toBe(0)
})

it('long list needs only a few position queries', () => {
  let asked = 0
  const counted: Extent = { ...long, startOf: (line) => (asked += 1) && long.startOf(line) }
  expect(seen(counted, 76 * 50_000, 700)).toEqual({ from: 49_994, to: 50_016 })
  expect(asked).toBeLessThan(50)
})

it('rendered range has extra lines and stays in bounds', () => {
  expect(seen(long, 0, 760)).toEqual({ from: 0, to: 17 })
  expect(seen(long, 76 * 100_000 - 760, 760)).toEqual({ from: 99_984, to: 100_000 })
  expect(seen(opened, 0, 10_000)).toEqual({ from: 0, to: 5 })
  expect(seen({ count: 0, startOf: () => 0 }, 0, 760)).toEqual({ from: 0, to: 0 })
  // The scroll position is stale, because the list has become shorter.
  expect(seen(opened, 1e9, 760)).toEqual({ from: 0, to: 5 })
})

it('the first visible line is determined from the rendered items', () => {
  const items = [
    { line: 3, start: 100, size: 40 },
    { line: 4, start: 140, size: 76 },
  ]
  expect([firstSeen(items, 0), firstSeen(items, 120), firstSeen(items, 140), firstSeen(items, 215)]).toEqual([
    { line: 3, hidden: -100 },
    { line: 3, hidden: 20 },
    { line: 4, hidden: 0 },
    { line: 4, hidden: 75 },
  ])
  expect([firstSeen(items, 216), firstSeen([], 0)]).toEqual([null, null])
})

it('an unchanged range of visible lines is recognised', () => {
  const items = [{ line: 3 }, { line: 4 }]
  expect([sameLines(items, 3, 5), sameLines(items, 2, 5), sameLines(items, 4, 6), sameLines([], 0, 0)]).toEqual([
    true,
    false,
    false,
    false,
  ])
})
