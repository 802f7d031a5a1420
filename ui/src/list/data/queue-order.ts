// The order in which what waits will go on, and how a person changes it. [pure]
import type { Place, Registration } from '../../api/api'

/** Less than 0 where `one` goes on before `other`; 0 where their ages decide. */
export function bySooner(one: Registration, other: Registration): number {
  return Number(other.urgent) - Number(one.urgent) || one.rank - other.rank
}

/**
 * Where those `moved` of `ids`, in the same order, go one after the other when they are put into the gap before position `gap`;
 * null where they stand there already.
 */
export function putInto(ids: readonly string[], moved: readonly string[], gap: number): Place | null {
  const positions = moved.map((id) => ids.indexOf(id))
  const first = positions[0]
  if (first === undefined || positions.includes(-1) || gap < 0) return null
  const isTogether = positions.every((position, place) => position === first + place)
  if (isTogether && gap >= first && gap <= first + moved.length) return null
  const goes = new Set(moved)
  const next = ids.slice(gap).find((id) => !goes.has(id))
  return next === undefined ? 'bottom' : { before: next }
}

/** The gap that is `steps` further down, or up where they are negative; no further than the ends. */
export function gapAfter(ids: readonly string[], id: string, steps: number): number {
  const position = ids.indexOf(id)
  // It stands between two gaps itself.
  const gap = steps > 0 ? position + 1 + steps : position + steps
  return Math.max(0, Math.min(ids.length, gap))
}
