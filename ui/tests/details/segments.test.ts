import { describe, expect, it } from 'vitest'

import { isScattered, runsOf, workOf } from '../../src/details/segments'

const map = (there: number[], fetching: [number, number][] = []) => ({ index: 0, size: 1000, there, fetching })

describe('the segment map', () => {
  it('the segment map merges equal neighbours and skips empty segments', () => {
    expect(runsOf(map([100, 100, 50, 0, 100]))).toEqual([
      { start: 0, length: 2, there: 1 },
      { start: 2, length: 1, there: 0.5 },
      { start: 4, length: 1, there: 1 },
    ])
    expect(runsOf(map([0, 0]))).toEqual([])
  })

  it('the segment map places connections by the byte range they fetch', () => {
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

  it('the segment map is shown for scattered bytes or several connections', () => {
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
