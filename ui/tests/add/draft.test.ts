import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { LINKS, engine, paste, send, settle } from './draft-engine'
import { registration } from '../registration'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('each link becomes one download, in order, while progress is shown', async () => {
  const { there, draft } = engine()
  await paste(draft, ...LINKS)
  draft.each = 'each'
  await send(draft)
  expect(there.added.map(({ requests }) => requests[0]!.url)).toEqual(LINKS)
  expect(there.said.at(0)).toBe(0)
  expect(there.said.at(-1)).toBeGreaterThan(40)
  expect([draft.isOpen, draft.text]).toEqual([false, ''])
})

it('links offered while others are added stay in the field', async () => {
  const { there, draft } = engine()
  await paste(draft, LINKS[0]!, LINKS[1]!)
  draft.folder = '/disk'
  const sending = draft.send()
  await vi.advanceTimersByTimeAsync(1)
  draft.offer([LINKS[2]!])
  await settle()
  await sending
  expect(there.added.flatMap(({ requests }) => requests.map(({ url }) => url))).toEqual([LINKS[0], LINKS[1]])
  expect([draft.isOpen, draft.text, draft.isSending]).toEqual([true, LINKS[2], false])
  expect(there.set, 'the folder was used').toHaveLength(1)
})

it('only the added links are removed if others were offered in the meantime', async () => {
  const { there, draft } = engine()
  there.refused.add(LINKS[1]!)
  await paste(draft, LINKS[0]!, LINKS[1]!)
  draft.each = 'each'
  const sending = draft.send()
  await vi.advanceTimersByTimeAsync(1)
  draft.text = `${LINKS[2]}\n${draft.text}`
  await settle()
  await sending
  expect(draft.text).toBe(`${LINKS[2]}\n${LINKS[1]}`)
})

it('links keep their order if they are added at the top of the queue', async () => {
  const { there, draft } = engine()
  await paste(draft, ...LINKS)
  draft.each = 'each'
  draft.start = 'first'
  await send(draft)
  expect(there.added.map(({ requests }) => requests[0]!.url)).toEqual([...LINKS].reverse())
})

it('refused links stay in the field, and added links are removed', async () => {
  const { there, draft } = engine()
  there.refused = new Set([LINKS[3]!, LINKS[20]!])
  await paste(draft, ...LINKS)
  draft.each = 'each'
  await send(draft)
  expect(there.added).toHaveLength(48)
  expect(draft.text).toBe([LINKS[3], LINKS[20]].join('\n'))
  expect(draft.failure?.text).toContain('48')
  there.refused.clear()
  await send(draft)
  expect(there.added).toHaveLength(50)
})

it('unfinished download continues with new link and headers, without probe', async () => {
  const old = { link: 0, index: 2, is_same: false, registration: registration({ state: 'paused' }) }
  const { there, draft } = engine({ files: [old] })
  await paste(draft, 'curl https://a.example/a?2 -H Cookie: session=2')
  expect([draft.repeat, there.probed]).toEqual(['go-on', []])
  await send(draft)
  expect(there.relinked).toEqual([['a', 2, 'https://a.example/a?2', [['Cookie', 'session=2']]]])
  expect([there.probed, there.added]).toEqual([[], []])

  // The user decides to add the link again, which starts a probe.
  await paste(draft, 'https://a.example/a?3')
  draft.repeat = 'again'
  await settle()
  expect(there.probed).toEqual(['https://a.example/a?3'])
})

it('a running download gets a new link only if the user chooses this', async () => {
  const running = registration({ unique_id: 'old', state: 'running' })
  const { there, draft } = engine({ files: [{ link: 0, index: 0, is_same: false, registration: running }] })
  await paste(draft, 'https://a.example/course.mkv?token=2')
  expect([draft.repeats, draft.repeat]).toEqual([['again', 'go-on'], 'again'])
  draft.repeat = 'go-on'
  await send(draft)
  expect([there.relinked, there.added]).toEqual([[['old', 0, 'https://a.example/course.mkv?token=2', null]], []])
})

it('a batch of links continues unfinished downloads, skips duplicates and adds new links', async () => {
  const at = (link: number, is_same: boolean, unique_id: string, change: Parameters<typeof registration>[0]) => ({
    link,
    index: link,
    is_same,
    registration: registration({ unique_id, ...change }),
  })
  const failed = { state: 'settled', result: 'failure', failureReason: 'bad-status' } as const
  const files = [
    at(0, false, 'a', failed),
    at(1, true, 'b', { state: 'settled', result: 'success' }),
    at(2, true, 'c', { state: 'paused' }),
  ]
  const { there, draft } = engine({ files })
  await paste(draft, ...LINKS.slice(0, 4))
  expect([draft.repeats, draft.repeat, draft.sending]).toEqual([['go-on', 'skip', 'again'], 'go-on', 3])
  expect(there.probed, 'a link that is good for one use is not used up').toEqual([LINKS[1], LINKS[3]])
  await send(draft)
  expect(there.relinked).toEqual([
    ['a', 0, LINKS[0], null],
    ['c', 2, LINKS[2], null],
  ])
  expect(there.added.map(({ requests }) => requests.map(({ url }) => url))).toEqual([[LINKS[3]]])
  expect([draft.isOpen, draft.text]).toEqual([false, ''])

  await paste(draft, ...LINKS.slice(0, 4))
  draft.repeat = 'skip'
  expect(draft.sending).toBe(2)
  draft.repeat = 'again'
  expect(draft.sending).toBe(4)
})

it('only the refused replacement link stays in the field', async () => {
  const at = (link: number) => ({
    link,
    index: 0,
    is_same: false,
    registration: registration({ unique_id: String(link), state: 'settled', result: 'failure', failureReason: 'bad-status' }),
  })
  const { there, draft } = engine({ files: [at(0), at(1)] })
  there.refused.add(LINKS[1]!)
  await paste(draft, ...LINKS.slice(0, 2))
  await send(draft)
  expect(there.relinked).toHaveLength(1)
  expect([draft.text, draft.failure?.text.includes('1')]).toEqual([LINKS[1], true])
})

it('chosen folder becomes the default of its category', async () => {
  const { there, draft } = engine()
  await paste(draft, LINKS[0]!)
  await send(draft)
  expect(there.set, 'the user has chosen no folder').toEqual([])
  await paste(draft, LINKS[0]!)
  draft.folder = '/disk/films'
  await send(draft)
  expect(there.set).toEqual([['folder-video', '/disk/films']])
  expect(draft.folder, 'the engine knows it').toBe('')

  const { there: other, draft: of } = engine({ category: 'other' })
  await paste(of, LINKS[0]!)
  of.folder = '/disk'
  await send(of)
  expect(other.set, 'what is of no kind has no folder of its own').toEqual([])
})

it('restored draft contains no credentials and contacts no server', async () => {
  const { there, draft, made } = engine()
  await paste(draft, LINKS[0]!, 'curl https://a.example/b -H Cookie: session=1', LINKS[1]!)
  draft.folder = '/disk'
  draft.password = 'swordfish'
  draft.headers = 'X-Key: swordfish'
  await draft.leave()
  expect([...there.kept.values()].join()).not.toMatch(/session|swordfish/)
  there.probed.length = 0
  const next = made()
  next.comeBack()
  await settle()
  expect([next.text, next.folder, next.isOpen, there.probed]).toEqual([`${LINKS[0]}\n${LINKS[1]}`, '/disk', true, []])
  await send(next)
  expect([...there.kept]).toEqual([])

  const later = made()
  later.comeBack()
  expect([later.text, later.isOpen]).toEqual(['', false])
  await later.leave()
  expect([...there.kept]).toEqual([])
})

it('closing the dialog removes all input, and the next links are added alone', async () => {
  const { there, draft } = engine()
  await paste(draft, LINKS[0]!, LINKS[1]!)
  Object.assign(draft, {
    folder: '/disk',
    title: 'Both',
    headers: 'nonsense',
    cookies: 'session=1',
    user: 'robin',
    password: 'p',
  })
  Object.assign(draft, { each: 'each', start: 'later', isKept: true })
  await draft.send()
  expect(draft.failure?.place).toBe('headers')
  draft.isOpen = false
  expect([draft.text, draft.folder, draft.title, draft.headers, draft.cookies, draft.user, draft.password]).toEqual(
    Array.from({ length: 7 }, () => ''),
  )
  expect([draft.each, draft.start, draft.isKept, draft.failure]).toEqual(['set', 'now', false, null])
  expect(there.letGo, 'the stored responses are released').toEqual([LINKS[0], LINKS[1]])
  expect(there.set, 'the folder was not used').toEqual([])
  await draft.leave()
  expect([...there.kept]).toEqual([])

  draft.offer([LINKS[2]!])
  await settle()
  expect([draft.text, draft.count]).toEqual([LINKS[2], 1])
  await send(draft)
  expect(there.added.flatMap(({ requests }) => requests.map(({ url }) => url))).toEqual([LINKS[2]])
})

it('closing the dialog before the links are sent cancels them', async () => {
  const { there, draft } = engine()
  let answer = (): void => undefined
  there.probing = new Promise((done) => (answer = done))
  await paste(draft, LINKS[0]!)
  const sending = draft.send()
  await vi.advanceTimersByTimeAsync(0)
  draft.isOpen = false
  answer()
  await sending
  expect([there.added, draft.text, draft.isOpen, draft.isSending]).toEqual([[], '', false, false])
})

it('links that were cancelled by closing the dialog stay cancelled after the dialog opens again', async () => {
  const { there, draft } = engine()
  let answer = (): void => undefined
  there.probing = new Promise((done) => (answer = done))
  await paste(draft, LINKS[0]!)
  const sending = draft.send()
  await vi.advanceTimersByTimeAsync(0)
  draft.isOpen = false
  draft.offer([LINKS[1]!])
  answer()
  await sending
  expect([there.added, draft.text, draft.isOpen, draft.isSending]).toEqual([[], LINKS[1], true, false])
  await settle()
  await send(draft)
  expect(there.added.flatMap(({ requests }) => requests.map(({ url }) => url))).toEqual([LINKS[1]])
})

it('links refused after the dialog was closed open it again', async () => {
  const { there, draft } = engine()
  there.refused.add(LINKS[1]!)
  await paste(draft, LINKS[0]!, LINKS[1]!)
  draft.each = 'each'
  const sending = draft.send()
  await vi.advanceTimersByTimeAsync(0)
  draft.isOpen = false
  await vi.advanceTimersByTimeAsync(1000)
  await sending
  expect([draft.isOpen, draft.text]).toEqual([true, LINKS[1]])
  expect(draft.failure).not.toBeNull()
})

it('excluded links are neither probed nor added', async () => {
  const { there, draft } = engine()
  await paste(draft, LINKS[0]!, LINKS[1]!, LINKS[2]!)
  const probes = there.probed.length
  draft.exclude(draft.lines[1]!, true)
  expect([draft.count, draft.sending, draft.isExcluded(draft.lines[1]!)]).toEqual([2, 2, true])
  await settle()
  expect([there.letGo, there.probed.length], 'its stored response is released').toEqual([[LINKS[1]], probes])
  draft.exclude(draft.lines[0]!, true)
  draft.exclude(draft.lines[2]!, true)
  expect(draft.sending).toBe(0)
  draft.exclude(draft.lines[0]!, false)
  draft.exclude(draft.lines[2]!, false)
  await settle()
  await send(draft)
  expect(there.added.flatMap(({ requests }) => requests.map(({ url }) => url))).toEqual([LINKS[0], LINKS[2]])
  await paste(draft, LINKS[1]!)
  expect(draft.sending, 'the next draft excludes nothing').toBe(1)
})

it('excluding a link keeps another request for the same link', async () => {
  const { draft } = engine()
  await paste(draft, 'curl https://a.example/1 -H X-Part: 1', 'curl https://a.example/1 -H X-Part: 2')
  draft.exclude(draft.lines[0]!, true)
  expect([draft.lines.map((line) => draft.isExcluded(line)), draft.count]).toEqual([[true, false], 1])
})

it('an excluded link stays excluded when headers are typed, but not after it was removed and pasted again', async () => {
  const { draft } = engine()
  await paste(draft, LINKS[0]!, LINKS[1]!)
  draft.exclude(draft.lines[0]!, true)
  draft.headers = 'X-Key: 1'
  await draft.changed('headers')
  expect(draft.requests.map(({ url, headers }) => [url, headers])).toEqual([[LINKS[1], [['X-Key', '1']]]])
  await paste(draft, LINKS[1]!)
  await paste(draft, LINKS[0]!, LINKS[1]!)
  expect(draft.count).toBe(2)
})

it('cookies reach each server once and are not saved', async () => {
  const { there, draft } = engine()
  await paste(draft, 'https://a.example/1', 'https://a.example/2', 'https://b.example/1')
  draft.cookies = ' session=canary '
  draft.isKept = true
  await draft.leave()
  expect([...there.kept.values()].join()).not.toContain('canary')
  await send(draft)
  expect(there.given.slice(-2), 'kept when it is added').toEqual([
    ['https://a.example/2', 'session=canary', true],
    ['https://b.example/1', 'session=canary', true],
  ])
  expect(JSON.stringify(there.added)).not.toContain('canary')
  expect([draft.isOpen, draft.cookies]).toEqual([false, ''])
})

it('cookies that match no server are reported at their field', async () => {
  const { there, draft } = engine()
  await paste(draft, 'https://a.example/1', 'https://b.example/1')
  draft.cookies = 'nothing'
  await send(draft)
  expect([there.added.length, draft.failure?.place]).toEqual([0, 'cookies'])
  // A failure is also shown at the field before the links are parsed.
  draft.failure = null
  draft.text = 'https://c.example/1'
  void draft.changed('cookies')
  await vi.advanceTimersByTimeAsync(0)
  expect(draft.failure).toMatchObject({ place: 'cookies' })
  await paste(draft, 'https://a.example/1', 'https://b.example/1')
  draft.cookies = 'session=1 for a'
  await send(draft)
  expect(there.given.at(-1)).toEqual(['https://a.example/1', 'session=1 for a', false])
  expect(there.added).toHaveLength(1)
})

it('a successful probe is repeated after the cookies change', async () => {
  const { there, draft } = engine()
  draft.cookies = 'session=1'
  await paste(draft, 'https://a.example/1')
  expect(there.given, 'it hears of them with the first question').toEqual([['https://a.example/1', 'session=1', false]])
  expect(there.probed).toHaveLength(1)
  void draft.changed('sign-in')
  await settle()
  expect(there.probed, 'it gave the file').toHaveLength(1)
  draft.cookies = 'session=2'
  void draft.changed('cookies')
  await settle()
  expect(there.probed).toHaveLength(2)
  expect(there.given.at(-1)).toEqual(['https://a.example/1', 'session=2', false])
})

it('links for another machine are sent to it, without sign-in and without a probe', async () => {
  const { there, draft } = engine()
  draft.device = 'd1'
  draft.user = 'robin'
  await paste(draft, 'https://a.example/1.iso', 'https://b.example/2.iso')
  draft.title = 'Both'
  await send(draft)
  expect(there.probed).toEqual([])
  expect(there.added).toEqual([])
  expect(there.sentNew).toEqual([['Both', [{ url: 'https://a.example/1.iso' }, { url: 'https://b.example/2.iso' }], 'd1']])
  expect(there.told).toEqual([[['Both'], 'd1']])
  expect([draft.isOpen, draft.device]).toEqual([false, null])
})

it('choosing another machine stores its name, and choosing none clears the name', () => {
  const { draft } = engine()
  draft.choose({ device: 'd1', name: 'Desktop' })
  expect([draft.device, draft.deviceName]).toEqual(['d1', 'Desktop'])
  draft.choose(null)
  expect([draft.device, draft.deviceName]).toEqual([null, ''])
})

it('a typed folder does not become the default if another machine is then chosen', async () => {
  const { there, draft } = engine()
  await paste(draft, 'https://a.example/1.iso')
  draft.folder = '/disk/films'
  draft.device = 'd1'
  await send(draft)
  expect(there.sentNew).toHaveLength(1)
  expect(there.set).toEqual([])
})

it('separate links for another machine are sent one by one, with their file names as titles', async () => {
  const { there, draft } = engine()
  draft.device = 'd1'
  await paste(draft, 'https://a.example/1.iso', 'https://b.example/2.iso')
  draft.each = 'each'
  await send(draft)
  expect(there.sentNew).toHaveLength(2)
  expect(there.told).toEqual([[['1.iso', '2.iso'], 'd1']])
})

it('links that are already in the list can still be sent to another machine', async () => {
  const file = { link: 0, index: 0, is_same: true, registration: registration({ state: 'paused' }) }
  const { there, draft } = engine({ files: [file] })
  await paste(draft, 'https://a.example/1.iso')
  expect(draft.repeats).not.toEqual([])
  draft.device = 'd1'
  await settle()
  expect([draft.repeats, draft.going, draft.sending]).toEqual([[], [], 1])
  await send(draft)
  expect([there.sentNew.length, there.relinked.length]).toEqual([1, 0])
})

it('links that could not be parsed are parsed when the engine can be reached again', async () => {
  const { there, draft } = engine()
  there.isLost = true
  await paste(draft, 'https://a.example/1.iso')
  expect([draft.failure, draft.count]).toEqual([{ text: 'The connection was lost.', place: 'links' }, 0])
  there.isLost = false
  draft.readAgain()
  await settle()
  expect([draft.failure, draft.count]).toEqual([null, 1])
})

it('parsed links are not parsed again', async () => {
  const { there, draft } = engine()
  await paste(draft, 'https://a.example/1.iso')
  there.isLost = true
  draft.readAgain()
  await settle()
  expect([draft.failure, draft.count]).toEqual([null, 1])
})
