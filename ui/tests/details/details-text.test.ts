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
  mirrors: [],
  checksums: [],
  finished: null,
  ...parts,
})
const busy = { code: 'bad-status', text: 'The server is busy.' }
const names = (facts: { name: string }[]) => facts.map((fact) => fact.name)

describe('a try', () => {
  it('says what came of it, and is trouble only where it was the last', () => {
    expect(attemptLine(attempt({ bytes: 8_100_000 }), record())).toEqual({
      text: 'It arrived whole: 8.1\u00a0MB.',
      trouble: false,
    })
    expect(attemptLine(attempt({ trouble: busy }), record())).toEqual({ text: busy.text, trouble: false })
    expect(attemptLine(attempt({ trouble: busy, is_final: true }), record()).trouble).toBe(true)
    const running = attempt({ ended: null, bytes: 3_000_000 })
    expect(attemptLine(running, record({ downloaded: 4_000_000, size: 8_000_000 })).text).toBe(
      'Under way: 4.0 of 8\u00a0MB so far.',
    )
    expect(attemptLine(attempt({ ended: null }), record()).text).toBe('Under way: connecting.')
  })

  it('says when it was, how long it took, what it brought, and what the server answered', () => {
    expect(attemptWhen(attempt({ number: 2, brought: 300_000, status: 503 }), record(), at)).toBe(
      'Try 2 · 00:01:00 · took 12\u00a0s · 300\u00a0kB came · the server answered 503',
    )
    const running = attempt({ ended: null, brought: 100_000, bytes: 500_000 })
    expect(attemptWhen(running, record({ downloaded: 900_000 }), at)).toBe('Try 1 · 00:01:00 · for 40\u00a0s · 500\u00a0kB came')
    // Of an older Ashore's tries, or those that a crash cut short, only the end is known.
    expect(attemptWhen(attempt({ started: null, brought: null }), record(), at)).toBe('Try 1 · 00:01:12')
  })
})

describe('a try that began anew', () => {
  const anew = (why: Restart['why']) => anewLine(attempt({ restart: { why, bytes: 8_100_000 } }))

  it('says why, and what had come before', () => {
    expect(anewLine(attempt())).toBeNull()
    expect(anew('changed')).toBe('It began anew: the file on the server is another one now. 8.1\u00a0MB had come before.')
    expect(anew('no-ranges')).toBe(
      'It began anew: the server does not go on in the middle of a file. 8.1\u00a0MB had come before.',
    )
    expect(anew('differs')).toBe('It began anew: the server gives other bytes than the 8.1\u00a0MB that had come before.')
    expect(anew('gone')).toBe('It began anew: what had come, 8.1\u00a0MB, was moved or deleted.')
  })

  it('is copied with it', () => {
    const text = activityText(
      record(),
      known({ attempts: [attempt({ bytes: 1, restart: { why: 'changed', bytes: 1000 } })] }),
      at,
    )
    expect(text.split('\n').slice(-2)).toEqual([
      'It began anew: the file on the server is another one now. 1 kB had come before.',
      'It arrived whole: 1 B.',
    ])
  })
})

describe('a file of which nobody said how long it is', () => {
  it('is not said to have the right length', () => {
    const facts = fileFacts(record({ verified: 'size-unknown' }), null, registration(), at)
    expect(facts.find((fact) => fact.name === 'Checked')?.values).toEqual([
      'Nobody said how long it is, and there was no checksum to compare.',
    ])
  })
})

describe('a file on a disk that cannot promise everything', () => {
  it('says each promise that is missing', () => {
    const facts = fileFacts(record({ missing_guarantees: ['exclusive-name', 'at-once'] }), null, registration(), at)
    expect(facts.find((fact) => fact.name === 'Missing guarantees')?.values).toEqual([
      'This disk cannot keep another program from taking the file name at the same moment.',
      'This disk cannot rename a file, so it was copied to its name.',
    ])
    expect(names(fileFacts(record(), null, registration(), at))).not.toContain('Missing guarantees')
  })
})

describe('the answer', () => {
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

  it('is told by whom it came, and as it came', () => {
    expect(answerLine(answered, known())).toBe('cdn.example:8443 answered “200 OK”.')
    expect(answerLine({ ...answered, url_chain: [] }, known())).toBe('example.org answered “200 OK”.')
    expect(rawHead(answered)).toBe('200 OK\ncontent-type: text/plain\netag: "1"')
  })

  it('of a refusal is its status, by whom it was refused, and not the head of an earlier one', () => {
    const refused = { ...answered, status: 404, status_text: null }
    const last = attempt({ trouble: busy, status: 404, url_chain: ['https://example.org/a', 'https://b.example/'] })
    expect(answerLine(refused, known({ attempts: [last] }))).toBe('b.example answered “404”.')
    expect(answerLine(refused, known())).toBe('example.org answered “404”.')
    expect(activityText(refused, known(), at)).toBe('https://example.org/a\n\nexample.org answered “404”.')
  })

  it('is copied with the tries and the way', () => {
    const text = activityText(answered, known({ attempts: [attempt({ bytes: 1 })] }), at)
    expect(text.split('\n\n')).toEqual([
      'https://example.org/a',
      'Try 1 · 00:01:00 · took 12 s\nIt arrived whole: 1 B.',
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

describe('what is known', () => {
  it('of a file is said once, and where it differs from what was asked for', () => {
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
      'Found on',
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

  it('of a set is its folder and its files; of a single file those stand with the file', () => {
    const set = registration({ requests: 3, succeeded: 1, settled: 2000, expires: 3000 })
    expect(names(registrationFacts(set, at))).toEqual([
      'Title',
      'Files',
      'Folder',
      'Added',
      'Ended',
      'Leaves the list',
      'Asked for by',
      'Id',
    ])
    expect(names(fileFacts(record(), null, set, at))).toEqual(['Address', 'File name'])
    const one = registration({ state: 'settled', result: 'success', settled: 2000, owner: 'my-feeds', last_updated: 1500 })
    expect(names(registrationFacts(one, at))).toEqual(['Added', 'Asked for again', 'Finished', 'Asked for by', 'Id'])
    expect(registrationFacts(one, at)[3]?.values).toEqual(['my-feeds'])
  })
})

describe('the graph in words', () => {
  it('says now, on average, and at most', () => {
    const speeds = Array.from({ length: 120 }, () => 1)
    expect(speedSentence({ speeds, current: 11_400_000, mean: 10_000_000, highest: 12_000_000 })).toBe(
      'Speed of the last 2 minutes: now 11.4\u00a0MB/\u2060s, 10.0\u00a0MB/\u2060s on average, 12.0\u00a0MB/\u2060s at most.',
    )
    expect(speedSentence({ speeds: speeds.slice(60), current: null, mean: null, highest: 0 })).toBe(
      'Speed of the last minute: not running now, 0\u00a0B/\u2060s on average, 0\u00a0B/\u2060s at most.',
    )
  })
})
