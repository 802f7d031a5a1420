import { describe, expect, it } from 'vitest'

import { History, KEPT } from '../../src/details/speed-history'

const S = 1000

describe('a speed history', () => {
  it('a speed history has one value per second from the first value on', () => {
    const history = new History()
    history.add(100 * S + 10, 5)
    history.add(100 * S + 900, 7)
    history.add(101 * S, 9)
    const { speeds, current, mean, highest } = history.shown(101 * S + 500)
    expect(speeds.length).toBe(60)
    expect(speeds.slice(-3)).toEqual([null, 7, 9])
    expect({ current, mean, highest }).toEqual({ current: 9, mean: 8, highest: 9 })
  })

  it('in a gap of the speed history, the first second repeats the last speed and the rest are 0', () => {
    const history = new History()
    history.add(10 * S, 4)
    history.add(12 * S, 6)
    expect(history.shown(12 * S).speeds.slice(-3)).toEqual([4, 4, 6])
    expect(history.shown(16 * S).speeds.slice(-5)).toEqual([6, 6, 0, 0, 0])
    expect(history.shown(16 * S).current).toBe(0)
  })

  it('the mean speed excludes the gap in which a download is stopped', () => {
    const history = new History()
    history.add(10 * S, 4)
    history.stop(11 * S)
    expect(history.shown(20 * S)).toMatchObject({ current: null, mean: 4, highest: 4 })
    history.add(20 * S, 8)
    const { speeds, mean } = history.shown(20 * S)
    expect(speeds.slice(-4)).toEqual([null, null, null, 8])
    expect(speeds.slice(-11, -8)).toEqual([4, 4, null])
    expect(mean).toBeCloseTo(16 / 3)
  })

  it('a speed history shows one, two or five minutes and discards older values', () => {
    const history = new History()
    for (let second = 0; second < 1000; second += 1) {
      history.add(second * S, second)
      const { speeds } = history.shown(second * S)
      expect(speeds.length).toBe(second < 60 ? 60 : second < 120 ? 120 : KEPT)
      expect(speeds.at(-1)).toBe(second)
    }
    expect(history.shown(999 * S).speeds).toEqual(Array.from({ length: KEPT }, (_, place) => 700 + place))
    // A long pause discards all old values.
    history.stop(1000 * S)
    expect(history.shown(9999 * S)).toMatchObject({ mean: null, highest: 0 })
    history.add(20_000 * S, 3)
    expect(history.shown(20_000 * S).mean).toBe(3)
  })

  it('a speed history starts again when the clock is set back', () => {
    const history = new History()
    history.add(5000 * S, 9)
    history.add(100 * S, 2)
    expect(history.shown(100 * S)).toMatchObject({ current: 2, mean: 2, highest: 2 })
  })
})
