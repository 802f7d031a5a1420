import { describe, expect, it } from 'vitest'

import {
  everything,
  heir,
  ledBy,
  NOTHING,
  only,
  type Selection,
  stretched,
  these,
  toggled,
  within,
} from '../../src/list/selection'

const list = ['a', 'b', 'c', 'd', 'e']
const told = ({ lead, ids }: Selection): string => `${[...ids].sort().join('')} ${lead}`

describe('a selection', () => {
  it('gains and loses rows by toggling', () => {
    const two = toggled(only('b'), 'd')
    expect(told(two)).toBe('bd d')
    expect(told(toggled(two, 'b'))).toBe('d d')
    expect(told(toggled(two, 'd'))).toBe('b b')
    expect(told(toggled(only('b'), 'b'))).toBe(' null')
    expect(told(toggled(NOTHING, 'c'))).toBe('c c')
  })

  it('extends from its anchor in both directions', () => {
    const down = stretched(only('b'), 'd', list)
    expect(told(down)).toBe('bcd d')
    expect(told(stretched(down, 'c', list))).toBe('bc c')
    expect(told(stretched(down, 'a', list))).toBe('ab a')
    expect(told(stretched(NOTHING, 'c', list))).toBe('c c')
    expect(told(stretched(down, 'gone', list))).toBe('bcd d')
  })

  it('extends from the last clicked row, even a deselected row', () => {
    const without = toggled(these(['a', 'b', 'c']), 'b')
    expect(told(stretched(without, 'd', list))).toBe('bcd d')
    expect(told(stretched(without, 'd', list, true))).toBe('abcd d')
  })

  it('extends from the lead if the anchor no longer exists', () => {
    expect(told(stretched({ lead: 'd', anchor: 'gone', ids: new Set(['d']) }, 'e', list))).toBe('de e')
  })

  it('of all rows keeps the lead', () => {
    expect(told(everything(only('c'), list))).toBe('abcde c')
    expect(told(everything(NOTHING, list))).toBe('abcde a')
    expect(told(everything(only('c'), []))).toBe(' null')
  })

  it('accepts only a selected row as lead', () => {
    expect(told(ledBy(these(['a', 'b']), 'b'))).toBe('ab b')
    expect(told(ledBy(these(['a', 'b']), 'c'))).toBe('ab a')
  })

  it('drops removed rows and picks another lead', () => {
    const three = toggled(toggled(only('a'), 'c'), 'e')
    expect(within(three, () => true)).toBe(three)
    expect(told(within(three, (id) => id !== 'e'))).toBe('ac c')
    expect(told(within(three, (id) => id !== 'a'))).toBe('ce e')
    expect(told(within(three, () => false))).toBe(' null')
  })
})

it('successor is the next row, or the previous at the end', () => {
  const left =
    (...gone: string[]) =>
    (id: string) =>
      !gone.includes(id)
  expect(heir(list, 2, left('c'))).toBe('d')
  expect(heir(list, 4, left('d', 'e'))).toBe('c')
  expect(heir(list, 1, left('b', 'c'))).toBe('d')
  expect(heir(list, 0, left(...list))).toBeNull()
})
