import { expect, it } from 'vitest'

import { isFound } from '../../src/lib/text-search'

it('isFound requires that each word occurs in at least one of the texts, and ignores case', () => {
  const texts = ['Sync', 'One list on all your machines, encrypted']
  expect(isFound('', texts)).toBe(true)
  expect(isFound('machines SYNC', texts)).toBe(true)
  expect(isFound('machines proxy', texts)).toBe(false)
})
