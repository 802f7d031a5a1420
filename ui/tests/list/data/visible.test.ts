import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Api } from '../../../src/api/api'
import { Haystack } from '../../../src/list/data/search-index'
import type { Downloads } from '../../../src/list/data/downloads.svelte'
import { Picture } from '../../../src/list/data/snapshot'
import { Shown } from '../../../src/list/data/visible.svelte'
import { registration } from '../../registration'

vi.mock('../../../src/lib/clock.svelte', () => ({ clock: { now: 0 } }))

/** Delay before the engine is queried, in milliseconds. */
const REST = 150

/** List of three downloads, and a simulated engine that finds the ids in `engine` for every query. */
function listWith(engine: string[]) {
  const picture = new Picture()
  picture.beginReading()
  picture.page(['thesis.pdf', 'theses.zip', 'photo.jpg'].map((title) => registration({ unique_id: title, title })))
  picture.endReading()
  const downloads = {
    listVersion: 0,
    totals: { running: 0 },
    order: () => picture.order(),
    entries: (order: readonly string[]) => picture.entries(order),
    haystack: (order: readonly string[]) => picture.haystack(order),
    entry: (id: string) => picture.entry(id),
    peek: (id: string) => picture.row(id),
  } as unknown as Downloads
  const search = vi.fn(async () => engine)
  return { shown: new Shown({ search } as unknown as Api, downloads), search, picture }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('a search', () => {
  it('a search shows local matches immediately and engine matches after a pause', async () => {
    const { shown, search } = listWith(['thesis.pdf', 'photo.jpg'])
    shown.search = 'Thes'
    expect(shown.ids).toEqual(['thesis.pdf', 'theses.zip'])
    await vi.advanceTimersByTimeAsync(REST)
    expect(search).toHaveBeenCalledOnce()
    expect(shown.ids).toEqual(['thesis.pdf', 'theses.zip', 'photo.jpg'])
    shown.search = 'Thesi'
    expect(shown.ids, 'found for other words').toEqual(['thesis.pdf'])
  })

  it('the list is searched only once if the engine adds no match', async () => {
    const { shown, search } = listWith(['thesis.pdf'])
    const searched = vi.spyOn(Haystack.prototype, 'find')
    shown.search = 'thes'
    await vi.advanceTimersByTimeAsync(REST)
    expect(search).toHaveBeenCalledOnce()
    expect(shown.ids).toEqual(['thesis.pdf', 'theses.zip'])
    expect(searched).toHaveBeenCalledExactlyOnceWith('thes')
  })

  it('a search respects the filter, the order and the current titles', () => {
    const { shown, picture } = listWith([])
    const called = (title: string) => registration({ unique_id: 'theses.zip', title, state: 'running' })
    picture.apply({ type: 'changed', registration: called('theses.zip') })
    shown.search = 'e'
    expect(shown.ids).toEqual(['thesis.pdf', 'theses.zip'])
    shown.filter = 'running'
    expect(shown.ids).toEqual(['theses.zip'])
    picture.apply({ type: 'changed', registration: called('Papers') })
    shown.search = 'papers'
    expect(shown.ids).toEqual(['theses.zip'])
    shown.search = 'theses'
    expect(shown.ids).toEqual([])
  })

  it('the search index is built before the first key press', () => {
    const { shown, picture } = listWith([])
    const asked = vi.spyOn(picture, 'haystack')
    shown.expectSearch()
    expect(asked).toHaveBeenCalledOnce()
    shown.search = 'photo'
    expect(shown.ids).toEqual(['photo.jpg'])
    expect(asked.mock.results.at(-1)!.value, 'the same words').toBe(asked.mock.results[0]!.value)
  })

  it('further typing cancels the pending query to the engine', async () => {
    const { shown, search } = listWith(['photo.jpg'])
    shown.search = 'thes'
    await vi.advanceTimersByTimeAsync(REST - 1)
    shown.search = 'zip'
    await vi.advanceTimersByTimeAsync(1)
    expect(search).not.toHaveBeenCalled()
    shown.search = ''
    await vi.advanceTimersByTimeAsync(REST)
    expect(search).not.toHaveBeenCalled()
    expect(shown.ids).toHaveLength(3)
  })
})

describe('a reversed order', () => {
  it('choosing the current sort order reverses it, and choosing another one sorts without reversal', () => {
    const { shown } = listWith([])
    const ids = [...shown.ids]
    shown.sortOrReverse('newest')
    expect([shown.isReversed, shown.ids]).toEqual([true, ids.reverse()])
    shown.sortOrReverse('name')
    expect([shown.sort, shown.isReversed]).toEqual(['name', false])
  })

  it('a reversed order is searched once, and the queue is never reversed', () => {
    const { shown, picture } = listWith([])
    shown.isReversed = true
    const built = vi.spyOn(picture, 'entries')
    shown.search = 'thes'
    expect(shown.ids).toEqual(['theses.zip', 'thesis.pdf'])
    shown.search = 'thesi'
    expect(shown.ids).toEqual(['thesis.pdf'])
    expect(new Set(built.mock.calls.map(([order]) => order)).size, 'one array for one order').toBe(1)
    shown.search = ''
    shown.filter = 'waiting'
    expect([shown.isQueue, shown.ids]).toEqual([true, ['photo.jpg', 'theses.zip', 'thesis.pdf']])
  })
})
