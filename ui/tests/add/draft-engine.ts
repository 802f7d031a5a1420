// Simulated engine and helper functions for the tests of the Add dialog's draft.
import { vi } from 'vitest'

import {
  type Added,
  type Api,
  Failure,
  type ExistingLinks,
  type NewRegistration,
  type NewRequest,
  type UnderstoodLine,
} from '../../src/api/api'
import { Draft } from '../../src/add/draft.svelte'
import { registration } from '../registration'

export const LINKS = Array.from({ length: 50 }, (_, number) => `https://a.example/${number}.bin`)

/** Simulated engine that treats every line as a link; `known` overrides its response to a list look-up. */
export function engine(known: Partial<ExistingLinks> = {}) {
  const there = {
    added: [] as NewRegistration[],
    calls: 0,
    learned: 0,
    refused: new Set<string>(),
    probed: [] as string[],
    probing: Promise.resolve(),
    sending: Promise.resolve(),
    letGo: [] as string[],
    relinked: [] as unknown[],
    set: [] as unknown[],
    said: [] as number[],
    kept: new Map<string, string>(),
    failed: [] as unknown[],
    given: [] as unknown[],
    sentNew: [] as unknown[],
    told: [] as unknown[],
    isLost: false,
  }
  const api = {
    understand: async (text: string): Promise<UnderstoodLine[]> => {
      if (there.isLost) throw new Failure('connection-lost', 'The connection was lost.')
      return text.split('\n').map((line, place) => {
        const [url = '', ...headers] = line.replace(/^curl /, '').split(' -H ')
        const request: NewRequest = {
          url,
          ...(headers.length > 0 && { headers: headers.map((header) => header.split(': ') as [string, string]) }),
        }
        return { number: place + 1, lines: 1, text: line, requests: [request], sign_in: null, trouble: null }
      })
    },
    known: async (): Promise<ExistingLinks> => ({
      files: [],
      category: 'video',
      folder: '/home/robin/Video',
      is_name_taken: false,
      ...known,
    }),
    probe: async ({ url }: NewRequest) => {
      there.probed.push(url)
      await there.probing
      return { probe: url, waits_seconds: 120, status: 200, name: null, size: null, may_resume: null, trouble: null }
    },
    letGo: async (probe: string) => void there.letGo.push(probe),
    set: async (...what: unknown[]) => void there.set.push(what),
    sync: {
      sendNew: async (...what: unknown[]) => {
        await there.sending
        there.sentNew.push(what)
      },
    },
    show: async () => registration(),
    resume: async () => undefined,
    giveCookies: async (url: string, cookies: string, isLasting: boolean) => {
      if (cookies.includes('for a') && url.includes('b.example'))
        throw new Failure('invalid', 'This text contains no cookies for b.example.')
      if (!cookies.includes('=')) throw new Failure('invalid', 'This text contains no cookies.')
      there.given.push([url, cookies, isLasting])
    },
    relink: async (...what: unknown[]) => {
      if (there.refused.has(String(what[2])))
        throw new Failure('wrong-state', 'This file is already complete. Add the link as a new download.')
      there.relinked.push(what)
    },
    add: async (wanted: NewRegistration): Promise<Added> => {
      // Every other call is fast. Calls in parallel would therefore end in another order.
      await new Promise((done) => setTimeout(done, 5 + (there.calls++ % 2 === 0 ? 5 : 0)))
      there.said.push(draft.adding.sent)
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
  const made = (): Draft =>
    new Draft(api, {
      learn: () => void there.learned++,
      failed: (thrown) => void there.failed.push(thrown),
      sent: (...what) => void there.told.push(what),
      keep,
    })
  const draft = made()
  return { there, draft, made }
}

export const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1000)

/** Pastes lines into the field and waits for the results. */
export async function paste(draft: Draft, ...lines: string[]): Promise<void> {
  draft.open()
  draft.how = 'pasted'
  draft.text = lines.join('\n')
  await settle()
}

export async function send(draft: Draft): Promise<void> {
  void draft.send()
  await vi.advanceTimersByTimeAsync(60_000)
}
