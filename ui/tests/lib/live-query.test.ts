import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { Followed } from '../../src/lib/live-query.svelte'

const PAUSE = 500

describe('a watched value', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('a watched value is read at first and after changes, within the rate limit', async () => {
    const followed = new Followed<number>(PAUSE)
    let reads = 0
    const read = async () => ++reads
    followed.changed()
    await vi.advanceTimersByTimeAsync(10 * PAUSE)
    expect(reads).toBe(0)

    const leave = followed.follow('a', read)
    await vi.advanceTimersByTimeAsync(1)
    expect(followed.value('a')).toBe(1)
    expect(followed.value('b')).toBeNull()
    for (let news = 0; news < 8; news += 1) {
      followed.changed()
      await vi.advanceTimersByTimeAsync(PAUSE / 4)
    }
    expect(reads).toBeLessThanOrEqual(5)
    await vi.advanceTimersByTimeAsync(PAUSE)
    const before = reads
    // Without events, there are no reads. Without a watcher, events cause no reads.
    await vi.advanceTimersByTimeAsync(10 * PAUSE)
    expect(reads).toBe(before)
    leave()
    followed.changed()
    await vi.advanceTimersByTimeAsync(10 * PAUSE)
    expect(reads).toBe(before)
  })

  it('after a switch to another value, that value is read at once and late answers are ignored', async () => {
    const followed = new Followed<string>(PAUSE)
    let answer: (value: string) => void = () => undefined
    const leave = followed.follow('slow', () => new Promise((done) => (answer = done)))
    await vi.advanceTimersByTimeAsync(1)
    leave()
    followed.follow('quick', async () => 'quick')
    answer('slow')
    await vi.advanceTimersByTimeAsync(1)
    expect(followed.value('slow')).toBeNull()
    expect(followed.value('quick')).toBe('quick')
  })

  it('a failed read is reported until a read succeeds', async () => {
    const followed = new Followed<number>(PAUSE)
    let isBroken = true
    followed.follow('a', async () => {
      if (isBroken) throw { code: 'ledger', text: 'The disk is full.' }
      return 1
    })
    await vi.advanceTimersByTimeAsync(1)
    expect(followed.failure?.text).toBe('The disk is full.')
    isBroken = false
    followed.changed()
    await vi.advanceTimersByTimeAsync(PAUSE)
    expect(followed.failure).toBeNull()
    expect(followed.value('a')).toBe(1)
  })
})
