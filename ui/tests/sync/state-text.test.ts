import { describe, expect, it } from 'vitest'

import type { SyncStatus } from '../../src/api/sync-api'
import { inEnglish } from '../../src/i18n/engine-messages'
import { moment } from '../../src/i18n/format'
import { faultLines, restorationText } from '../../src/sync/state/state-text'

const MINUTE = 60_000
/** Noon of a Friday in the time zone of the test. */
const NOW = new Date(2026, 10, 27, 12).getTime()
/** Noon `days` days earlier. */
const daysAgo = (days: number): number => new Date(2026, 10, 27 - days, 12).getTime()

const status = (parts: Partial<SyncStatus>) =>
  ({ fault: null, collections: [], synced_ms: NOW, space: null, ...parts }) as unknown as SyncStatus
const waiting = (...counts: number[]): SyncStatus['collections'] =>
  counts.map((waiting) => ({ collection: 'dl-items', records: 0, on_server: 0, held: 0, waiting }))

it('a status without a fault has no fault lines', () => {
  expect(faultLines(status({ collections: waiting(3) }), NOW)).toEqual([])
})

it('the text of a fault is followed by the number of waiting changes', () => {
  const fault = inEnglish('sync-other-list')
  expect(faultLines(status({ fault }), NOW)).toEqual([fault.text])
  expect(faultLines(status({ fault, collections: waiting(2, 10) }), NOW)).toEqual([
    fault.text,
    '12 changes are waiting to be sent.',
  ])
})

describe('a server that had lost data', () => {
  const MAY = new Date(2026, 4, 12, 12).getTime()
  const text = (until_ms: number, records: number, found_ms = NOW) =>
    restorationText(status({ restored: { found_ms, until_ms, records } }), NOW)

  it('the text about lost data gives the date of the restored state, or states that the whole list was lost', () => {
    expect(text(MAY, 31)).toMatch(
      /^The server went back to its state of (12 May|May 12)\. 31 entries that it had lost were restored from here\.$/,
    )
    expect(text(MAY, 1)).toMatch(/ 1 entry that it had lost was restored from here\.$/)
    expect(text(0, 31)).toBe('The server had lost the list. 31 entries were restored from here.')
    expect(text(0, 1)).toBe('The server had lost the list. 1 entry was restored from here.')
  })

  it('data that the server lost is mentioned for seven days', () => {
    expect(restorationText(status({ restored: null }), NOW)).toBeNull()
    expect(restorationText(status({ restored: { found_ms: NOW, until_ms: NOW, records: 0 } }), NOW)).toBeNull()
    expect(text(0, 31, NOW - 7 * 24 * 60 * MINUTE + MINUTE)).not.toBeNull()
    expect(text(0, 31, NOW - 7 * 24 * 60 * MINUTE)).toBeNull()
  })
})

describe('a full server', () => {
  const fault = inEnglish('sync-full')
  const space = { used: 2e9, total: 2e9 }
  const plain = (lines: string[]) => lines.map((line) => line.replaceAll('\u00a0', ' '))

  it('the text about a full server shows its space and the number of waiting changes', () => {
    expect(plain(faultLines(status({ fault, space }), NOW))).toEqual(['The server is full (2 GB of 2 GB).'])
    expect(plain(faultLines(status({ fault, space, collections: waiting(3) }), NOW))).toEqual([
      'The server is full (2 GB of 2 GB); 3 changes are waiting.',
    ])
  })

  it('the message of the engine is shown for a full server of unknown space', () => {
    expect(faultLines(status({ fault, collections: waiting(1) }), NOW)).toEqual([fault.text, '1 change is waiting to be sent.'])
  })
})

describe('a server that does not answer', () => {
  const fault = inEnglish('sync-unreachable')
  const lines = (synced_ms: number | null, ...counts: number[]) =>
    faultLines(status({ fault, synced_ms, collections: waiting(...counts) }), NOW)

  it('the time of the last answer of a silent server is shown as a time, a weekday or a date', () => {
    const since = (at: number) => /answered since (.*)\. Everything/.exec(lines(at)[0]!)?.[1]
    expect(since(NOW - 5 * MINUTE)).toBe(moment(NOW - 5 * MINUTE, NOW))
    expect(since(NOW + 5 * MINUTE)).toBe(moment(NOW, NOW))
    expect([1, 3, 6].map((days) => since(daysAgo(days)))).toEqual(['Thursday', 'Tuesday', 'Saturday'])
    expect(since(daysAgo(7))).toMatch(/^(20 November|November 20)$/)
    expect(since(daysAgo(400))).toContain('2025')
  })

  it('the number of waiting changes is part of the sentence about a silent server', () => {
    const tuesday = daysAgo(3)
    expect(lines(tuesday)).toEqual(['The sync server has not answered since Tuesday. Everything here continues.'])
    expect(lines(tuesday, 1)).toEqual([
      'The sync server has not answered since Tuesday. Everything here continues; 1 change is waiting.',
    ])
    expect(lines(tuesday, 2, 10)).toEqual([
      'The sync server has not answered since Tuesday. Everything here continues; 12 changes are waiting.',
    ])
  })

  it('the message of the engine is shown for a server that has never answered', () => {
    expect(lines(null, 12)).toEqual([fault.text, '12 changes are waiting to be sent.'])
  })
})
