import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'

import type { Counted, DayStatistic, Event, Statistics as Numbers } from '../../src/api/api'
import { everything, long } from '../../src/mock/registrations'
import { pastOf, statisticsOf } from '../../src/mock/statistics'
import { dayName } from '../../src/i18n/format'
import { today } from '../../src/api/day'
import { bySize, DAYS, dayUnder, daysUpTo, heightOf, named, share, stepTo, together } from '../../src/statistics/chart'
import { words } from '../../src/i18n/labels'
import { Statistics } from '../../src/statistics/statistics.svelte'
import { registration } from '../registration'

const counted = (parts: Partial<Counted> = {}): Counted => ({
  added: 0,
  succeeded: 0,
  failed: 0,
  retried: 0,
  downloaded: 0,
  uploaded: 0,
  ...parts,
})
const on = (day: string, parts: Partial<Counted> = {}): DayStatistic => ({ day, ...counted({ added: 1, ...parts }) })

describe('the days', () => {
  it('days are listed without gaps, oldest first, with zeros for empty days', () => {
    const days = daysUpTo('2026-03-02', [on('2026-03-02', { downloaded: 5 }), on('2026-02-27', { downloaded: 7 })], 5)
    expect(days.map((day) => day.day)).toEqual(['2026-02-26', '2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'])
    expect(days.map((day) => day.downloaded)).toEqual([0, 7, 0, 0, 5])
    expect(days[0]).toEqual(on('2026-02-26', { added: 0 }))
    expect(daysUpTo('2024-03-01', [], 2)[0]!.day).toBe('2024-02-29')
    expect(daysUpTo('2026-11-22', []).length).toBe(DAYS)
  })

  it('the last day is today even if the statistics contain future dates', () => {
    expect(daysUpTo('2026-11-22', [on('2031-01-01', { downloaded: 9 })], 3).map((day) => day.downloaded)).toEqual([0, 0, 0])
  })

  it('no day is repeated or missing when the clocks change', () => {
    for (const zone of ['Europe/Berlin', 'America/New_York', 'Pacific/Kiritimati']) {
      vi.stubEnv('TZ', zone)
      expect(today(new Date(2026, 10, 22, 0, 0, 1).getTime()), zone).toBe('2026-11-22')
      expect(today(new Date(2026, 10, 22, 23, 59, 59).getTime()), zone).toBe('2026-11-22')
      expect(new Set(daysUpTo('2026-11-05', []).map((day) => day.day)).size, zone).toBe(DAYS)
    }
    vi.unstubAllEnvs()
  })

  it('the values of the days add up to the totals', () => {
    expect(together([on('a', { downloaded: 5, failed: 1 }), on('b', { downloaded: 7 })])).toEqual(
      counted({ added: 2, downloaded: 12, failed: 1 }),
    )
    expect(together([])).toEqual(counted())
  })

  it('one day per week is labelled', () => {
    expect(named()).toEqual([0, 7, 14, 21])
    expect(dayName('2026-11-21', 'long', { tag: 'en-GB' })).toMatch(/^Saturday,? 21 November$/)
    expect(dayName('2026-11-21', 'short', { tag: 'en-GB' })).toBe('21 Nov')
  })
})

describe('the bar chart', () => {
  it('the bar chart shows any value above zero and never exceeds its height', () => {
    expect([0, 1, 500, 1000, 2000].map((bytes) => heightOf(bytes, 1000))).toEqual([0, 1, 50, 100, 100])
  })

  it('pointer positions and keys select days of the bar chart', () => {
    expect([-5, 0, 9, 10, 279, 280, 999].map((x) => dayUnder(x, 280))).toEqual([0, 0, 0, 1, 27, 27, 27])
    expect(dayUnder(5, 0)).toBe(27)
    expect(['ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End', 'a'].map((key) => stepTo(14, key))).toEqual([
      13,
      15,
      21,
      7,
      0,
      27,
      null,
    ])
    expect([stepTo(0, 'ArrowLeft'), stepTo(27, 'PageUp')]).toEqual([0, 27])
  })

  it('100 percent is shown only if every settled file succeeded', () => {
    expect([counted({ added: 5 }), counted({ succeeded: 999, failed: 1 }), counted({ succeeded: 3 })].map(share)).toEqual([
      null,
      99,
      100,
    ])
  })

  it('the source from which most bytes were downloaded is listed first', () => {
    const sources = [
      { source: 'window' as const, ...counted({ downloaded: 5 }) },
      { source: 'feed' as const, ...counted({ downloaded: 9 }) },
      { source: 'program' as const, ...counted({ downloaded: 5, succeeded: 1 }) },
    ]
    expect(bySize(sources).map(({ source }) => source)).toEqual(['feed', 'program', 'window'])
  })
})

test('day text is correct for singular and plural', () => {
  const { onDay, failed, said } = words.statistics
  expect(onDay('3.1\u00a0GB', 12, 1)).toBe('3.1\u00a0GB · 12 files · 1 failed')
  expect(onDay('8\u00a0B', 1, 0)).toBe('8\u00a0B · 1 file')
  expect([0, 1, 1200].map(failed)).toEqual(['None failed', '1 failed', '1,200 failed'])
  expect(said('Today', '8\u00a0B')).toBe('Today: 8\u00a0B')
})

describe('the statistics', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('the totals are read when the page opens and when a download settles, and are never polled', async () => {
    let reads = 0
    let tell: (event: Event) => void = () => undefined
    const numbers: Numbers = { total: counted(), sources: [], days: [] }
    const api = { statistics: async (days: number) => (expect(days).toBe(DAYS), (reads += 1), numbers) }
    const statistics = new Statistics(api, { watch: (watcher) => (tell = watcher) })
    const settled: Event = { type: 'changed', registration: registration({ state: 'settled' }) }
    const wait = () => vi.advanceTimersByTimeAsync(60_000)

    tell(settled)
    await wait()
    expect(reads).toBe(0)
    const leave = statistics.follow()
    await wait()
    expect(reads).toBe(1)
    expect(statistics.numbers).toBe(numbers)
    tell({ type: 'changed', registration: registration({ state: 'running' }) })
    tell({ type: 'progress', unique_id: 'a', owner: 'window', downloaded: 1, uploaded: 0, expected_total: 2, speed: 1 })
    await wait()
    expect(reads).toBe(1)
    for (let files = 0; files < 100; files += 1) tell(settled)
    await wait()
    expect(reads).toBe(2)
    leave()
    tell(settled)
    await wait()
    expect(reads).toBe(2)
  })
})

describe('the simulated engine', () => {
  const now = Date.UTC(2026, 10, 22, 12)

  // Use a long timeout: the test iterates over all rows, and the machine may be busy.
  it('the statistics of the simulated engine include every row of short and long lists', { timeout: 60_000 }, () => {
    for (const rows of [3, 100_000]) {
      const made = long(rows, now).map((one) => one.registration)
      const { total, sources, days } = statisticsOf(made, [], now, DAYS)
      expect(total.added).toBe(made.reduce((sum, one) => sum + one.requests, 0))
      expect(together(sources)).toEqual(total)
      // The rows are twenty seconds apart, so all of them are within the shown weeks.
      expect(together(days)).toEqual(total)
    }
  })

  it('the simulated statistics have empty days, several sources and past downloads', () => {
    const made = everything(now).map((one) => one.registration)
    const { total, sources, days } = statisticsOf(made, pastOf(now), now, DAYS)
    expect(sources.length).toBeGreaterThan(1)
    expect(days.length).toBeLessThan(DAYS)
    expect(days.every((day, place) => place === 0 || day.day < days[place - 1]!.day)).toBe(true)
    expect(together(days).downloaded).toBeLessThan(total.downloaded)
  })
})
