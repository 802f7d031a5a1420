// Order of the waiting queue, and moves in the queue. [pure]
import type { Place, Registration } from '../../api/api'

/** Compares queue positions: negative if `one` runs before `other`; 0 if the older of the two runs first. */
export function bySooner(one: Registration, other: Registration): number {
  return Number(other.urgent) - Number(one.urgent) || one.rank - other.rank
}

/**
 * Place in the queue for the ids in `moved` when they are dropped before position `gap` of `ids`. The ids keep
 * their order. Null if the drop would change nothing.
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

/**
 * Gap that is `steps` positions below the row `id`, or above it if `steps` is negative. The result is limited to the
 * first and the last gap.
 */
export function gapAfter(ids: readonly string[], id: string, steps: number): number {
  const position = ids.indexOf(id)
  // A row lies between two gaps, so a move down skips one more gap.
  const gap = steps > 0 ? position + 1 + steps : position + steps
  return Math.max(0, Math.min(ids.length, gap))
}
