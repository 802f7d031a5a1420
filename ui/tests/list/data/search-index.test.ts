import { describe, expect, it } from 'vitest'

import { Haystack } from '../../../src/list/data/search-index'

const TEXTS = ['report', '', 'repair the port', 'map', 'port']

describe('the search index', () => {
  it('the search index finds each matching text once, in order', () => {
    const haystack = new Haystack(TEXTS)
    expect([...haystack.find('rep')]).toEqual([0, 2])
    expect([...haystack.find('port')]).toEqual([0, 2, 4])
    expect([...haystack.find('r')]).toEqual([0, 2, 4])
    expect([...haystack.find('map')]).toEqual([3])
    expect([...haystack.find('report and more')]).toEqual([])
  })

  it('the search index is unaffected when the caller overwrites a result', () => {
    const haystack = new Haystack(TEXTS)
    haystack.find('port').fill(1)
    expect([...haystack.find('port')]).toEqual([0, 2, 4])
  })

  it('the search index agrees with a linear search', () => {
    const letters = ['a', 'b', 'ab', 'ba', 'aba', 'bb', 'aab']
    const texts = Array.from({ length: 300 }, (_, number) => number.toString(2).replaceAll('0', 'a').replaceAll('1', 'b'))
    const haystack = new Haystack(texts)
    for (const word of letters) {
      expect([...haystack.find(word)], word).toEqual(texts.flatMap((text, place) => (text.includes(word) ? [place] : [])))
    }
  })

  it('the search index finds no match across two texts', () => {
    expect([...new Haystack(['ab', 'cd']).find('bc')]).toEqual([])
    expect([...new Haystack(['ab', 'cd']).find('b\0c')]).toEqual([])
    expect([...new Haystack([]).find('a')]).toEqual([])
  })
})
