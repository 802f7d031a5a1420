import { beforeEach, expect, it, vi } from 'vitest'

import type { Api } from '../../src/api/api'
import type { Downloads } from '../../src/list/data/downloads.svelte'
import type { Shown } from '../../src/list/data/visible.svelte'
import { Details, LEAST_WIDTH } from '../../src/details/details.svelte'

vi.mock('../../src/components/phone.svelte', () => ({ phone: { isNarrow: false } }))

const kept = new Map<string, string>()
beforeEach(() => {
  kept.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
})

/** Details of a list with the downloads `ids`, of which none is selected. */
function detailsOf(...ids: string[]): { details: Details; shown: Pick<Shown, 'ids' | 'selected'> } {
  const shown: Pick<Shown, 'ids' | 'selected'> = { ids, selected: null }
  const downloads = { watch: () => undefined } as unknown as Downloads
  return { details: new Details({} as Api, downloads, shown as Shown), shown }
}

it('the panel is closed after a relaunch until a download is selected', () => {
  detailsOf('a').details.toggle()
  const { details, shown } = detailsOf('a')
  expect(details.isOpen).toBe(false)
  shown.selected = { uniqueId: 'a', file: null }
  expect(details.isOpen).toBe(true)
})

it('the panel opens at the first download if none is selected', () => {
  const { details, shown } = detailsOf('a', 'b')
  details.toggle()
  expect([details.isOpen, shown.selected?.uniqueId]).toEqual([true, 'a'])
  details.toggle()
  expect(details.isOpen).toBe(false)
  const empty = detailsOf().details
  empty.open()
  expect(empty.isOpen).toBe(false)
})

it('height and width of the panel are remembered apart from each other', () => {
  const { details } = detailsOf('a')
  details.resize(320, false)
  details.resize(10, true)
  const again = detailsOf('a').details
  expect([again.height, again.width]).toEqual([320, LEAST_WIDTH])
})
