// Jobs of the Add dialog that continue after the dialog has closed.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { LINKS, engine, paste, send, settle } from './draft-engine'
import { registration } from '../registration'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('many separate links are added in the background while other links are pasted', async () => {
  const { there, draft, made } = engine()
  there.refused = new Set([LINKS[45]!])
  await paste(draft, ...LINKS)
  draft.each = 'each'
  draft.folder = '/disk'
  void draft.send()
  await vi.advanceTimersByTimeAsync(15)
  expect([draft.isOpen, draft.text, draft.isSending, draft.adding.total]).toEqual([false, '', false, 50])
  expect(draft.adding.sent).toBeGreaterThan(0)
  expect(there.learned, 'only the first download is selected').toBe(1)

  draft.offer(['https://b.example/other'])
  await draft.leave()
  const next = made()
  next.comeBack()
  const left = next.text.split('\n')
  expect([left.at(-1), left.at(-2)], 'the next page has the remaining links').toEqual(['https://b.example/other', LINKS[49]])
  expect(left).not.toContain(LINKS[0])

  await settle()
  expect([draft.adding.total, there.added.length, there.added.every(({ folder }) => folder === '/disk')]).toEqual([0, 49, true])
  expect([draft.isOpen, draft.text, draft.folder]).toEqual([true, `https://b.example/other\n${LINKS[45]}`, ''])
  expect(draft.failure?.text).toContain('49')
})

it('links refused in the background return to the dialog with all input', async () => {
  const { there, draft } = engine()
  there.refused = new Set([LINKS[3]!])
  await paste(draft, ...LINKS)
  Object.assign(draft, { each: 'each', start: 'later', folder: '/disk', cookies: 'session=1' })
  draft.exclude(draft.lines[7]!, true)
  await send(draft)
  expect([draft.isOpen, draft.text, draft.each, draft.start]).toEqual([true, `${LINKS[3]}\n${LINKS[7]}`, 'each', 'later'])
  expect(
    draft.requests.map(({ url }) => url),
    'an excluded link stays excluded',
  ).toEqual([LINKS[3]])
  expect([draft.folder, draft.cookies, draft.failure?.place]).toEqual(['/disk', 'session=1', 'links'])
})

it('a single link is added in the background while an earlier job runs', async () => {
  const { there, draft } = engine()
  await paste(draft, ...LINKS)
  draft.each = 'each'
  void draft.send()
  await vi.advanceTimersByTimeAsync(1)
  draft.offer(['https://b.example/2'])
  void draft.send()
  await vi.advanceTimersByTimeAsync(1)
  expect([draft.isOpen, draft.text, draft.isSending]).toEqual([false, '', false])
  draft.offer(['https://b.example/3'])
  await settle()
  expect(there.added.at(-1)?.requests.map(({ url }) => url)).toEqual(['https://b.example/2'])
  expect([draft.isOpen, draft.text]).toEqual([true, 'https://b.example/3'])
})

it('a link refused in the background returns with its title, name, checksum, machine and choice', async () => {
  const files = [{ link: 0, index: 0, is_same: true, registration: registration({ state: 'settled' }) }]
  const { there, draft } = engine({ files })
  there.refused = new Set(['https://b.example/1'])
  await paste(draft, ...LINKS)
  Object.assign(draft, { each: 'each', repeat: 'again' })
  void draft.send()
  await vi.advanceTimersByTimeAsync(1)
  draft.offer(['https://b.example/1'])
  const input = { title: 'One', name: 'one.bin', checksum: 'a'.repeat(64), repeat: 'again', deviceName: 'desk' }
  Object.assign(draft, input)
  await send(draft)
  expect(draft.text).toBe('https://b.example/1')
  const { title, name, checksum, deviceName } = draft
  expect({ title, name, checksum, deviceName }).toEqual({ ...input, repeat: undefined })
  draft.text = LINKS.join('\n')
  await settle()
  expect(draft.repeat).toBe('again')
})

it('links of a job in the background return in the next page with their options, but without headers', async () => {
  const { there, draft, made } = engine()
  let answer = (): void => undefined
  there.sending = new Promise((done) => (answer = done))
  await paste(draft, ...LINKS)
  Object.assign(draft, { each: 'each', start: 'later', folder: '/disk', headers: 'X-Key: swordfish' })
  draft.choose({ device: 'd', name: 'desk' })
  void draft.send()
  await vi.advanceTimersByTimeAsync(1)
  expect(draft.isOpen).toBe(false)
  await draft.leave()
  const next = made()
  next.comeBack()
  expect(next.text.split('\n')).toEqual(LINKS)
  expect([next.isOpen, next.folder, next.each, next.start]).toEqual([true, '/disk', 'each', 'later'])
  expect([next.device, next.deviceName, next.headers]).toEqual(['d', 'desk', ''])
  answer()
  await settle()
  expect(there.sentNew).toHaveLength(50)
})
