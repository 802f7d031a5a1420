import { expect, it } from 'vitest'

import type { Added, Api, ExistingLinks, NewRegistration, UnderstoodLine } from '../../src/api/api'
import { Copied } from '../../src/add/clipboard-offer.svelte'
import { registration } from '../registration'

const LINK = 'https://a.example/a.iso'

/** Simulated engine that treats words with `https://` as links, and whose list contains the `known` links. */
function engine(known: readonly string[] = []) {
  const asked: NewRegistration[] = []
  const learnt: Added[] = []
  const decided: string[] = []
  const api = {
    understand: async (text: string): Promise<UnderstoodLine[]> =>
      text.split(/\s+/).map((word, place) => {
        const isLink = word.startsWith('https://')
        return {
          number: place + 1,
          lines: 1,
          text: word,
          requests: isLink ? [{ url: word }] : [],
          sign_in: word.endsWith('#me') ? { scheme: 'bearer', token: 'x' } : null,
          trouble: isLink ? null : { code: 'not-a-link', text: 'Not a link.' },
        }
      }),
    known: async (links: string[]): Promise<ExistingLinks> => ({
      files: links.flatMap((url, link) =>
        known.includes(url) ? [{ link, index: 0, is_same: true, registration: registration() }] : [],
      ),
      category: 'archive',
      folder: '/home/robin',
      is_name_taken: false,
    }),
    add: async (wanted: NewRegistration): Promise<Added> => (asked.push(wanted), { how: 'new', ...registration() }),
  } as unknown as Api
  const copied = new Copied(api, {
    learn: (added) => void learnt.push(added),
    decide: (text) => void decided.push(text),
    failed: () => undefined,
  })
  return { asked, learnt, decided, copied }
}

it('a single click on the offer adds the copied links to the default folder', async () => {
  const { asked, learnt, copied } = engine()
  await copied.consider(LINK)
  expect(copied.offer?.requests).toEqual([{ url: LINK }])
  expect(asked).toEqual([])
  await copied.add()
  expect(copied.offer).toBeNull()
  expect(asked).toEqual([{ owner: 'window', source: 'window', requests: [{ url: LINK }] }])
  expect(learnt).toHaveLength(1)
  await copied.add()
  expect(asked).toHaveLength(1)
})

it('known links, dismissed links and text with other words are never offered', async () => {
  const { asked, copied } = engine([LINK])
  for (const text of [LINK, 'no link', `look at ${LINK}2`, '']) {
    await copied.consider(text)
    expect(copied.offer, text).toBeNull()
  }
  await copied.consider(`${LINK}2`)
  copied.dismiss()
  await copied.add()
  expect(asked).toEqual([])
})

it('the Add dialog opens for copied links that are known or have a user name', async () => {
  const { asked, decided, copied } = engine([LINK])
  for (const text of [`${LINK} ${LINK}2`, `${LINK}3#me`]) {
    await copied.consider(text)
    await copied.add()
  }
  expect(asked).toEqual([])
  expect(decided).toEqual([`${LINK} ${LINK}2`, `${LINK}3#me`])
})

it('only the last of two copied texts is offered', async () => {
  const { copied } = engine()
  const first = copied.consider(`${LINK}1`)
  await copied.consider(`${LINK}2`)
  await first
  expect(copied.offer?.text).toBe(`${LINK}2`)
})
