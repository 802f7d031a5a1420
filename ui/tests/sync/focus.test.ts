import { afterEach, expect, it, vi } from 'vitest'

import { ListFocus } from '../../src/sync/focus'

/** Page whose focus is on the body if `isLost`, and otherwise on a button. */
function page(isLost: boolean) {
  const title = { focus: vi.fn() }
  const body = {}
  vi.stubGlobal('document', { body, activeElement: isLost ? body : {}, querySelector: () => title })
  return title
}

afterEach(() => vi.unstubAllGlobals())

it('the title gets the focus if the focused item disappears', () => {
  const title = page(true)
  const focus = new ListFocus()
  focus.update(['d1 a', 'd1 b'])
  focus.update(['d1 a', 'd1 b', 'd1 c'])
  expect(title.focus).not.toHaveBeenCalled()
  focus.update(['d1 a', 'd2 b', 'd1 c'])
  expect(title.focus).toHaveBeenCalledOnce()
})

it('the focus does not move if an item that does not have it disappears', () => {
  const title = page(false)
  const focus = new ListFocus()
  focus.update(['d1 a', 'd1 b'])
  focus.update(['d1 a'])
  expect(title.focus).not.toHaveBeenCalled()
})
