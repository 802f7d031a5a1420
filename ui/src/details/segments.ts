// The parts of a file as a bar that shows where they lie. [pure]
import type { Segments } from '../api/api'

/** Equal neighbours in one: from where to where, in parts, and how much of it is there, from 0 to 1. */
export interface Run {
  start: number
  length: number
  there: number
}

/** What is there, without the parts of which nothing is. */
export function runsOf({ there }: Segments): Run[] {
  const runs: Run[] = []
  there.forEach((percent, part) => {
    const last = runs.at(-1)
    if (last !== undefined && last.start + last.length === part && last.there === percent / 100) last.length += 1
    else if (percent > 0) runs.push({ start: part, length: 1, there: percent / 100 })
  })
  return runs
}

/** Where connections are at work, in parts. */
export function workOf({ size, there, fetching }: Segments): { start: number; length: number }[] {
  const scale = size > 0 ? there.length / size : 0
  return fetching.map(([at, end]) => ({ start: at * scale, length: (end - at) * scale }))
}

/** It says more than a bar that grows from one end. */
export function isScattered({ there, fetching }: Segments): boolean {
  const gap = there.findIndex((percent) => percent < 100)
  return fetching.length > 1 || (gap >= 0 && there.slice(gap + 1).some((percent) => percent > 0))
}
