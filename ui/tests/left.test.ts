import { expect, it } from 'vitest'

import { type Left, readLeft } from '../src/lib/left'

const NOTHING: Left = { filter: 'all', category: null, search: '', opened: [], selected: null }

it('a list is as it was left', () => {
  const left: Left = { filter: 'failed', category: 'video', search: 'thes', opened: ['a', 'b'], selected: 'b' }
  expect(readLeft(JSON.stringify(left))).toEqual(left)
})

it('what makes no sense is left out, and nothing else', () => {
  expect(readLeft(null)).toEqual(NOTHING)
  for (const text of ['', 'none', 'null', '7', '[]', '{"filter":']) expect(readLeft(text), text).toEqual(NOTHING)
  const text = '{"filter":"lost","category":7,"search":"a","opened":["a",7],"selected":{}}'
  expect(readLeft(text)).toEqual({ ...NOTHING, search: 'a', opened: ['a'] })
})
