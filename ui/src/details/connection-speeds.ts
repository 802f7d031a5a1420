// Speed of each connection of a download, computed from successive segment maps. [pure]
//
// The engine reports where each connection is in the file, and no speeds. A connection is recognised by its range: it goes on
// within the range that it had before. If a range is divided, the new connection has the later part.
import type { Segments } from '../api/api'

export interface Connection {
  /** Index of the file. */
  file: number
  /** Next byte of the connection, and end of its range (exclusive). */
  at: number
  end: number
  /** Bytes per second, smoothed; null until two updates contain the connection. */
  speed: number | null
}

export interface ConnectionReading {
  /** Time of the map, in milliseconds. */
  time: number
  connections: readonly Connection[]
}

/** Minimum time between two maps that are compared, in milliseconds. In a shorter time, too few bytes arrive. */
const LEAST = 300
/** Maximum time between two maps that are compared, in milliseconds. */
const MOST = 10_000
/** Weight of the latest speed in the smoothed speed. */
const WEIGHT = 0.4

/** Returns the connections of `maps`, with their speeds since `before`. Returns `before` itself if it is too recent. */
export function nextReading(before: ConnectionReading | null, maps: readonly Segments[], time: number): ConnectionReading {
  const elapsed = before === null ? Infinity : time - before.time
  if (before !== null && elapsed >= 0 && elapsed < LEAST) return before
  const known = elapsed >= 0 && elapsed <= MOST ? before!.connections : []
  const connections = maps.flatMap(({ index: file, fetching }) => {
    const sorted = [...fetching].sort(([one], [other]) => one - other)
    const earlier = new Set(known.filter((one) => one.file === file))
    return sorted.map(([at, end]): Connection => {
      const same = [...earlier].find((one) => one.at <= at && at <= one.end)
      if (same === undefined) return { file, at, end, speed: null }
      // Each earlier connection goes on only once, in the first of the ranges.
      earlier.delete(same)
      const latest = ((at - same.at) * 1000) / elapsed
      return { file, at, end, speed: same.speed === null ? latest : same.speed + (latest - same.speed) * WEIGHT }
    })
  })
  return { time, connections }
}
