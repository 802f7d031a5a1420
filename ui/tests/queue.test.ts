import { describe, expect, it } from 'vitest'

import { bySooner, gapAfter, putInto } from '../src/lib/queue'
import { registration } from './registration'

const ids = ['a', 'b', 'c', 'd']

/** What the engine makes of a move. */
function moved(id: string, gap: number): string[] {
  const place = putInto(ids, id, gap)
  const others = ids.filter((other) => other !== id)
  if (place === null) return ids
  if (place === 'bottom') return [...others, id]
  if (typeof place === 'string') throw new Error(place)
  return others.toSpliced(others.indexOf(place.before), 0, id)
}

describe('a place in the queue', () => {
  it('is between the two that it was put between', () => {
    for (const id of ids) {
      for (let gap = 0; gap <= ids.length; gap += 1) {
        const [above, below] = [ids.slice(0, gap).filter((other) => other !== id), ids.slice(gap).filter((other) => other !== id)]
        expect(moved(id, gap), `${id} into ${gap}`).toEqual([...above, id, ...below])
      }
    }
  })

  it('is not asked for where it stands already', () => {
    expect(putInto(ids, 'b', 1)).toBeNull()
    expect(putInto(ids, 'b', 2)).toBeNull()
    expect(putInto(ids, 'gone', 0)).toBeNull()
  })

  it('is reached by steps, and no further than the ends', () => {
    const after = (id: string, steps: number): string => moved(id, gapAfter(ids, id, steps)).join('')
    expect([after('b', -1), after('b', 1), after('b', 2)]).toEqual(['bacd', 'acbd', 'acdb'])
    expect([after('a', -1), after('d', 1), after('c', -Infinity), after('a', Infinity)]).toEqual(['abcd', 'abcd', 'cabd', 'bcda'])
  })
})

it('what is urgent goes before everything, and among equals the rank decides', () => {
  const queue = [
    registration({ unique_id: 'c', rank: 30 }),
    registration({ unique_id: 'd', rank: -5 }),
    registration({ unique_id: 'a', rank: 40, urgent: true }),
    registration({ unique_id: 'b', rank: 50, urgent: true }),
  ]
  expect(queue.sort(bySooner).map((one) => one.unique_id)).toEqual(['a', 'b', 'd', 'c'])
})
