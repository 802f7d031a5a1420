import { expect, it } from 'vitest'

import type { Segments } from '../../src/api/api'
import { nextReading } from '../../src/details/connection-speeds'

const map = (index: number, ...fetching: [number, number][]): Segments => ({ index, size: 1000, there: [], fetching })

/** Speeds after these maps, which arrive one second apart. */
function speedsAfter(...readings: Segments[][]): (number | null)[] {
  let last: ReturnType<typeof nextReading> | null = null
  readings.forEach((maps, second) => (last = nextReading(last, maps, second * 1000)))
  return last!.connections.map(({ speed }) => speed)
}

it('the speed of a connection is unknown until two updates contain it', () => {
  expect(speedsAfter([map(0, [0, 500], [500, 1000])])).toEqual([null, null])
  expect(speedsAfter([map(0, [0, 500], [500, 1000])], [map(0, [100, 500], [530, 1000])])).toEqual([100, 30])
})

it('a divided range keeps the speed of its connection, and the new connection has none', () => {
  expect(speedsAfter([map(0, [0, 1000])], [map(0, [100, 600], [600, 1000])])).toEqual([100, null])
})

it('connections of several files are told apart, and the order of the ranges does not matter', () => {
  const first = [map(0, [500, 1000], [0, 500]), map(1, [0, 1000])]
  expect(speedsAfter(first, [map(0, [540, 1000], [20, 500]), map(1, [7, 1000])])).toEqual([20, 40, 7])
})

it('the speed is smoothed, and a connection that receives nothing slows down', () => {
  const [speed] = speedsAfter([map(0, [0, 1000])], [map(0, [100, 1000])], [map(0, [100, 1000])])
  expect(speed).toBeCloseTo(60)
})

it('maps that are too close together or too far apart are not compared', () => {
  const first = nextReading(null, [map(0, [0, 1000])], 0)
  expect(nextReading(first, [map(0, [50, 1000])], 100)).toBe(first)
  expect(nextReading(first, [map(0, [50, 1000])], 60_000).connections[0]?.speed).toBeNull()
  expect(nextReading(first, [], 1000).connections).toEqual([])
})
