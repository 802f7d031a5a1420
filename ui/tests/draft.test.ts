import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { type Added, type Api, Failure, type Known, type NewRegistration, type NewRequest, type UnderstoodLine } from '../src/api/api'
import { Draft } from '../src/stores/draft.svelte'
import { registration } from './registration'

const LINKS = Array.from({ length: 50 }, (_, number) => `https://a.example/${number}.bin`)

/** An engine that takes every line for a link, and answers what the test has it know. */
function engine(known: Partial<Known> = {}) {
  const there = {
    added: [] as NewRegistration[],
    atOnce: 0,
    most: 0,
    refused: new Set<string>(),
    probed: [] as string[],
    relinked: [] as unknown[],
    set: [] as unknown[],
    said: [] as number[],
    kept: new Map<string, string>(),
    failed: [] as unknown[],
  }
  const api = {
    understand: async (text: string): Promise<UnderstoodLine[]> =>
      text.split('\n').map((line, place) => {
        const [url = '', ...headers] = line.replace(/^curl /, '').split(' -H ')
        const request: NewRequest = { url, ...(headers.length > 0 && { headers: headers.map((header) => header.split(': ') as [string, string]) }) }
        return { number: place + 1, lines: 1, text: line, requests: [request], sign_in: null, trouble: null }
      }),
    known: async (): Promise<Known> => ({ files: [], category: 'video', folder: '/home/robin/Video', is_name_taken: false, ...known }),
    probe: async ({ url }: NewRequest) => (there.probed.push(url), { probe: url, status: 200, name: null, size: null, may_resume: null, trouble: null }),
    letGo: async () => undefined,
    set: async (...what: unknown[]) => void there.set.push(what),
    show: async () => registration(),
    resume: async () => undefined,
    relink: async (...what: unknown[]) => void there.relinked.push(what),
    add: async (wanted: NewRegistration): Promise<Added> => {
      there.most = Math.max(there.most, ++there.atOnce)
      await new Promise((done) => setTimeout(done, 10))
      there.atOnce -= 1
      there.said.push(draft.sent)
      if (wanted.requests.some(({ url }) => there.refused.has(url))) throw new Failure('bad-port', 'Not that port.')
      there.added.push(wanted)
      return { how: 'new', ...registration() }
    },
  } as unknown as Api
  const keep = {
    getItem: (key: string) => there.kept.get(key) ?? null,
    setItem: (key: string, value: string) => void there.kept.set(key, value),
    removeItem: (key: string) => void there.kept.delete(key),
  }
  const made = (): Draft => new Draft(api, { learn: () => undefined, failed: (thrown) => void there.failed.push(thrown), keep })
  const draft = made()
  return { there, draft, made }
}

const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1000)

/** What an edit of the field does, and what comes of it. */
async function paste(draft: Draft, ...lines: string[]): Promise<void> {
  draft.open()
  draft.how = 'pasted'
  draft.text = lines.join('\n')
  await settle()
}

async function send(draft: Draft): Promise<void> {
  void draft.send()
  await vi.advanceTimersByTimeAsync(60_000)
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('many links, one each, go to the list in their order, several at once, and it is told how many are there', async () => {
  const { there, draft } = engine()
  await paste(draft, ...LINKS)
  draft.each = 'each'
  await send(draft)
  expect(there.added.map(({ requests }) => requests[0]!.url)).toEqual(LINKS)
  expect(there.most).toBe(8)
  expect(there.said.at(0)).toBe(0)
  expect(there.said.at(-1)).toBeGreaterThan(40)
  expect([draft.isOpen, draft.text]).toEqual([false, ''])
})

it('on top of what waits, the first of many comes to stand above the others', async () => {
  const { there, draft } = engine()
  await paste(draft, ...LINKS)
  draft.each = 'each'
  draft.start = 'first'
  await send(draft)
  expect(there.added.map(({ requests }) => requests[0]!.url)).toEqual([...LINKS].reverse())
})

it('what is refused of many stays in the field, and what is added does not', async () => {
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

it('the old one goes on with a link that nobody has asked for, and with what goes along with it', async () => {
  const old = { link: 0, index: 2, is_same: false, registration: registration({ state: 'paused' }) }
  const { there, draft } = engine({ files: [old] })
  await paste(draft, 'curl https://a.example/a?2 -H Cookie: session=2')
  expect([draft.repeat, there.probed]).toEqual(['go-on', []])
  await send(draft)
  expect(there.relinked).toEqual([['a', 2, 'https://a.example/a?2', [['Cookie', 'session=2']]]])
  expect([there.probed, there.added]).toEqual([[], []])

  // Whoever wants it again wants to know what it is.
  await paste(draft, 'https://a.example/a?3')
  draft.repeat = 'again'
  await settle()
  expect(there.probed).toEqual(['https://a.example/a?3'])
})

it('a folder that was chosen is from then on that of its kind, in the settings', async () => {
  const { there, draft } = engine()
  await paste(draft, LINKS[0]!)
  await send(draft)
  expect(there.set, 'nobody has chosen one').toEqual([])
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

it('what was typed is there when the window comes back, but for what is secret, and no server hears of it', async () => {
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
