import { describe, expect, it } from 'vitest'

import { type RemoteChange, SESSION_LOST, stateAfter, waitAfter } from '../../src/api/remote/reconnect'
import type { RemoteState } from '../../src/api/remote/remote-access'

const after = (state: RemoteState, change: RemoteChange): RemoteState => stateAfter(state, change, { now: 1000, random: 1 })
const closed = (code = 1006): RemoteChange => ({ type: 'closed', code })
const OPEN: RemoteState = { phase: 'open' }
const RESTING: RemoteState = { phase: 'resting' }
const SIGNED_OUT: RemoteState = { phase: 'signed-out' }
const WAITING: RemoteState = { phase: 'waiting', attempts: 3, due: 5000 }

describe('the wait before the next attempt', () => {
  it('the wait before the next attempt doubles from half a second to half a minute', () => {
    const longest = [1, 2, 3, 4, 5, 6, 7, 8, 100].map((attempts) => waitAfter(attempts, 1))
    expect(longest).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
  })

  it('the random wait before the next attempt is at least half of the longest possible wait', () => {
    expect([waitAfter(3, 0), waitAfter(3, 0.5), waitAfter(3, 1)]).toEqual([1000, 1500, 2000])
    expect(waitAfter(0, 0)).toBe(250)
  })
})

describe('the state of the connection', () => {
  it('the connection waits after a loss, and longer after each failed attempt', () => {
    const first = after(OPEN, closed())
    expect(first).toEqual({ phase: 'waiting', attempts: 1, due: 1500 })
    const again = after(first, { type: 'due' })
    expect(again).toEqual({ phase: 'connecting', attempts: 1 })
    expect(after(again, closed())).toEqual({ phase: 'waiting', attempts: 2, due: 2000 })
  })

  it('the connection forgets failed attempts as soon as it is open', () => {
    expect(after({ phase: 'connecting', attempts: 7 }, { type: 'opened' })).toEqual(OPEN)
    expect(after(OPEN, closed())).toMatchObject({ attempts: 1 })
  })

  it('the connection is signed out after a lost session, and stays signed out until a sign-in', () => {
    expect(after({ phase: 'connecting', attempts: 0 }, closed(SESSION_LOST))).toEqual(SIGNED_OUT)
    expect(after(OPEN, closed(SESSION_LOST))).toEqual(SIGNED_OUT)
    for (const change of [closed(), { type: 'due' }, { type: 'opened' }, { type: 'rested' }] as RemoteChange[])
      expect(after(SIGNED_OUT, change)).toBe(SIGNED_OUT)
    expect(after(SIGNED_OUT, { type: 'signed-in' })).toEqual({ phase: 'connecting', attempts: 0 })
  })

  it('only an open connection can be suspended, and it opens again when it is needed', () => {
    expect(after(OPEN, { type: 'rested' })).toEqual(RESTING)
    expect(after(WAITING, { type: 'rested' })).toBe(WAITING)
    expect(after(RESTING, closed())).toBe(RESTING)
    expect(after(RESTING, { type: 'due' })).toEqual({ phase: 'connecting', attempts: 0 })
  })

  it('the state of the connection ignores changes that do not apply to it', () => {
    expect(after(OPEN, { type: 'due' })).toBe(OPEN)
    expect(after(WAITING, { type: 'opened' })).toBe(WAITING)
    expect(after(WAITING, closed())).toBe(WAITING)
  })
})
