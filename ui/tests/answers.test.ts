import { describe, expect, it } from 'vitest'

import { Answers } from '../src/lib/answers'

const WORDS = ['report', 'repair', 'rest', 'map']

/** Says what was found, and how many were looked at for it; none where it was known. */
class Search {
  readonly #answers = new Answers<readonly string[]>()
  #lookedAt = 0

  ask(wanted: string, ground: readonly unknown[] = [WORDS]): [readonly string[], number] {
    this.#lookedAt = 0
    const found = this.#answers.find(ground, wanted, (within) => {
      const words = within ?? WORDS
      this.#lookedAt = words.length
      return words.filter((word) => word.includes(wanted))
    })
    return [found, this.#lookedAt]
  }

  forget(): void {
    this.#answers.forget()
  }
}

describe('answers to a search while it is typed', () => {
  it('are looked for in what fewer letters found', () => {
    const search = new Search()
    expect(search.ask('re')).toEqual([['report', 'repair', 'rest'], 4])
    expect(search.ask('rep')).toEqual([['report', 'repair'], 3])
    expect(search.ask('repo')).toEqual([['report'], 2])
  })

  it('are there when letters are taken back, one or several', () => {
    const search = new Search()
    for (const wanted of ['r', 're', 'rep', 'repo']) search.ask(wanted)
    expect(search.ask('rep')).toEqual([['report', 'repair'], 0])
    expect(search.ask('r')).toEqual([['report', 'repair', 'rest'], 0])
    expect(search.ask('rest'), 'what goes on elsewhere begins where both are alike').toEqual([['rest'], 3])
    expect(search.ask('repo')).toEqual([['report'], 3])
  })

  it('of other words begin anew', () => {
    const search = new Search()
    search.ask('rep')
    expect(search.ask('map')).toEqual([['map'], 4])
  })

  it('of nothing at all are what everything is looked for in', () => {
    const search = new Search()
    expect(search.ask('')).toEqual([WORDS, 4])
    expect(search.ask('')).toEqual([WORDS, 0])
    search.ask('m')
    expect(search.ask('')).toEqual([WORDS, 0])
  })

  it('belong to one ground, and are gone when they are told to be', () => {
    const search = new Search()
    search.ask('rep', [WORDS, 1])
    expect(search.ask('rep', [WORDS, 2])).toEqual([['report', 'repair'], 4])
    expect(search.ask('rep', [WORDS, 2])).toEqual([['report', 'repair'], 0])
    expect(search.ask('rep', [WORDS])).toEqual([['report', 'repair'], 4])
    search.forget()
    expect(search.ask('rep')).toEqual([['report', 'repair'], 4])
  })
})
