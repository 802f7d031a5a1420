import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Event } from '../../src/api/api'
import type { Downloads } from '../../src/list/data/downloads.svelte'
import { Speeds } from '../../src/details/speeds'
import { registration } from '../registration'

const NOW = 5_000_000

function listening() {
  let hear: (event: Event) => void = () => undefined
  const downloads = { watch: (watcher: typeof hear) => (hear = watcher) } as unknown as Downloads
  const speeds = new Speeds(downloads)
  const moves = (unique_id: string, speed: number) =>
    hear({ type: 'progress', unique_id, owner: 'window', downloaded: 0, uploaded: 0, expected_total: 0, speed })
  return { speeds, moves, hear: (event: Event) => hear(event) }
}

describe('recorded speeds', () => {
  beforeEach(() => void vi.useFakeTimers({ now: NOW }))
  afterEach(() => void vi.useRealTimers())

  it('follow progress events and end when the download stops', () => {
    const { speeds, moves, hear } = listening()
    expect(speeds.shown('a', NOW)).toBeNull()
    moves('a', 7)
    hear({ type: 'changed', registration: registration({ unique_id: 'a', state: 'running' }) })
    expect(speeds.shown('a', NOW)).toMatchObject({ current: 7, mean: 7 })
    hear({ type: 'changed', registration: registration({ unique_id: 'a', state: 'paused' }) })
    expect(speeds.shown('a', NOW)).toMatchObject({ current: null, mean: 7 })
    moves('a', 9)
    hear({ type: 'lagged' })
    expect(speeds.shown('a', NOW)?.current).toBeNull()
    hear({ type: 'removed', unique_id: 'a', owner: 'window' })
    expect(speeds.shown('a', NOW)).toBeNull()
  })

  it('cover one minute of the total, with gaps', () => {
    const { speeds, hear } = listening()
    const totals = (running: number, speed: number) =>
      hear({ type: 'totals', totals: { running, waiting: 0, speed, paused: false, speed_limit: null, pace: 'full', gate: null } })
    const later = (seconds: number): number => (vi.advanceTimersByTime(seconds * 1000), Date.now())
    totals(1, 7)
    later(1)
    totals(0, 0)
    later(2)
    totals(2, 9)
    expect(speeds.lastMinute(Date.now())).toEqual([7, 7, null, 9])
    totals(2, 9)
    expect(speeds.lastMinute(later(200))).toHaveLength(60)
  })

  it('keep only the most recently active downloads', () => {
    const { speeds, moves } = listening()
    for (let number = 0; number < 1000; number += 1) moves(`${number}`, 1)
    expect(speeds.shown('0', NOW)).toBeNull()
    expect(speeds.shown('999', NOW)).not.toBeNull()
    moves('999', 2)
    expect(speeds.shown('500', NOW)).not.toBeNull()
  })

  it('keep a running download, however long ago it started', () => {
    const { speeds, moves } = listening()
    for (let number = 0; number < 1000; number += 1) {
      moves('long', 1)
      moves(`${number}`, 1)
    }
    expect(speeds.shown('long', NOW)).not.toBeNull()
  })
})
