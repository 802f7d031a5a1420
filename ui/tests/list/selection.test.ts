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
const summary = ({ lead, ids }: Selection): string => `${[...ids].sort().join('')} ${lead}`

describe('a selection', () => {
  it('toggling adds a row to the selection or removes it', () => {
    const two = toggled(only('b'), 'd')
    expect(summary(two)).toBe('bd d')
    expect(summary(toggled(two, 'b'))).toBe('d d')
    expect(summary(toggled(two, 'd'))).toBe('b b')
    expect(summary(toggled(only('b'), 'b'))).toBe(' null')
    expect(summary(toggled(NOTHING, 'c'))).toBe('c c')
  })

  it('a selection extends from its anchor in both directions', () => {
    const down = stretched(only('b'), 'd', list)
    expect(summary(down)).toBe('bcd d')
    expect(summary(stretched(down, 'c', list))).toBe('bc c')
    expect(summary(stretched(down, 'a', list))).toBe('ab a')
    expect(summary(stretched(NOTHING, 'c', list))).toBe('c c')
    expect(summary(stretched(down, 'gone', list))).toBe('bcd d')
  })

  it('a selection extends from the last clicked row, even if the click deselected that row', () => {
    const without = toggled(these(['a', 'b', 'c']), 'b')
    expect(summary(stretched(without, 'd', list))).toBe('bcd d')
    expect(summary(stretched(without, 'd', list, true))).toBe('abcd d')
  })

  it('a selection extends from its lead row if its anchor row no longer exists', () => {
    expect(summary(stretched({ lead: 'd', anchor: 'gone', ids: new Set(['d']) }, 'e', list))).toBe('de e')
  })

  it('selecting all rows does not change the lead row', () => {
    expect(summary(everything(only('c'), list))).toBe('abcde c')
    expect(summary(everything(NOTHING, list))).toBe('abcde a')
    expect(summary(everything(only('c'), []))).toBe(' null')
  })

  it('only a selected row can become the lead row', () => {
    expect(summary(ledBy(these(['a', 'b']), 'b'))).toBe('ab b')
    expect(summary(ledBy(these(['a', 'b']), 'c'))).toBe('ab a')
  })

  it('removed rows leave the selection, and another row becomes the lead', () => {
    const three = toggled(toggled(only('a'), 'c'), 'e')
    expect(within(three, () => true)).toBe(three)
    expect(summary(within(three, (id) => id !== 'e'))).toBe('ac c')
    expect(summary(within(three, (id) => id !== 'a'))).toBe('ce e')
    expect(summary(within(three, () => false))).toBe(' null')
  })
})

it('the successor of a removed selection is the next row, or the previous row at the end', () => {
  const allExcept =
    (...gone: string[]) =>
    (id: string) =>
      !gone.includes(id)
  expect(heir(list, 2, allExcept('c'))).toBe('d')
  expect(heir(list, 4, allExcept('d', 'e'))).toBe('c')
  expect(heir(list, 1, allExcept('b', 'c'))).toBe('d')
  expect(heir(list, 0, allExcept(...list))).toBeNull()
})
