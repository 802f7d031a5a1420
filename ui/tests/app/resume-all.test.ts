// Button of a row that resumes everything.
import { expect, it, vi } from 'vitest'

import { App } from '../../src/app/app.svelte'
import type { Api } from '../../src/api/api'
import { registration } from '../registration'

// The modules of the page use these objects as soon as they are loaded.
vi.hoisted(() => {
  vi.stubGlobal('document', { addEventListener: () => undefined, hidden: false })
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined })
})

/** App with one row in its list, while everything is paused. `resumed` collects the ids of the `resume` calls. */
function app(state: 'paused' | 'waiting') {
  const resumed: (string | null)[] = []
  const api = { can: {}, resume: async (id: string | null) => void resumed.push(id) } as unknown as Api
  const app = new App(api)
  const row = registration({ unique_id: 'a', state })
  vi.spyOn(app.downloads, 'peek').mockReturnValue({ registration: row } as ReturnType<typeof app.downloads.peek>)
  app.downloads.totals = { ...app.downloads.totals, paused: true }
  return { app, resumed }
}

it('row button that resumes everything also resumes its paused row', () => {
  const { app: page, resumed } = app('paused')
  page.take('resume-all', 'a')
  expect(resumed).toEqual([null, 'a'])
})

it('row button that resumes everything sends no call for a row that is not paused', () => {
  const { app: page, resumed } = app('waiting')
  page.take('resume-all', 'a')
  expect(resumed).toEqual([null])
})
