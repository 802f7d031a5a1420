import { describe, expect, it } from 'vitest'

import { Failure, type Registration } from '../../../src/api/api'
import { each, possible, toggling } from '../../../src/list/data/bulk-actions'
import { registration } from '../../registration'

const all = [
  registration({ unique_id: 'running', state: 'running' }),
  registration({ unique_id: 'waiting' }),
  registration({ unique_id: 'paused', state: 'paused' }),
  registration({ unique_id: 'done', state: 'settled', result: 'success', succeeded: 1, path: '/a' }),
  registration({ unique_id: 'failed', state: 'settled', result: 'failure', failureReason: 'bad-status', failed: 1 }),
]

describe('actions on several registrations', () => {
  it('bulk actions apply only to registrations that allow them', () => {
    expect(possible(all)).toEqual({
      pause: ['running', 'waiting'],
      start: ['waiting'],
      resume: ['paused'],
      retry: ['failed'],
      unfinished: ['running', 'waiting', 'paused'],
      withFiles: ['done'],
    })
  })

  it('bulk actions include a retry only if a retry has an effect', () => {
    const again = (parts: Partial<Registration>): number => possible([registration(parts)]).retry.length
    expect(again({ state: 'waiting', next_try: 1 })).toBe(1)
    expect(again({ state: 'settled', result: 'failure', requests: 9, failed: 3 })).toBe(1)
    expect(again({ state: 'running', requests: 9, failed: 3 }), 'what failed waits for the end of the others').toBe(0)
    expect(again({ state: 'paused', requests: 9, failed: 3 })).toBe(0)
  })

  it('running downloads are paused, and paused ones are resumed only if none can be paused', () => {
    expect(toggling(possible(all))).toEqual({ verb: 'pause', ids: ['running', 'waiting'] })
    expect(toggling(possible(all.slice(2)))).toEqual({ verb: 'resume', ids: ['paused'] })
    expect(toggling(possible(all.slice(3)))).toBeNull()
  })

  it('bulk actions run with limited parallelism and report refusals', async () => {
    const ids = Array.from({ length: 100 }, (_, number) => String(number))
    const done: string[] = []
    let atOnce = 0
    let most = 0
    const refused = await each(
      ids,
      async (id) => {
        most = Math.max(most, ++atOnce)
        await Promise.resolve()
        atOnce -= 1
        if (id === '7' || id === '70') throw new Failure('ledger', 'The disk is full.')
        done.push(id)
      },
      4,
    )
    expect(most).toBe(4)
    expect(done.length).toBe(98)
    expect(refused.map(({ id, failure }) => `${id} ${failure.code}`)).toEqual(['7 ledger', '70 ledger'])
  })
})
