import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { Throttle } from '../../src/lib/throttle'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('frequent requests are limited in rate, and the last request still runs', () => {
  const done: number[] = []
  const begun = performance.now()
  const throttle = new Throttle(250, () => done.push(performance.now() - begun))
  for (let turn = 0; turn < 999; turn += 1) {
    throttle.ask()
    vi.advanceTimersByTime(1)
  }
  expect(done).toEqual([0, 250, 500, 750])
  vi.advanceTimersByTime(1000)
  expect(done, 'the last one is not forgotten, and nothing comes after it').toEqual([0, 250, 500, 750, 1000])
})

it('rare requests run immediately', () => {
  const act = vi.fn()
  const throttle = new Throttle(250, act)
  for (let turn = 1; turn <= 3; turn += 1) {
    throttle.ask()
    expect(act).toHaveBeenCalledTimes(turn)
    vi.advanceTimersByTime(250)
  }
})
