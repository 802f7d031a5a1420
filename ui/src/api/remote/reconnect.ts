// State of the connection to the server, and the time of the next attempt. [pure]
import type { RemoteState } from './remote-access'

/** Wait before the first retry, in milliseconds; each further failure doubles it. */
const FIRST_WAIT = 500
/** Longest wait, in milliseconds. */
const LONGEST_WAIT = 30_000
/** Code with which the server closes a socket whose session is not valid. */
export const SESSION_LOST = 4401

export type RemoteChange =
  | { readonly type: 'opened' }
  | { readonly type: 'closed'; readonly code: number }
  /** The wait is over, or the user or the network demands a connection. */
  | { readonly type: 'due' }
  /** The page is hidden, and no call is pending. */
  | { readonly type: 'rested' }
  | { readonly type: 'signed-in' }
  | { readonly type: 'signed-out' }

/** Time of the change, and a random number from 0 to 1. */
export interface Chance {
  readonly now: number
  readonly random: number
}

/** Milliseconds to wait after so many failed attempts: a random time between half of the full wait and the full wait. */
export function waitAfter(attempts: number, random: number): number {
  const whole = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.max(0, attempts - 1))
  return Math.round(whole / 2 + (whole / 2) * random)
}

/** State after a change. A change that does not apply to the state has no effect. */
export function stateAfter(state: RemoteState, change: RemoteChange, { now, random }: Chance): RemoteState {
  switch (change.type) {
    case 'signed-out':
      return { phase: 'signed-out' }
    case 'signed-in':
      return { phase: 'connecting', attempts: 0 }
    case 'opened':
      return state.phase === 'connecting' ? { phase: 'open' } : state
    case 'rested':
      return state.phase === 'open' ? { phase: 'resting' } : state
    case 'due':
      if (state.phase === 'waiting') return { phase: 'connecting', attempts: state.attempts }
      return state.phase === 'resting' ? { phase: 'connecting', attempts: 0 } : state
    case 'closed': {
      if (state.phase !== 'connecting' && state.phase !== 'open') return state
      if (change.code === SESSION_LOST) return { phase: 'signed-out' }
      const attempts = state.phase === 'connecting' ? state.attempts + 1 : 1
      return { phase: 'waiting', attempts, due: now + waitAfter(attempts, random) }
    }
  }
}
