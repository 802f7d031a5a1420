// The order in which what waits will go on, and how a person changes it. [pure]
import type { Place, Registration } from '../api/api'

/** Less than 0 where `one` goes on before `other`; 0 where their ages decide. */
export function bySooner(one: Registration, other: Registration): number {
  return Number(other.urgent) - Number(one.urgent) || one.rank - other.rank
}

/** Where it goes when it is put into the gap before position `gap` of `ids`; null where it stands there already. */
export function putInto(ids: readonly string[], id: string, gap: number): Place | null {
  const position = ids.indexOf(id)
  if (position < 0 || gap < 0 || gap === position || gap === position + 1) return null
  const next = ids[gap]
  return next === undefined ? 'bottom' : { before: next }
}

/** The gap that is `steps` further down, or up where they are negative; no further than the ends. */
export function gapAfter(ids: readonly string[], id: string, steps: number): number {
  const position = ids.indexOf(id)
  // It stands between two gaps itself.
  const gap = steps > 0 ? position + 1 + steps : position + steps
  return Math.max(0, Math.min(ids.length, gap))
}
