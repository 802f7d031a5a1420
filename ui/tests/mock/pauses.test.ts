import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Api } from '../../src/api/api'
import { pretend } from '../../src/mock/mock'

describe('the pauses of the simulated engine', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** Runs the timers of the simulated engine, and returns the result of the call. */
  async function called<T>(call: Promise<T>): Promise<T> {
    await vi.advanceTimersByTimeAsync(0)
    return call
  }

  const list = (api: Api) => called(api.list({ limit: 100 }))
  const states = async (api: Api) => Object.fromEntries((await list(api)).map(({ unique_id, state }) => [unique_id, state]))

  it('pause of everything pauses every unfinished download until everything is resumed', async () => {
    const api = pretend(new URLSearchParams('still'))
    const before = await states(api)
    await called(api.pause(null))
    expect(new Set(Object.values(await states(api)))).toEqual(new Set(['paused', 'settled']))
    expect((await called(api.totals())).paused).toBe(true)
    await called(api.resume(null))
    expect(await states(api)).toEqual(before)
  })

  it('resume of one download starts nothing while everything is paused', async () => {
    const api = pretend(new URLSearchParams('still&one'))
    const [one] = await list(api)
    await called(api.pause(null))
    await called(api.resume(one!.unique_id))
    expect((await called(api.show(one!.unique_id))).state).toBe('paused')
  })

  it('resume of everything keeps the pause of a single download', async () => {
    const api = pretend(new URLSearchParams('still&one'))
    const [one] = await list(api)
    await called(api.pause(one!.unique_id))
    await called(api.pause(null))
    await called(api.resume(null))
    expect((await called(api.show(one!.unique_id))).state).toBe('paused')
    await called(api.resume(one!.unique_id))
    expect((await called(api.show(one!.unique_id))).state).toBe('running')
  })
})
