import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import type { Api, ExistingLinks, NewRequest, Probed, UnderstoodLine } from '../../src/api/api'
import { Findings } from '../../src/add/probe.svelte'
import { registration } from '../registration'

const NOTHING: ExistingLinks = { files: [], category: 'other', folder: '', is_name_taken: false }

/** Simulated engine whose probes are answered by the test. */
function engine(mayAsk?: () => boolean) {
  const asked: { request: NewRequest; answer: (probed: Probed) => void }[] = []
  const letGo: string[] = []
  const names: (string | null)[] = []
  const folders: (string | null)[] = []
  const api = {
    probe: (request: NewRequest) => new Promise<Probed>((answer) => asked.push({ request, answer })),
    letGo: async (probe: string) => void letGo.push(probe),
    known: async (_: string[], folder: string | null, name: string | null) => (names.push(name), folders.push(folder), NOTHING),
  } as unknown as Api
  return { asked, letGo, names, folders, findings: new Findings(api, mayAsk) }
}

const line = (...urls: string[]): UnderstoodLine => ({
  number: 1,
  lines: 1,
  text: '',
  requests: urls.map((url) => ({ url })),
  sign_in: null,
  trouble: null,
})
const probed = (probe: string): Probed => ({
  probe,
  waits_seconds: 120,
  status: 200,
  name: 'a.iso',
  size: 5,
  may_resume: true,
  trouble: null,
})
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1000)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('the probe response of an added request is kept, and unused responses are released', async () => {
  const { asked, letGo, names, findings } = engine()
  findings.follow([line('https://a.example/1', 'https://a.example/2')], '', 'pasted')
  await settle()
  expect(asked.map(({ request }) => request.url)).toEqual(['https://a.example/1', 'https://a.example/2'])
  asked.forEach(({ answer }, place) => answer(probed(`probe ${place}`)))
  await settle()
  const [one, two] = asked.map(({ request }) => request) as [NewRequest, NewRequest]
  expect(findings.with(one).probe).toBe('probe 0')
  findings.end([one])
  expect(letGo).toEqual(['probe 1'])
  expect(findings.with(two).probe).toBeUndefined()
  expect(names).toEqual([null])
})

it('the probed file name is looked up in the newly chosen folder', async () => {
  const { asked, names, folders, findings } = engine()
  findings.follow([line('https://a.example/1')], '', 'pasted')
  await settle()
  findings.moved([{ url: 'https://a.example/1' }], '/elsewhere')
  asked[0]!.answer(probed('probe'))
  await settle()
  expect([names.at(-1), folders.at(-1)]).toEqual(['a.iso', '/elsewhere'])
})

it('a probe response that may have expired is marked as late, but its id is still sent', async () => {
  const { asked, letGo, findings } = engine()
  findings.follow([line('https://a.example/1')], '', 'pasted')
  await settle()
  asked[0]!.answer(probed('old'))
  await vi.advanceTimersByTimeAsync(119_000)
  expect(findings.late.size).toBe(0)
  await vi.advanceTimersByTimeAsync(2_000)
  const { request } = asked[0]!
  expect([...findings.late]).toEqual([probed('old')])
  expect([findings.with(request).probe, letGo]).toEqual(['old', []])

  findings.follow([line('https://a.example/2')], '', 'pasted')
  await settle()
  asked[1]!.answer(probed('other'))
  findings.end()
  await vi.advanceTimersByTimeAsync(200_000)
  expect(findings.late.size, 'the result is no longer needed').toBe(1)
})

it('a probe response that is no longer needed is released on arrival', async () => {
  const { asked, letGo, findings } = engine()
  findings.follow([line('https://a.example/1')], '', 'pasted')
  await settle()
  findings.follow([line('https://a.example/other')], '', 'pasted')
  asked[0]!.answer(probed('late'))
  await settle()
  expect(letGo).toEqual(['late'])
  asked[1]!.answer(probed('kept'))
  await settle()
  findings.end()
  expect(letGo).toEqual(['late', 'kept'])
})

it('replaced links and long lists are not probed', async () => {
  const { asked, names, findings } = engine()
  findings.follow([line('https://a.example/half')], '', 'pasted')
  findings.follow([line('https://a.example/whole')], '', 'pasted')
  await settle()
  expect(asked.map(({ request }) => request.url)).toEqual(['https://a.example/whole'])
  asked[0]!.answer(probed('one'))
  await settle()
  expect(names.at(-1)).toBe('a.iso')
  findings.follow([line(...Array.from({ length: 5 }, (_, number) => `https://b.example/${number}`))], '', 'pasted')
  await settle()
  expect(asked).toHaveLength(1)
})

it('a new folder for several links causes no look-up of file names', async () => {
  const { names, findings } = engine()
  const [one, two] = [{ url: 'https://a.example/1' }, { url: 'https://a.example/2' }]
  findings.moved([one, two], '/h')
  findings.moved([one], '/ho')
  await settle()
  expect(names).toHaveLength(1)
})

it('a typed link is probed after a pause or when the field loses focus', async () => {
  const { asked, findings } = engine()
  const type = async (url: string, pause: number): Promise<void> => {
    findings.follow([line(url)], '', 'typed')
    await vi.advanceTimersByTimeAsync(pause)
  }
  for (const part of ['https://a.example/f', 'https://a.example/f.i', 'https://a.example/f.is']) await type(part, 900)
  await type('https://a.example/f.iso', 1400)
  expect(asked).toEqual([])
  await vi.advanceTimersByTimeAsync(200)
  expect(asked.map(({ request }) => request.url)).toEqual(['https://a.example/f.iso'])
  await type('https://a.example/latest', 60_000)
  expect(asked).toHaveLength(1)
  findings.follow([line('https://a.example/latest')], '', 'left')
  await vi.advanceTimersByTimeAsync(0)
  expect(asked.map(({ request }) => request.url).at(-1)).toBe('https://a.example/latest')
})

it('adding waits for running probes and starts no new probe', async () => {
  const { asked, findings } = engine()
  const all = [line('https://a.example/1')]
  findings.follow(all, '', 'pasted')
  await vi.advanceTimersByTimeAsync(0)
  let isAnswered = false
  void findings.answered().then(() => (isAnswered = true))
  await vi.advanceTimersByTimeAsync(1000)
  expect(isAnswered).toBe(false)
  asked[0]!.answer(probed('one'))
  await vi.advanceTimersByTimeAsync(0)
  expect(isAnswered).toBe(true)
  expect(findings.with(asked[0]!.request).probe).toBe('one')

  findings.follow([...all, line('https://a.example/2')], '', 'pasted')
  await findings.answered()
  await settle()
  expect(asked).toHaveLength(1)
})

it('an unresponsive server delays adding by only a few seconds', async () => {
  const { findings } = engine()
  findings.follow([line('https://a.example/1')], '', 'pasted')
  await vi.advanceTimersByTimeAsync(0)
  let isAnswered = false
  void findings.answered().then(() => (isAnswered = true))
  await vi.advanceTimersByTimeAsync(6000)
  expect(isAnswered).toBe(true)
})

it('a link is not probed if it continues a download', async () => {
  const answers: ((known: ExistingLinks) => void)[] = []
  const asked: string[] = []
  const api = {
    probe: async ({ url }: NewRequest) => (asked.push(url), probed('one')),
    letGo: async () => undefined,
    known: () => new Promise<ExistingLinks>((answer) => answers.push(answer)),
  } as unknown as Api
  const old = { link: 0, is_same: false, index: 0, registration: registration({ state: 'paused' }) }
  const findings: Findings = new Findings(api, () => findings.known.files.length === 0)
  findings.follow([line('https://a.example/1')], '', 'pasted')
  await settle()
  expect(asked, 'it is not known yet whether a request is permitted').toEqual([])
  findings.moved([{ url: 'https://a.example/1' }], '/elsewhere')
  answers[0]!(NOTHING)
  await settle()
  expect(asked, 'the latest look counts').toEqual([])
  let isAnswered = false
  answers[1]!({ ...NOTHING, files: [old] })
  void findings.answered().then(() => (isAnswered = true))
  await settle()
  expect([isAnswered, asked, findings.known.files]).toEqual([true, [], [old]])
})
