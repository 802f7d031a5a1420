import { describe, expect, it } from 'vitest'

import { bySooner, gapAfter, putInto } from '../../../src/list/data/queue-order'
import { registration } from '../../registration'

const ids = ['a', 'b', 'c', 'd']
/** Groups of ids to move: single ids, adjacent ids, and ids that are not adjacent. */
const SOME = [...ids.map((id) => [id]), ['a', 'b'], ['b', 'd'], ['a', 'c', 'd'], ids]

/** Applies the moves one after the other, as the engine does. */
function moved(these: readonly string[], gap: number): string[] {
  const place = putInto(ids, these, gap)
  if (place === null) return ids
  return these.reduce((before, id) => {
    const others = before.filter((other) => other !== id)
    if (place === 'bottom') return [...others, id]
    if (typeof place === 'string') throw new Error(place)
    return others.toSpliced(others.indexOf(place.before), 0, id)
  }, ids)
}

describe('a place in the queue', () => {
  it('moved downloads are placed in the queue between the neighbours of the chosen gap', () => {
    for (const these of SOME) {
      for (let gap = 0; gap <= ids.length; gap += 1) {
        const [above, below] = [ids.slice(0, gap), ids.slice(gap)].map((part) => part.filter((other) => !these.includes(other)))
        expect(moved(these, gap), `${these.join()} into ${gap}`).toEqual([...above!, ...these, ...below!])
      }
    }
  })

  it('the place in the queue is null if the move would change nothing', () => {
    expect(putInto(ids, ['b'], 1)).toBeNull()
    expect(putInto(ids, ['b'], 2)).toBeNull()
    for (const gap of [1, 2, 3]) expect(putInto(ids, ['b', 'c'], gap)).toBeNull()
    expect(putInto(ids, ['gone'], 0)).toBeNull()
    expect(putInto(ids, [], 0)).toBeNull()
  })

  it('a download that is moved step by step stops at the ends of the queue', () => {
    const after = (id: string, steps: number): string => moved([id], gapAfter(ids, id, steps)).join('')
    expect([after('b', -1), after('b', 1), after('b', 2)]).toEqual(['bacd', 'acbd', 'acdb'])
    expect([after('a', -1), after('d', 1), after('c', -Infinity), after('a', Infinity)]).toEqual(['abcd', 'abcd', 'cabd', 'bcda'])
  })
})

it('urgent downloads run first, then rank decides', () => {
  const queue = [
    registration({ unique_id: 'c', rank: 30 }),
    registration({ unique_id: 'd', rank: -5 }),
    registration({ unique_id: 'a', rank: 40, urgent: true }),
    registration({ unique_id: 'b', rank: 50, urgent: true }),
  ]
  expect(queue.sort(bySooner).map((one) => one.unique_id)).toEqual(['a', 'b', 'd', 'c'])
})
