import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Event } from '../../src/api/api'
import type { Downloads } from '../../src/list/data/downloads.svelte'
import { Speeds } from '../../src/details/speeds'
import { registration } from '../registration'

const NOW = 5_000_000

function recorder() {
  let emit: (event: Event) => void = () => undefined
  const downloads = { watch: (watcher: typeof emit) => (emit = watcher) } as unknown as Downloads
  const speeds = new Speeds(downloads)
  const progress = (unique_id: string, speed: number) =>
    emit({ type: 'progress', unique_id, owner: 'window', downloaded: 0, uploaded: 0, expected_total: 0, speed })
  return { speeds, progress, emit: (event: Event) => emit(event) }
}

describe('recorded speeds', () => {
  beforeEach(() => void vi.useFakeTimers({ now: NOW }))
  afterEach(() => void vi.useRealTimers())

  it('recorded speeds follow progress events and end when the download stops', () => {
    const { speeds, progress, emit } = recorder()
    expect(speeds.shown('a', NOW)).toBeNull()
    progress('a', 7)
    emit({ type: 'changed', registration: registration({ unique_id: 'a', state: 'running' }) })
    expect(speeds.shown('a', NOW)).toMatchObject({ current: 7, mean: 7 })
    emit({ type: 'changed', registration: registration({ unique_id: 'a', state: 'paused' }) })
    expect(speeds.shown('a', NOW)).toMatchObject({ current: null, mean: 7 })
    progress('a', 9)
    emit({ type: 'lagged' })
    expect(speeds.shown('a', NOW)?.current).toBeNull()
    emit({ type: 'removed', unique_id: 'a', owner: 'window' })
    expect(speeds.shown('a', NOW)).toBeNull()
  })

  it('the total speed of the last minute is 0 where no download was running', () => {
    const { speeds, emit } = recorder()
    const totals = (running: number, speed: number) =>
      emit({ type: 'totals', totals: { running, waiting: 0, speed, paused: false, speed_limit: null, pace: 'full', gate: null } })
    const later = (seconds: number): number => (vi.advanceTimersByTime(seconds * 1000), Date.now())
    totals(1, 7)
    later(1)
    totals(0, 0)
    later(2)
    totals(2, 9)
    expect(speeds.lastMinute(Date.now())).toEqual([7, 7, 0, 9])
    totals(2, 9)
    expect(speeds.lastMinute(later(200))).toHaveLength(60)
  })

  it('speeds are kept only for the most recently active downloads', () => {
    const { speeds, progress } = recorder()
    for (let number = 0; number < 1000; number += 1) progress(`${number}`, 1)
    expect(speeds.shown('0', NOW)).toBeNull()
    expect(speeds.shown('999', NOW)).not.toBeNull()
    progress('999', 2)
    expect(speeds.shown('500', NOW)).not.toBeNull()
  })

  it('speeds of a running download are kept even if it started long ago', () => {
    const { speeds, progress } = recorder()
    for (let number = 0; number < 1000; number += 1) {
      progress('long', 1)
      progress(`${number}`, 1)
    }
    expect(speeds.shown('long', NOW)).not.toBeNull()
  })
})
