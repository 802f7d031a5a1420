import { describe, expect, it } from 'vitest'

import type { ConflictReport, DeviceReport, SentDownload } from '../../src/api/sync-api'
import { inEnglish } from '../../src/i18n/engine-messages'
import { syncWords } from '../../src/sync/sync-labels'
import {
  collectionName,
  conflictActions,
  conflictField,
  conflictSentence,
  conflictTitle,
  heldText,
  isCuredByLeaving,
  isRemovalLost,
  lastSeen,
  outcomeLines,
  isUndelivered,
  portOf,
  sendText,
  waitingOf,
} from '../../src/sync/sync-text'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 22, 9)

const device = (parts: Partial<DeviceReport> = {}): DeviceReport => ({
  device: 'd1',
  name: 'Desktop',
  last_seen_ms: NOW,
  is_own: false,
  is_trusted: false,
  ...parts,
})

const conflict = (parts: Partial<ConflictReport> = {}): ConflictReport => ({
  number: 1,
  title: 'thesis.pdf',
  field: 'title',
  losing: 'Draft',
  winning: 'Thesis',
  device_name: 'Desktop',
  removed_by: null,
  found_ms: NOW,
  ...parts,
})

const sentence = (parts: Partial<ConflictReport>): string => conflictSentence(conflict(parts), [device()], 'Laptop')

describe('the outcome of a cycle', () => {
  const outcome = { received: 0, sent: 0, arrived: [], is_restored: false }

  it('the text about a sync cycle says that nothing had changed', () => {
    expect(outcomeLines(outcome)).toEqual(['Everything was up to date.'])
  })

  it('the text about a sync cycle shows counts, new downloads and that a server was restored', () => {
    expect(outcomeLines({ received: 3, sent: 12, arrived: ['a.iso'], is_restored: true })).toEqual([
      'Received: 3. Sent: 12.',
      'Another machine sent “a.iso”.',
      'The server had lost a part of the list. This machine sent the missing part again.',
    ])
  })
})

it('lastSeen says on which day another machine was last seen, and marks this machine', () => {
  expect(lastSeen(device(), NOW)).toBe('Last seen: today')
  expect(lastSeen(device({ last_seen_ms: NOW - DAY }), NOW)).toBe('Last seen: yesterday')
  expect(lastSeen(device({ last_seen_ms: NOW - 30 * DAY }), NOW)).toBe('Last seen: 30 days ago')
  expect(lastSeen(device({ last_seen_ms: NOW + DAY }), NOW)).toBe('Last seen: today')
  expect(lastSeen(device({ last_seen_ms: null }), NOW)).toBe('Last seen: unknown')
  expect(lastSeen(device({ is_own: true, last_seen_ms: null }), NOW)).toBe('this machine')
})

it('collectionName has a plain name for each known collection, and repeats an unknown name', () => {
  expect(collectionName('dl-items')).toBe('Downloads')
  expect(collectionName('dl-feeds')).toBe('dl-feeds')
})

it('the progress of the first sync cycle is a sentence with grouped digits', () => {
  expect(syncWords.state.reading.progress({ received: 412, total: 1930 })).toBe('Reading 412 of 1,930')
  expect(syncWords.state.reading.progress({ received: 1932, total: 1930 })).toBe('Reading 1,930 of 1,930')
})

it('waitingOf adds up the waiting changes of all collections', () => {
  const report = { collection: 'dl-items', records: 31, on_server: 30, held: 0 }
  expect(
    waitingOf([
      { ...report, waiting: 2 },
      { ...report, waiting: 10 },
    ]),
  ).toBe(12)
  expect(waitingOf([])).toBe(0)
})

describe('a download that this machine sent', () => {
  const send = (state: SentDownload['state']): SentDownload => ({
    id: 's1',
    title: 'a.iso',
    from: 'Laptop',
    device: 'd1',
    to: 'Desktop',
    state,
    sent_ms: NOW,
  })

  it.each([
    ['waiting', 'Desktop has not fetched it yet', false],
    ['delivered', 'Delivered to Desktop', false],
    ['refused', 'Desktop did not accept it', true],
    ['expired', 'Not delivered, because Desktop was off for 30 days.', true],
    ['missed', 'Laptop sent this, but this machine was off for 30 days. You can send it again from Laptop.', false],
  ] as const)('the text for a sent download in the state %s describes that state', (state, text, isLost) => {
    expect(sendText(send(state))).toBe(text)
    expect(isUndelivered(send(state))).toBe(isLost)
  })
})

it('heldText names the machine with a newer version, or lists all possible reasons if unknown', () => {
  const report = { collection: 'dl-prefs', records: 7, on_server: 7, waiting: 0 }
  const [read, held] = [[{ ...report, held: 0 }], [{ ...report, held: 1 }]]
  expect(heldText({ newer_machine: null, collections: read })).toBeNull()
  expect(heldText({ newer_machine: null, collections: held })).toMatch(/^A record is not read if/)
  expect(heldText({ newer_machine: 'Desktop', collections: held })).toBe(
    'Desktop has a newer Ashore. What it wrote in a newer format waits until this machine is updated; the rest continues.',
  )
})

it('portOf reads the port after a host name or an IPv6 address', () => {
  expect(portOf('192.168.1.20:5000')).toBe('5000')
  expect(portOf('[fe80::1]:5000#pin')).toBe('5000')
  expect(portOf('sync.example.org')).toBe('')
})

it('isCuredByLeaving is true only for faults that are cured by leaving the list', () => {
  expect(isCuredByLeaving(inEnglish('sync-removed.device'))).toBe(true)
  expect(isCuredByLeaving(inEnglish('sync-certificate'))).toBe(true)
  expect(isCuredByLeaving(inEnglish('sync-copied'))).toBe(true)
  expect(isCuredByLeaving(inEnglish('sync-certificate.not-trusted'))).toBe(false)
  expect(isCuredByLeaving(inEnglish('sync-unreachable'))).toBe(false)
})

describe('a conflict', () => {
  it('the text about a conflict shows both values and the machine whose value lost', () => {
    expect(sentence({})).toBe('“Draft” of Desktop was overridden by “Thesis”.')
    expect(sentence({ device_name: 'Laptop' })).toBe('Your change “Draft” was overridden by “Thesis”.')
  })

  it('the text about a conflict shows states, machines and settings in words', () => {
    expect(sentence({ field: 'requested', losing: 'paused', winning: 'run' })).toContain(
      '“pause” of Desktop was overridden by “resume”',
    )
    expect(sentence({ field: 'home', losing: 'd1', winning: 'd2' })).toContain('“Desktop” of Desktop was overridden by “d2”')
    expect(sentence({ field: 'choice', losing: '{"value":3}', winning: 'default' })).toContain(
      '“3” of Desktop was overridden by “the default”',
    )
    expect(sentence({ field: 'choice', losing: '{"value":"de"}', winning: '{' })).toContain(
      '“de” of Desktop was overridden by “{”',
    )
  })

  it.each([
    ['order', '{"value":"newest-first"}', 'Newest first'],
    ['close-to-tray', '{"value":true}', 'on'],
    ['close-to-tray', '{"value":false}', 'off'],
    ['parallel', '{"value":3}', '3'],
    ['hours', '{"value":["mon-fri 08:00-18:00 slow","sat 00:00-24:00 off"]}', 'mon-fri 08:00-18:00 slow, sat 00:00-24:00 off'],
    ['of-later', '{"value":"newest-first"}', 'newest-first'],
  ])('a conflict about the setting %s shows the stored value %s as “%s”', (title, losing, text) => {
    const { take, keep } = conflictActions(conflict({ field: 'choice', title, losing, winning: 'default' }), [])
    expect([take, keep]).toEqual([`Take “${text}”`, 'Keep “the default”'])
  })

  it('each button of a conflict shows the value that applies after a click on it', () => {
    const actions = (parts: Partial<ConflictReport>) => Object.values(conflictActions(conflict(parts), [device()]))
    expect(actions({})).toEqual(['Take “Draft”', 'Keep “Thesis”'])
    expect(actions({ field: 'requested', losing: 'paused', winning: 'run' })).toEqual(['Take “pause”', 'Keep “resume”'])
    expect(actions({ field: 'home', losing: 'd1', winning: 'd2' })).toEqual(['Take “Desktop”', 'Keep “d2”'])
    expect(actions({ field: 'request', losing: '[{}]' })).toEqual(['Take the links of Desktop', 'Keep the other links'])
    expect(actions({ field: 'removed', winning: 'removed' })).toEqual(['Fetch here', 'Leave it removed'])
    expect(actions({ field: 'removed', losing: 'removed', winning: 'done' })).toEqual(['Remove it', 'Keep it'])
  })

  it('a conflict about links or a removal shows no raw values', () => {
    expect(sentence({ field: 'request', losing: '[{}]' })).toBe('The links of Desktop were overridden by other links.')
    expect(sentence({ field: 'removed', winning: 'removed' })).toBe(
      'Desktop changed this download while another machine removed it. The removal applies.',
    )
  })

  it.each([
    ['Laptop', 'Desktop', 'This machine changed this download while Desktop removed it. The removal applies.'],
    ['Desktop', 'Laptop', 'Desktop changed this download while this machine removed it. The removal applies.'],
    ['Desktop', 'Phone', 'Desktop changed this download while Phone removed it. The removal applies.'],
    ['Desktop', 'Desktop', 'Desktop changed this download while another machine removed it. The removal applies.'],
  ])('a conflict between a change of %s and a removal by %s names both machines', (device_name, removed_by, text) => {
    expect(sentence({ field: 'removed', winning: 'removed', device_name, removed_by })).toBe(text)
  })

  it('a conflict shows whether a removal or a change was lost', () => {
    const lost = conflict({ field: 'removed', losing: 'removed', winning: 'running' })
    expect(isRemovalLost(lost)).toBe(true)
    expect(conflictSentence(lost, [], 'Laptop')).toBe(
      'The shared list no longer had this download, but this machine still had it. The download stays in both places.',
    )
    expect(isRemovalLost(conflict({ field: 'removed', winning: 'removed' }))).toBe(false)
  })

  it('the title of a conflict about a setting is the name of the setting', () => {
    expect(conflictTitle(conflict({ field: 'choice', title: 'parallel' }))).not.toBe('parallel')
    expect(conflictTitle(conflict({ field: 'choice', title: 'of-later' }))).toBe('of-later')
    expect(conflictTitle(conflict())).toBe('thesis.pdf')
    expect(conflictField('requested')).toBe('Pause or resume')
    expect(conflictField('of-later')).toBe('of-later')
  })
})
