import { inEnglish } from '../../src/i18n/engine-messages'
import { describe, expect, it } from 'vitest'

import type { Attempt, FileDetails, Restart } from '../../src/api/api'
import {
  activityText,
  anewLine,
  answerLine,
  attemptLine,
  attemptWhen,
  fileFacts,
  fileName,
  rawHead,
  registrationFacts,
  speedSentence,
  withProgress,
} from '../../src/details/details-text'
import { record, registration } from '../registration'

const locale = { tag: 'en-GB', timeZone: 'UTC' }
const at = { now: 100_000, locale }
const attempt = (parts: Partial<Attempt> = {}): Attempt => ({
  number: 1,
  started: 60_000,
  ended: 72_000,
  status: null,
  brought: 0,
  bytes: 0,
  url_chain: [],
  trouble: null,
  is_final: false,
  restart: null,
  ...parts,
})
const known = (parts: Partial<FileDetails> = {}): FileDetails => ({
  attempts: [],
  referrer: null,
  headers: [],
  hidden_headers: [],
  mirrors: [],
  checksums: [],
  finished: null,
  ...parts,
})
const busy = inEnglish('bad-status.busy')
const names = (facts: { name: string }[]) => facts.map((fact) => fact.name)

describe('an attempt', () => {
  it('the line about an attempt shows its outcome, and only a final failure counts as a problem', () => {
    expect(attemptLine(attempt({ bytes: 8_100_000 }), record())).toEqual({
      text: 'Completed, 8.1\u00a0MB.',
      trouble: false,
    })
    expect(attemptLine(attempt({ trouble: busy }), record())).toEqual({ text: busy.text, trouble: false })
    expect(attemptLine(attempt({ trouble: busy, is_final: true }), record()).trouble).toBe(true)
    const running = attempt({ ended: null, bytes: 3_000_000 })
    expect(attemptLine(running, record({ downloaded: 4_000_000, size: 8_000_000 })).text).toBe('In progress, 4.0 of 8\u00a0MB.')
    expect(attemptLine(attempt({ ended: null }), record()).text).toBe('Connecting.')
  })

  it('the line about an attempt shows its start, duration, received bytes and status', () => {
    expect(attemptWhen(attempt({ number: 2, brought: 300_000, status: 503 }), record(), at)).toBe(
      'Attempt 2 · 00:01:00 · took 12\u00a0s · 300\u00a0kB received · the server answered 503',
    )
    const running = attempt({ ended: null, brought: 100_000, bytes: 500_000 })
    expect(attemptWhen(running, record({ downloaded: 900_000 }), at)).toBe(
      'Attempt 1 · 00:01:00 · running for 40\u00a0s · 500\u00a0kB received',
    )
    // Some attempts have only an end time: those that an older version recorded, and those that a crash interrupted.
    expect(attemptWhen(attempt({ started: null, brought: null }), record(), at)).toBe('Attempt 1 · 00:01:12')
  })
})

describe('a restarted attempt', () => {
  const anew = (why: Restart['why']) => anewLine(attempt({ restart: { why, bytes: 8_100_000 } }))

  it('the line about a restarted attempt shows the reason of the restart and the discarded bytes', () => {
    expect(anewLine(attempt())).toBeNull()
    expect(anew('changed')).toBe('Restarted: the file on the server has changed. 8.1\u00a0MB discarded.')
    expect(anew('no-ranges')).toBe('Restarted: the server does not support resuming. 8.1\u00a0MB discarded.')
    expect(anew('differs')).toBe('Restarted: the server now sends different data. 8.1\u00a0MB discarded.')
    expect(anew('gone')).toBe('Restarted: the partial file was moved or deleted. 8.1\u00a0MB lost.')
  })

  it('the copied text of an attempt includes the reason of its restart', () => {
    const text = activityText(
      record(),
      known({ attempts: [attempt({ bytes: 1, restart: { why: 'changed', bytes: 1000 } })] }),
      at,
    )
    expect(text.split('\n').slice(-2)).toEqual([
      'Restarted: the file on the server has changed. 1 kB discarded.',
      'Completed, 1 B.',
    ])
  })
})

describe('a file of unknown size', () => {
  it('a file of unknown size is not reported as checked by size', () => {
    const facts = fileFacts(record({ verified: 'size-unknown' }), null, registration(), at)
    expect(facts.find((fact) => fact.name === 'Checked')?.values).toEqual(['Size unknown; no checksum available'])
  })
})

describe('a file on a disk without some guarantees', () => {
  it('the facts of a file include each guarantee that its disk lacks', () => {
    const facts = fileFacts(record({ missing_guarantees: ['exclusive-name', 'at-once'] }), null, registration(), at)
    expect(facts.find((fact) => fact.name === 'Missing guarantees')?.values).toEqual([
      'This disk cannot reserve a file name, so another program could take the name at the same moment.',
      'This disk cannot rename files, so the file was copied to its final name.',
    ])
    expect(names(fileFacts(record(), null, registration(), at))).not.toContain('Missing guarantees')
  })
})

describe('the server response', () => {
  const answered = record({
    url: 'https://example.org/a',
    status: 200,
    status_text: 'OK',
    url_chain: ['https://example.org/a', 'https://cdn.example:8443/b'],
    headers: [
      ['content-type', 'text/plain'],
      ['etag', '"1"'],
    ],
  })

  it('the response section shows the host and the raw response head', () => {
    expect(answerLine(answered, known())).toBe('cdn.example:8443 answered “200 OK”.')
    expect(answerLine({ ...answered, url_chain: [] }, known())).toBe('example.org answered “200 OK”.')
    expect(rawHead(answered)).toBe('200 OK\ncontent-type: text/plain\netag: "1"')
  })

  it('a refused response shows only its status and host', () => {
    const refused = { ...answered, status: 404, status_text: null }
    const last = attempt({ trouble: busy, status: 404, url_chain: ['https://example.org/a', 'https://b.example/'] })
    expect(answerLine(refused, known({ attempts: [last] }))).toBe('b.example answered “404”.')
    expect(answerLine(refused, known())).toBe('example.org answered “404”.')
    expect(activityText(refused, known(), at)).toBe('https://example.org/a\n\nexample.org answered “404”.')
  })

  it('the copied response includes the attempts and redirects', () => {
    const text = activityText(answered, known({ attempts: [attempt({ bytes: 1 })] }), at)
    expect(text.split('\n\n')).toEqual([
      'https://example.org/a',
      'Attempt 1 · 00:01:00 · took 12 s\nCompleted, 1 B.',
      'https://example.org/a\n→ https://cdn.example:8443/b',
      'cdn.example:8443 answered “200 OK”.\n200 OK\ncontent-type: text/plain\netag: "1"',
    ])
    const lost = attempt({ trouble: busy, url_chain: ['https://example.org/a', 'https://b.example/'] })
    expect(
      activityText(record(), known({ attempts: [lost] }), at)
        .split('\n')
        .slice(-3),
    ).toEqual([busy.text, 'https://example.org/a', '→ https://b.example/'])
    expect(activityText(record(), known(), at)).toBe(record().url)
  })
})

describe('the facts', () => {
  it('the facts about a file show no value twice', () => {
    const digest = 'sha-256=ab'
    const done = record({
      url: 'https://example.org/a.bin',
      url_chain: ['https://example.org/a.bin'],
      path: '/home/robin/films/a (1).bin',
      size: 1_500_000,
      downloaded: 1_500_000,
      outcome: 'success',
      verified: 'by-digest',
      digest,
    })
    const facts = fileFacts(
      done,
      known({ checksums: [digest, 'md5=cd'], mirrors: ['https://m.example/a'], referrer: 'https://example.org/' }),
      registration(),
      at,
    )
    expect(names(facts)).toEqual([
      'Address',
      'Linked from',
      'Mirrors',
      'File name',
      'Folder',
      'Size',
      'Checked',
      'Checksum',
      'Expected',
    ])
    expect(facts.find((fact) => fact.name === 'Folder')?.values).toEqual(['/home/robin/films'])
    expect(facts.find((fact) => fact.name === 'Size')?.values).toEqual(['1.5\u00a0MB (1,500,000 bytes)'])
    expect(facts.find((fact) => fact.name === 'Expected')?.values).toEqual(['md5=cd'])
    expect(fileName(done)).toBe('a (1).bin')
    expect(fileName(record({ url: 'https://example.org/b%20c' }))).toBe('b c')
  })

  it('the folder of a download can be changed, but not the folder of one of its files', () => {
    const one = registration({ requests: 1 })
    expect(fileFacts(record(), known(), one, at).filter(({ isFolder }) => isFolder)).toHaveLength(1)
    const many = registration({ requests: 2 })
    const moved = record({ path: '/elsewhere/a' })
    expect(fileFacts(moved, known(), many, at).filter(({ isFolder }) => isFolder)).toEqual([])
    expect(registrationFacts(many, at).filter(({ isFolder }) => isFolder)).toHaveLength(1)
  })

  it('the facts show the folder and the number of files only for a download with several files', () => {
    const set = registration({ requests: 3, succeeded: 1, settled: 2000, expires: 3000 })
    expect(names(registrationFacts(set, at))).toEqual([
      'Name',
      'Files',
      'Folder',
      'Added',
      'Ended',
      'Will leave the list',
      'Added by',
      'Id',
    ])
    expect(names(fileFacts(record(), null, set, at))).toEqual(['Address', 'File name'])
    const one = registration({ state: 'settled', result: 'success', settled: 2000, owner: 'my-feeds', last_updated: 1500 })
    expect(names(registrationFacts(one, at))).toEqual(['Added', 'Added again', 'Finished', 'Added by', 'Id'])
    expect(registrationFacts(one, at)[3]?.values).toEqual(['my-feeds'])
  })
})

describe('the speed sentence', () => {
  it('the speed sentence contains the current, mean and highest speed', () => {
    const speeds = Array.from({ length: 120 }, () => 1)
    expect(speedSentence({ speeds, current: 11_400_000, mean: 10_000_000, highest: 12_000_000 })).toBe(
      'Speed in the last 2 minutes: 11.4\u00a0MB/\u2060s now, 10.0\u00a0MB/\u2060s on average, 12.0\u00a0MB/\u2060s at the peak.',
    )
    expect(speedSentence({ speeds: speeds.slice(60), current: null, mean: null, highest: 0 })).toBe(
      'Speed in the last minute: not running now, 0\u00a0B/\u2060s on average, 0\u00a0B/\u2060s at the peak.',
    )
  })
})

it('the record of a running file has the progress of its row', () => {
  const running = registration({ state: 'running', downloaded: 2_700_000, expected_total: 9_000_000 })
  const read = record({ state: 'active', downloaded: 2_200_000 })
  expect(withProgress(read, running)).toMatchObject({ downloaded: 2_700_000, size: 9_000_000 })
  // The progress may be older than the record.
  expect(withProgress({ ...read, downloaded: 2_800_000 }, running).downloaded).toBe(2_800_000)
  expect(withProgress(read, { ...running, requests: 2 })).toBe(read)
  const completed = record({ state: 'completed', downloaded: 1 })
  expect(withProgress(completed, running)).toBe(completed)
})
