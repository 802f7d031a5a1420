import { describe, expect, it } from 'vitest'

import type { Event, Registration } from '../../../src/api/api'
import { Picture } from '../../../src/list/data/snapshot'
import { Sorted } from '../../../src/list/data/sort'
import { registration } from '../../registration'

const one = (unique_id: string, parts: Partial<Registration> = {}): Registration => registration({ unique_id, ...parts })
const changed = (registration: Registration): Event => ({ type: 'changed', registration })
const progress = (unique_id: string, downloaded: number): Event => ({
  type: 'progress',
  unique_id,
  owner: 'window',
  downloaded,
  uploaded: 0,
  expected_total: 100,
  speed: 7,
})

function read(picture: Picture, ...pages: Registration[][]): Picture {
  picture.beginReading()
  for (const page of pages) picture.page(page)
  picture.endReading()
  return picture
}

it('list entries show the changed state of their rows after events', () => {
  const picture = read(new Picture(), [one('b', { created: 2 }), one('a', { created: 1 })])
  const order = picture.order()
  const [, entry] = picture.entries(order)
  picture.apply(changed(one('a', { created: 1, state: 'settled', result: 'success', title: 'Done', category: 'video' })))
  expect(entry).toMatchObject({
    id: 'a',
    filter: 'done',
    needle: 'done\n',
    category: 'video',
    row: { registration: { title: 'Done' } },
  })
  expect(picture.entries(picture.order()).map(({ id }) => id)).toEqual(['b', 'a'])
  picture.apply(changed(one('c', { created: 3 })))
  expect(picture.entries(picture.order()).map(({ id }) => id)).toEqual(['c', 'b', 'a'])
})

describe('a snapshot', () => {
  it('the snapshot is read in pages, newest row first, and its rows are counted', () => {
    const picture = read(
      new Picture(),
      [one('d', { created: 4, state: 'running' }), one('c', { created: 3 })],
      [one('b', { created: 2, state: 'settled', result: 'success' }), one('a', { created: 1, state: 'paused' })],
    )
    expect(picture.order()).toEqual(['d', 'c', 'b', 'a'])
    expect(picture.counts).toEqual({ all: 4, running: 1, waiting: 1, paused: 1, done: 1, failed: 0, cancelled: 0 })
  })

  it('rows with equal creation times keep the order of the pages', () => {
    expect(read(new Picture(), [one('z'), one('m')], [one('a')]).order()).toEqual(['z', 'm', 'a'])
  })

  it('the snapshot does not overwrite an event that arrived while it was read', () => {
    const picture = new Picture()
    picture.beginReading()
    picture.apply(changed(one('a', { state: 'running', downloaded: 50 })))
    picture.page([one('a', { state: 'waiting', downloaded: 10 })])
    picture.endReading()
    expect(picture.row('a')?.registration).toMatchObject({ state: 'running', downloaded: 50 })
    expect(picture.counts).toMatchObject({ all: 1, running: 1, waiting: 0 })
  })

  it('the snapshot does not restore a row that an event has removed during the read', () => {
    const picture = read(new Picture(), [one('a')])
    picture.beginReading()
    picture.apply({ type: 'removed', unique_id: 'a', owner: 'window' })
    picture.page([one('a')])
    picture.endReading()
    expect(picture.row('a')).toBeUndefined()
    expect(picture.order()).toEqual([])
    expect(picture.counts.all).toBe(0)
  })

  it('rows that no page contains are discarded, and rows from events are kept', () => {
    const picture = read(new Picture(), [one('b', { created: 2 }), one('a', { created: 1 })])
    picture.beginReading()
    picture.page([one('b', { created: 2, state: 'running' })])
    picture.apply(changed(one('c', { created: 3 })))
    picture.endReading()
    expect(picture.order()).toEqual(['c', 'b'])
    expect(picture.counts).toEqual({ all: 2, running: 1, waiting: 1, paused: 0, done: 0, failed: 0, cancelled: 0 })
  })
})

describe('events', () => {
  it('events add new rows on top, newest first', () => {
    const picture = read(new Picture(), [one('a', { created: 1 })])
    expect(picture.apply(changed(one('b', { created: 2 })))).toBe('list')
    expect(picture.apply(changed(one('c', { created: 2 })))).toBe('list')
    expect(picture.order()).toEqual(['c', 'b', 'a'])
  })

  it('an event inserts a row at the position of its creation time', () => {
    const picture = read(new Picture(), [one('c', { created: 3 }), one('a', { created: 1 })])
    picture.apply(changed(one('b', { created: 2 })))
    expect(picture.order()).toEqual(['c', 'b', 'a'])
  })

  it('a change of the list is reported only when its order may change', () => {
    const picture = read(new Picture(), [one('a', { state: 'running' })])
    expect(picture.apply(progress('a', 10))).toBe('row')
    expect(picture.apply(changed(one('a', { state: 'running', succeeded: 1 })))).toBe('row')
    expect(picture.apply(changed(one('a', { state: 'paused' })))).toBe('list')
    expect(picture.apply(changed(one('a', { state: 'paused', title: 'other' })))).toBe('list')
    expect(picture.apply({ type: 'removed', unique_id: 'unknown', owner: 'window' })).toBe('nothing')
    expect(picture.apply(progress('unknown', 1))).toBe('nothing')
  })

  it('events replace rows instead of mutating them', () => {
    const picture = read(new Picture(), [one('a', { state: 'running' })])
    const before = picture.row('a')
    picture.apply(progress('a', 10))
    expect(picture.row('a')).not.toBe(before)
    expect(before?.registration.downloaded).toBe(0)
    expect(picture.row('a')).toMatchObject({ speed: 7, registration: { downloaded: 10, expected_total: 100 } })
  })

  it('a pause clears the speed, and later progress events are ignored', () => {
    const picture = read(new Picture(), [one('a', { state: 'running' })])
    picture.apply(progress('a', 10))
    picture.apply(changed(one('a', { state: 'paused', downloaded: 20 })))
    expect(picture.apply(progress('a', 15))).toBe('nothing')
    expect(picture.row('a')).toMatchObject({ speed: null, registration: { downloaded: 20 } })
  })

  it('events can remove a row and add it again', () => {
    const picture = read(new Picture(), [one('b', { created: 2 }), one('a', { created: 1 })])
    expect(picture.order()).toEqual(['b', 'a'])
    picture.apply({ type: 'removed', unique_id: 'b', owner: 'window' })
    picture.apply(changed(one('b', { created: 2 })))
    expect(picture.order()).toEqual(['b', 'a'])
    expect(picture.counts.all).toBe(2)
  })
})

describe('a hidden row', () => {
  const two = () => read(new Picture(), [one('b', { created: 2, state: 'settled', result: 'success' }), one('a', { created: 1 })])

  it('a hidden row is invisible and not counted', () => {
    const picture = two()
    picture.hide(['b'])
    expect(picture.row('b')).toBeUndefined()
    expect(picture.order()).toEqual(['a'])
    expect(picture.counts).toMatchObject({ all: 1, done: 0, waiting: 1 })
    expect(picture.hidden('b')?.registration.result).toBe('success')
  })

  it('a hidden row returns to its position in its current state', () => {
    const picture = two()
    picture.hide(['b'])
    picture.apply(changed(one('b', { created: 2, state: 'running' })))
    expect(picture.counts).toMatchObject({ all: 1, running: 0 })
    picture.bringBack(['b', 'never hidden'])
    expect(picture.order()).toEqual(['b', 'a'])
    expect(picture.counts).toEqual({ all: 2, running: 1, waiting: 1, paused: 0, done: 0, failed: 0, cancelled: 0 })
  })

  it('a hidden row can be removed, and a row can be hidden before it is loaded', () => {
    const picture = two()
    picture.hide(['b', 'c'])
    picture.apply({ type: 'removed', unique_id: 'b', owner: 'window' })
    picture.apply(changed(one('c', { created: 3 })))
    expect(picture.order()).toEqual(['a'])
    expect(picture.counts.all).toBe(1)
    picture.bringBack(['b', 'c'])
    expect(picture.order()).toEqual(['c', 'a'])
    expect(picture.counts.all).toBe(2)
  })
})

describe('file categories', () => {
  it('file categories are counted under each filter and follow changes', () => {
    const picture = read(new Picture(), [
      one('a', { category: 'video', state: 'settled', result: 'success' }),
      one('b', { category: 'other', state: 'running' }),
    ])
    expect(picture.kinds.all).toMatchObject({ video: 1, other: 1, document: 0 })
    expect(picture.kinds.done).toMatchObject({ video: 1, other: 0 })
    // The response determines the category, so the row moves to another category.
    expect(picture.apply(changed(one('b', { category: 'archive', state: 'running' })))).toBe('list')
    expect(picture.kinds.running).toMatchObject({ other: 0, archive: 1 })
    picture.hide(['a'])
    expect(picture.kinds.all).toMatchObject({ video: 0, archive: 1 })
    picture.apply({ type: 'removed', unique_id: 'b', owner: 'window' })
    expect(picture.kinds.all).toMatchObject({ archive: 0 })
  })
})

describe('another sort order', () => {
  it('a sorted list follows every change of its rows', () => {
    const sized = (unique_id: string, expected_total: number): Registration =>
      one(unique_id, { expected_total, state: 'running' })
    const picture = read(new Picture(), [sized('a', 1), sized('b', 2), sized('c', 3)])
    expect(picture.order('size')).toEqual(['c', 'b', 'a'])
    picture.apply({ type: 'progress', unique_id: 'a', owner: 'window', downloaded: 0, uploaded: 0, expected_total: 9, speed: 1 })
    expect(picture.order('size')).toEqual(['a', 'c', 'b'])
    picture.apply(changed(sized('d', 8)))
    picture.hide(['c'])
    expect(picture.order('size')).toEqual(['a', 'd', 'b'])
    picture.apply({ type: 'removed', unique_id: 'a', owner: 'window' })
    picture.bringBack(['c'])
    expect(picture.order('size')).toEqual(['d', 'c', 'b'])
    picture.apply(changed({ ...sized('b', 2), title: 'alpha' }))
    picture.apply(changed({ ...sized('d', 8), title: 'beta' }))
    expect(picture.order('name')).toEqual(['b', 'd', 'c'])
    expect(picture.order()).toHaveLength(3)
  })
  it('a sorted list equals a fresh sort after random changes', () => {
    // Fixed seed, so that a failure can be reproduced.
    let seed = 5
    const chance = (below: number): number => (seed = (seed * 48271) % 2147483647) % below
    const made = (id: string): Registration =>
      one(id, { title: `part ${chance(30)}`, state: 'running', expected_total: 100, downloaded: chance(100), created: chance(9) })
    const sorts = ['name', 'size', 'progress', 'speed', 'left'] as const
    const picture = read(
      new Picture(),
      Array.from({ length: 300 }, (_, number) => made(`r${number}`)),
    )
    for (const sort of sorts) picture.prepare(sort)
    for (let turn = 0; turn < 1200; turn += 1) {
      for (let change = turn % 40 === 0 ? 150 : chance(5); change > 0; change -= 1) {
        const id = `r${chance(330)}`
        const happen = [
          () => picture.apply(changed(made(id))),
          () => picture.apply(progress(id, chance(100))),
          () => picture.apply({ type: 'removed', unique_id: id, owner: 'window' }),
          () => picture.hide([id]),
          () => picture.bringBack([id]),
        ]
        happen[chance(happen.length)]!()
      }
      // The other orders collect their changes until they are requested.
      const sort = sorts[chance(sorts.length)]!
      const kept = picture.order(sort)
      if (turn % 5 !== 0) continue
      const rows = picture.order().map((id) => picture.row(id)!)
      const fresh = new Sorted(sort, (id) => picture.row(id), rows)
      expect(kept, `${sort}, turn ${turn}`).toEqual(fresh.order())
    }
  })

  it('an order is the same array until a row changes, even if another order is requested', () => {
    const picture = read(new Picture(), [one('b', { title: 'a' }), one('a', { title: 'b' })])
    const byName = picture.order('name')
    picture.order('size')
    picture.order()
    expect(picture.order('name')).toBe(byName)
  })
})
