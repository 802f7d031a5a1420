import { describe, expect, it } from 'vitest'

import { isScattered, runsOf, workOf } from '../../src/details/segments'

const map = (there: number[], fetching: [number, number][] = []) => ({ index: 0, size: 1000, there, fetching })

describe('the map of a file', () => {
  it('draws equal neighbours as one, and nothing where nothing is', () => {
    expect(runsOf(map([100, 100, 50, 0, 100]))).toEqual([
      { start: 0, length: 2, there: 1 },
      { start: 2, length: 1, there: 0.5 },
      { start: 4, length: 1, there: 1 },
    ])
    expect(runsOf(map([0, 0]))).toEqual([])
  })

  it('puts connections where their bytes go', () => {
    expect(
      workOf(
        map(
          [100, 0, 0, 0],
          [
            [250, 500],
            [900, 1000],
          ],
        ),
      ),
    ).toEqual([
      { start: 1, length: 1 },
      { start: expect.closeTo(3.6), length: expect.closeTo(0.4) },
    ])
    expect(workOf({ index: 0, size: 0, there: [], fetching: [] })).toEqual([])
  })

  it('says more than a bar only where something lies beyond a gap, or several are at work', () => {
    expect(isScattered(map([100, 40, 0], [[400, 1000]]))).toBe(false)
    expect(isScattered(map([100, 100], []))).toBe(false)
    expect(isScattered(map([100, 0, 3], [[500, 1000]]))).toBe(true)
    expect(
      isScattered(
        map(
          [0, 0],
          [
            [0, 500],
            [500, 1000],
          ],
        ),
      ),
    ).toBe(true)
  })
})
