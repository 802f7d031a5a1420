import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Api } from '../src/api/api'
import type { Downloads } from '../src/stores/downloads.svelte'
import { Picture } from '../src/stores/picture'
import { Shown } from '../src/stores/shown.svelte'
import { registration } from './registration'

vi.mock('../src/stores/clock.svelte', () => ({ clock: { now: 0 } }))

/** So long the engine is not asked after a letter. */
const REST = 150

/** A list of three, and an engine that also finds `engine` for whatever it is asked. */
function world(engine: string[]) {
  const picture = new Picture()
  picture.beginReading()
  picture.page(['thesis.pdf', 'theses.zip', 'photo.jpg'].map((title) => registration({ unique_id: title, title })))
  picture.endReading()
  const looked = vi.spyOn(picture, 'entries')
  const downloads = {
    listVersion: 0,
    totals: { running: 0 },
    order: () => picture.order(),
    entries: (order: readonly string[]) => picture.entries(order),
    entry: (id: string) => picture.entry(id),
    peek: (id: string) => picture.row(id),
  } as unknown as Downloads
  const list = vi.fn(async () => engine.map((title) => registration({ unique_id: title, title })))
  return { shown: new Shown({ list } as unknown as Api, downloads), list, looked }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a search', () => {
  it('shows what the words find at once, and what only the engine finds when typing rests', async () => {
    const { shown, list } = world(['thesis.pdf', 'photo.jpg'])
    shown.search = 'Thes'
    expect(shown.ids).toEqual(['thesis.pdf', 'theses.zip'])
    await vi.advanceTimersByTimeAsync(REST)
    expect(list).toHaveBeenCalledOnce()
    expect(shown.ids).toEqual(['thesis.pdf', 'theses.zip', 'photo.jpg'])
    shown.search = 'Thesi'
    expect(shown.ids, 'found for other words').toEqual(['thesis.pdf'])
  })

  it('looks through the list once, where the engine finds the same', async () => {
    const { shown, list, looked } = world(['thesis.pdf'])
    shown.search = 'thes'
    expect(shown.ids).toEqual(['thesis.pdf', 'theses.zip'])
    await vi.advanceTimersByTimeAsync(REST)
    expect(list).toHaveBeenCalledOnce()
    expect(shown.ids).toEqual(['thesis.pdf', 'theses.zip'])
    expect(looked).toHaveBeenCalledOnce()
  })

  it('is not answered with what an earlier one found', async () => {
    const { shown, list } = world(['photo.jpg'])
    shown.search = 'thes'
    await vi.advanceTimersByTimeAsync(REST - 1)
    shown.search = 'zip'
    await vi.advanceTimersByTimeAsync(1)
    expect(list).not.toHaveBeenCalled()
    shown.search = ''
    await vi.advanceTimersByTimeAsync(REST)
    expect(list).not.toHaveBeenCalled()
    expect(shown.ids).toHaveLength(3)
  })
})
