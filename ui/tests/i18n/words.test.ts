import { describe, expect, it } from 'vitest'

import type { Registration } from '../../src/api/api'
import { type Circumstances, fileLine, line, totalsLine } from '../../src/i18n/status-text'
import { rowName, stepName, verbOn, verbOnMany, words } from '../../src/i18n/labels'
import { clause, inEnglish, type Message } from '../../src/i18n/engine-messages'
import type { UserMessage } from '../../src/api/api'
import {
  filterOf,
  hasKnownPage,
  isDecision,
  keepsPartialFile,
  lost,
  nextStep,
  offeredFilters,
  phase,
  progress,
} from '../../src/i18n/phase'
import { record, registration } from '../registration'

const MB = 1_000_000
const GB = 1000 * MB
const NOW = Date.UTC(2026, 9, 3, 14, 5)
const locale = { tag: 'en-GB', timeZone: 'UTC' }

const say = (parts: Partial<Registration>, circumstances: Partial<Circumstances> = {}): string =>
  line(registration(parts), { now: NOW, locale, ...circumstances }).text

const gone = inEnglish('bad-status.gone')

describe('a download of the browser', () => {
  const partial = { owner: 'browser', page: 'https://example.org/files', state: 'settled', result: 'failure', failed: 1 } as const
  const expired = { ...partial, failure: inEnglish('link-expired') }

  it('a download shows that it waits for a click until its time is over', () => {
    const waiting = { ...expired, awaited_link: { until: NOW + 1, other: null } }
    expect(say(waiting)).toBe('Click the file in the browser. The click continues this download.')
    expect(line(registration(waiting), { now: NOW }).trouble).toBe(false)
    expect(say(waiting, { now: NOW + 1 })).toContain('Link expired.')
  })

  it('a waiting download names another file that was clicked', () => {
    const text = say({ ...expired, awaited_link: { until: NOW + 1, other: 'b.iso' } })
    expect(text).toMatch(/^You clicked another file in the browser \(.*b\.iso.*\)\. It is now a separate download\.$/)
  })

  it.each(['bad-status.sign-in', 'bad-status.forbidden'])(
    'after the refusal %s, the user is asked to click the link in the browser',
    (id) => {
      const refused = { ...partial, failure: inEnglish(id) }
      expect(say(refused)).toContain('Sign in again in the browser, and click the link there.')
      expect(nextStep(registration(refused))).toBe('relink')
      expect(say({ ...refused, owner: 'window' })).not.toContain('browser')
    },
  )

  it('the page can be opened only if the download is one file from the browser', () => {
    expect(hasKnownPage(registration(expired))).toBe(true)
    const cancelled = { failureReason: 'aborted' } as const
    for (const other of [{ owner: 'window' }, { page: null }, { requests: 2 }, cancelled]) {
      expect(hasKnownPage(registration({ ...expired, ...other }))).toBe(false)
    }
  })
})

describe('a running registration', () => {
  it('a running registration shows files, bytes, speed and time left', () => {
    const set = { state: 'running', requests: 4, succeeded: 3, downloaded: 3.1 * GB, expected_total: 4.2 * GB } as const
    expect(say(set, { speed: 11.4 * MB })).toBe('3 of 4 files · 3.1 of 4.2\u00a0GB · 11.4\u00a0MB/\u2060s · 2\u00a0min left')
  })

  it('a running registration of a single file omits the number of files', () => {
    expect(say({ state: 'running', downloaded: 312 * MB, expected_total: 845 * MB }, { speed: 6.2 * MB })).toBe(
      '312 of 845\u00a0MB · 6.2\u00a0MB/\u2060s · 1\u00a0min left',
    )
  })

  it('a running registration omits facts that columns show', () => {
    const half = { state: 'running', downloaded: 312 * MB, expected_total: 845 * MB } as const
    expect(say(half, { speed: 6.2 * MB, without: ['speed', 'left'] })).toBe('312 of 845\u00a0MB')
    expect(say(half, { speed: 6.2 * MB, without: ['speed'] })).toBe('312 of 845\u00a0MB · 1\u00a0min left')
  })

  it('a running registration of unknown size shows no time left', () => {
    expect(say({ state: 'running', downloaded: 48.3 * MB }, { speed: 1.9 * MB })).toBe('48.3\u00a0MB · 1.9\u00a0MB/\u2060s')
  })

  it('a registration without speed shows "connecting", or "no data" after a first byte', () => {
    expect(say({ state: 'running' }, { speed: 0 })).toBe('Connecting')
    expect(say({ state: 'running', downloaded: MB, expected_total: 2 * MB }, { speed: 0 })).toBe('1.0 of 2\u00a0MB · no data')
  })

  it('a running registration shows the upload before the download', () => {
    expect(say({ state: 'running', uploaded: 3.1 * MB, uploadTotal: 42 * MB }, { speed: MB })).toBe(
      'Sending 3.1 of 42\u00a0MB · 1.0\u00a0MB/\u2060s · 39\u00a0s left',
    )
  })

  it('a running registration shows the number of failed files', () => {
    expect(say({ state: 'running', requests: 9, succeeded: 2, failed: 3, downloaded: MB, expected_total: 9 * MB })).toBe(
      '2 of 9 files · 1.0 of 9\u00a0MB · 3 failed',
    )
  })

  it('a paused or waiting registration shows its failure reason too', () => {
    const some = { requests: 9, succeeded: 2, failed: 3, failure: gone, downloaded: MB, expected_total: 9 * MB } as const
    const why = '3 failed: file not found on the server'
    expect(say({ ...some, state: 'running' })).toBe(`2 of 9 files · 1.0 of 9\u00a0MB · ${why}`)
    expect(say({ ...some, state: 'paused' })).toBe(`Paused at 11 % · 1.0 of 9\u00a0MB · ${why}`)
    expect(say({ ...some, state: 'paused', expected_total: 0, succeeded: 0 })).toBe(`Paused at 1\u00a0MB · 0 of 9 files · ${why}`)
    expect(say({ ...some, state: 'paused', downloaded: 0, expected_total: 0, succeeded: 0 })).toBe(`Paused · 9 files · ${why}`)
    const waiting_for = inEnglish('bad-status.busy')
    expect(say({ ...some, next_try: NOW + 40_000, waiting_for })).toBe(`Retrying in 40\u00a0s: the server is busy · ${why}`)
  })
})

describe('a waiting registration', () => {
  it('a waiting registration shows that it is queued', () => {
    expect(say({})).toBe('Queued')
    expect(say({ downloaded: MB, expected_total: 4 * MB })).toBe('Queued · 1.0 of 4\u00a0MB')
  })

  it('a waiting registration names the limit that holds it back', () => {
    expect(say({}, { queue: { limit: 'files', count: 4 } })).toBe('Queued: 4 files at a time')
    const server = { limit: 'server', count: 2, host: 'example.org' } as const
    const half = { downloaded: MB, expected_total: 4 * MB }
    expect(say(half, { queue: server })).toMatch(/^Queued: 2 at a time from .*example\.org.* · 1\.0 of 4\u00a0MB$/)
    expect(say({}, { queue: server, everythingIsPaused: true })).toBe('Paused (all paused)')
  })

  it('a waiting registration shows the time and reason of its retry', () => {
    const waiting_for = inEnglish('bad-status.busy')
    expect(say({ next_try: NOW + 40_000, waiting_for })).toBe('Retrying in 40\u00a0s: the server is busy')
    expect(say({ next_try: NOW - 5, waiting_for })).toBe('Retrying: the server is busy')
    expect(say({ waiting_for })).toBe('Queued: the server is busy')
  })

  it('a waiting registration shows that everything is paused', () => {
    expect(say({}, { everythingIsPaused: true })).toBe('Paused (all paused)')
  })
})

describe('a paused registration', () => {
  it('a paused registration shows its progress', () => {
    expect(say({ state: 'paused', downloaded: 5.3 * GB, expected_total: 12.9 * GB })).toBe('Paused at 41 % · 5.3 of 12.9\u00a0GB')
    expect(say({ state: 'paused', downloaded: 5 * MB })).toBe('Paused at 5\u00a0MB')
    expect(say({ state: 'paused' })).toBe('Paused · not started yet')
    expect(say({ state: 'paused', requests: 12 })).toBe('Paused · 12 files · not started yet')
  })

  it('a paused registration shows that everything is paused', () => {
    const half = { state: 'paused', downloaded: MB, expected_total: 2 * MB } as const
    expect(say(half, { everythingIsPaused: true })).toBe('Paused (all paused) · 1.0 of 2\u00a0MB')
  })
})

describe('a settled registration', () => {
  const done = {
    state: 'settled',
    result: 'success',
    downloaded: 8.1 * MB,
    settled: Date.UTC(2026, 9, 3, 14, 2),
    succeeded: 1,
  } as const

  it('a settled registration shows completion time, size and verification', () => {
    expect(say(done, { verified: 'by-digest' })).toBe('Done 14:02 · 8.1\u00a0MB · verified')
    expect(say(done, { verified: 'no' })).toBe('Done 14:02 · 8.1\u00a0MB')
    expect(say({ ...done, settled: Date.UTC(2026, 8, 30, 9, 0) })).toMatch(/^Done 30 Sept?, 09:00 · 8.1\u00a0MB$/)
    expect(say({ ...done, settled: Date.UTC(2025, 1, 1, 9, 0) })).toBe('Done 1 Feb 2025, 09:00 · 8.1\u00a0MB')
  })

  it('a settled registration shows the number of its successful files', () => {
    expect(say({ ...done, requests: 48, succeeded: 48 })).toBe('Done 14:02 · 48 files · 8.1\u00a0MB')
    expect(say({ ...done, requests: 48, succeeded: 47, failed: 1 })).toBe('Done 14:02 · 47 of 48 files · 8.1\u00a0MB')
  })

  const lost = { state: 'settled', result: 'failure', failureReason: 'bad-status', failure: gone, settled: NOW } as const

  it('a failed registration shows its failure, and shows the cure only for a single file', () => {
    expect(say({ ...lost, failed: 1 })).toBe('File not found on the server. Try a new link.')
    expect(say({ ...lost, requests: 312, succeeded: 309, failed: 3 })).toBe('3 of 312 files failed: file not found on the server')
    expect(say({ ...lost, requests: 5, failed: 5 })).toBe('All 5 files failed: file not found on the server')
    expect(line(registration({ ...lost, failed: 1 }), { now: NOW }).trouble).toBe(true)
  })

  it('a failed registration of one file shows how much of the file is kept', () => {
    const part = { ...lost, failed: 1, downloaded: 10.2 * MB, expected_total: 21 * MB }
    expect(say(part)).toBe('10.2 of 21\u00a0MB kept · File not found on the server. Try a new link.')
    expect(say({ ...part, expected_total: 0 })).toMatch(/^10\.2\u00a0MB kept · /)
    expect(keepsPartialFile(registration(part))).toBe(true)
    // The file was complete, but its checksum was wrong.
    expect(keepsPartialFile(registration({ ...part, downloaded: 21 * MB }))).toBe(false)
    expect(keepsPartialFile(registration({ ...part, failureReason: 'aborted' }))).toBe(false)
    expect(keepsPartialFile(registration({ ...part, requests: 2 }))).toBe(false)
  })

  it('every failure reason has a text', () => {
    for (const failureReason of ['bad-status', 'fetch-error', 'quota-exceeded', 'download-total-exceeded'] as const) {
      expect(say({ ...lost, failure: null, failureReason, failed: 1 })).toMatch(/^[A-Z].*\.$/)
    }
  })

  it('a cancelled registration is not shown as failed', () => {
    const cancelled = registration({ ...lost, failureReason: 'aborted', requests: 4, succeeded: 1 })
    expect(line(cancelled, { now: NOW, locale })).toEqual({ text: 'Cancelled 14:05 · 1 of 4 files kept', trouble: false })
  })
})

it('a clause starts in lower case unless it starts with a name', () => {
  expect(clause(gone)).toBe('file not found on the server')
  expect(clause({ code: '', text: 'Ashore made a mistake.' })).toBe('Ashore made a mistake')
  expect(clause({ code: '', text: 'DNS is away' })).toBe('DNS is away')
  expect(clause({ code: '', text: 'The file at example.org is gone. Look elsewhere.' })).toBe('the file at example.org is gone')
})

it('every file state has a status line', () => {
  const lineOf = (parts: Parameters<typeof record>[0], owner: Parameters<typeof fileLine>[2] = 'running') =>
    fileLine(record(parts), { now: NOW }, owner).text
  expect(lineOf({})).toBe('Queued')
  expect(lineOf({}, 'paused')).toBe('Paused')
  expect(lineOf({ state: 'active' })).toBe('Connecting')
  expect(lineOf({ state: 'active', downloaded: MB, size: 4 * MB })).toBe('1.0 of 4\u00a0MB')
  expect(lineOf({ state: 'completed', outcome: 'success', size: 8.1 * MB, verified: 'by-digest' })).toBe('8.1\u00a0MB · verified')
  expect(lineOf({ state: 'completed', outcome: 'failure', ...gone })).toBe(gone.text)
  expect(lineOf({ state: 'dead', ...gone })).toBe(gone.text)
  expect(lineOf({ state: 'aborted' })).toBe('Cancelled')
  expect(lineOf({ state: 'waiting', next_try: NOW + 90_000, ...gone })).toBe(
    'Retrying in 2\u00a0min: file not found on the server',
  )
})

it('the next step of a row follows from its state and failure', () => {
  const step = (parts: Partial<Registration>, everythingIsPaused = false): string => {
    const one = registration(parts)
    return stepName(nextStep(one, everythingIsPaused), one)
  }
  const failure = { state: 'settled', result: 'failure', failureReason: 'fetch-error', failed: 1 } as const
  expect(step({ state: 'running' })).toBe('Pause')
  expect(step({ state: 'waiting' })).toBe('Start now')
  expect(step({ state: 'waiting' }, true)).toBe('Resume all')
  expect(step({ state: 'waiting', next_try: NOW + 40_000 })).toBe('Try now')
  expect(step({ state: 'waiting', requests: 3, next_try: NOW + 40_000 })).toBe('Try now')
  expect(step({ state: 'waiting', next_try: NOW + 40_000 }, true)).toBe('Resume all')
  expect(step({ state: 'paused' }, true)).toBe('Resume all')
  expect(step({ state: 'paused' })).toBe('Resume')
  expect(step({ state: 'settled', result: 'success', path: '/a' })).toBe('Open')
  expect(step({ state: 'settled', result: 'success', requests: 2 })).toBe('Show in folder')
  expect(step(failure)).toBe('Retry')
  expect(step({ ...failure, requests: 3 })).toBe('Retry failed')
  const says = (id: string) => inEnglish(id)
  for (const end of ['forbidden', 'gone', 'legal']) {
    expect(step({ ...failure, failure: says(`bad-status.${end}`) })).toBe('Replace link')
  }
  // The web page may come from the network instead of the server, so the link may still work.
  expect(step({ ...failure, failure: says('web-page') })).toBe('Retry')
  expect(step({ ...failure, failure: says('bad-status.gone'), uploadTotal: 7 })).toBe('Retry')
  // Each failed file would need its own link.
  expect(step({ ...failure, requests: 3, failure: says('bad-status.gone') })).toBe('Retry failed')
  expect(step({ ...failure, failure: says('bad-status.busy') })).toBe('Retry')
  expect(step({ ...failure, failure: says('bad-status.sign-in') })).toBe('Sign in')
  expect(step({ ...failure, requests: 3, failure: says('bad-status.sign-in') })).toBe('Sign in')
  const waits = (message: Message): string => step({ state: 'waiting', waiting_for: message as UserMessage })
  for (const code of ['hours', 'metered', 'battery', 'in-use']) expect(waits({ code, text: '' })).toBe('Download anyway')
  for (const code of ['offline', 'captive-portal', 'asleep', 'bootstrap', 'quota', 'host-busy'])
    expect(waits({ code, text: '' })).toBe('Pause')
  expect(waits(inEnglish('disk.short', { amount: { bytes: 3e9 }, folder: '/home/robin' }))).toBe('Open folder')
  const floor = { amount: { bytes: 3e9 }, folder: '/home/robin', floor: { bytes: 512e6 } }
  expect(waits(inEnglish('disk.below-floor', floor))).toBe('Open folder')
  expect(waits(inEnglish('disk'))).toBe('Pause')
  const full = says('disk-full')
  expect(step({ ...failure, failure: full })).toBe('Change folder…')
  expect(step({ ...failure, failure: full, downloaded: MB })).toBe('Open folder')
  const target = inEnglish('target')
  expect(step({ ...failure, failure: target })).toBe('Change folder…')
  expect(step({ ...failure, failure: target, uploadTotal: 7 })).toBe('Retry')
  expect(step({ ...failure, failureReason: 'aborted', failed: 0 })).toBe('Remove')
})

it('only steps that repair a download or start it despite a condition are decisions', () => {
  expect((['retry', 'sign-in', 'relink', 'folder', 'space', 'anyway'] as const).every(isDecision)).toBe(true)
  expect((['pause', 'start', 'resume', 'resume-all', 'open', 'save', 'show', 'files', 'remove'] as const).some(isDecision)).toBe(
    false,
  )
})

it('every state belongs to exactly one filter', () => {
  expect(filterOf(registration({ state: 'waiting' }))).toBe('waiting')
  expect(filterOf(registration({ state: 'paused' }))).toBe('paused')
  expect(filterOf(registration({ state: 'settled', result: 'success' }))).toBe('done')
  expect(phase(registration({ state: 'settled', result: 'failure', failureReason: 'aborted' }))).toBe('cancelled')
  expect(filterOf(registration({ state: 'settled', result: 'failure', failureReason: 'aborted' }))).toBe('cancelled')
})

it('the accessible name of a row has its state and percentage', () => {
  const running = registration({ state: 'running', title: 'a.mp4', downloaded: 321, expected_total: 845 })
  expect(rowName(running, '321 of 845 B')).toBe('a.mp4, Running, 37 %, 321 of 845 B')
  expect(rowName({ ...running, expected_total: 0 }, '321 B')).toBe('a.mp4, Running, 321 B')
  // The status of a paused download begins with its state.
  expect(rowName({ ...running, state: 'paused' }, 'Paused at 37 %')).toBe('a.mp4, Paused at 37 %')
  const failed = { ...running, state: 'settled', result: 'failure', failureReason: 'fetch-error' } as const
  expect(rowName(failed, 'The server has failed.')).toBe('a.mp4, Failed, The server has failed.')
})

it('the filter for cancelled downloads is offered only if it is chosen or not empty', () => {
  const counts = { all: 3, running: 0, waiting: 0, paused: 0, done: 0, failed: 2, cancelled: 1 }
  expect(offeredFilters(counts, 'all')).toEqual(['all', 'running', 'waiting', 'paused', 'done', 'failed', 'cancelled'])
  const none = { ...counts, cancelled: 0 }
  expect(offeredFilters(none, 'all')).not.toContain('cancelled')
  expect(offeredFilters(none, 'cancelled')).toContain('cancelled')
})

it('progress shows 100 percent only at completion', () => {
  expect(progress(registration({ downloaded: 999, expected_total: 1000 }))).toBe(99)
  expect(progress(registration({ downloaded: 1000, expected_total: 1000 }))).toBe(100)
  expect(progress(registration({ downloaded: 1000 }))).toBeNull()
  expect(progress(registration({ downloaded: 50, downloadTotal: 100 }))).toBe(50)
})

it('the share of failed files is always visible in the progress bar', () => {
  expect([lost(registration({ requests: 1, failed: 1 })), lost(registration({ requests: 9 }))]).toEqual([0, 0])
  expect([lost(registration({ requests: 4, failed: 1 })), lost(registration({ requests: 3000, failed: 1 }))]).toEqual([25, 2])
})

it('the line of totals summarizes all downloads', () => {
  const none = { running: 0, waiting: 0, paused: false, speed_limit: null, pace: 'full', gate: null } as const
  expect(totalsLine({ ...none, running: 3, waiting: 12 })).toBe('3 running · 12 queued')
  expect(totalsLine({ ...none, waiting: 1200 })).toBe('1,200 queued')
  expect(totalsLine({ ...none, waiting: 3, paused: true })).toBe('Everything is paused')
  const text = 'The network is metered. Downloads continue automatically on another network.'
  const gate = { code: 'metered', state: 'closed', text, cause: '', until: null } as const
  expect(totalsLine({ ...none, waiting: 3, gate })).toBe('3 queued · the network is metered')
  expect(totalsLine({ ...none, running: 1, pace: 'slow' })).toBe('1 running · slow hours')
})

describe('actions on several downloads', () => {
  it('actions on several downloads show their number, and an ellipsis if a dialog follows', () => {
    expect(verbOnMany('remove-asking', 12)).toBe('Remove 12 downloads…')
    expect(verbOnMany('remove', 1200)).toBe('Remove 1,200 downloads')
    expect(verbOnMany('pause', 1)).toBe('Pause 1 download')
    expect([verbOn('remove', registration()), verbOn('remove-asking', registration())]).toEqual([
      'Remove from list',
      'Remove from list…',
    ])
  })

  it('the dialog for removing several downloads says how many of them lose data', () => {
    const { loses } = words.removeDialog
    expect(loses(1, 1)).toBe('Partial data of this download will be deleted.')
    expect(loses(3, 3)).toBe('Partial data of these downloads will be deleted.')
    expect(loses(1, 3)).toBe('1 of them is not finished. Its partial data will be deleted.')
    expect(loses(2, 3)).toBe('2 of them are not finished. Their partial data will be deleted.')
  })

  it('the dialog for deleting files says that the downloads leave the list too', () => {
    const { deletes, titleFiles } = words.removeDialog
    expect(titleFiles).toBe('Move the files to the trash?')
    expect([deletes(1), deletes(3)]).toEqual([
      'The download is also removed from the list.',
      'The downloads are also removed from the list.',
    ])
  })
})
