// Converts the segments of a file to the shapes of a bar. [pure]
import type { Segments } from '../api/api'

/** Run of equal segments: start and length in segments, and the share that is present, from 0 to 1. */
export interface Run {
  start: number
  length: number
  there: number
}

/** Returns the runs of segments that have any received bytes. */
export function runsOf({ there }: Segments): Run[] {
  const runs: Run[] = []
  there.forEach((percent, part) => {
    const last = runs.at(-1)
    if (last !== undefined && last.start + last.length === part && last.there === percent / 100) last.length += 1
    else if (percent > 0) runs.push({ start: part, length: 1, there: percent / 100 })
  })
  return runs
}

/** Ranges that connections are fetching, in units of segments. */
export function workOf({ size, there, fetching }: Segments): { start: number; length: number }[] {
  const scale = size > 0 ? there.length / size : 0
  return fetching.map(([at, end]) => ({ start: at * scale, length: (end - at) * scale }))
}

/** Whether a segment map shows more than a bar that grows from one end. */
export function isScattered({ there, fetching }: Segments): boolean {
  const gap = there.findIndex((percent) => percent < 100)
  return fetching.length > 1 || (gap >= 0 && there.slice(gap + 1).some((percent) => percent > 0))
}
