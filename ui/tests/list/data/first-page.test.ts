import { expect, it, vi } from 'vitest'

import type { Api } from '../../../src/api/api'
import { Downloads } from '../../../src/list/data/downloads.svelte'
import { registration } from '../../registration'

// Simulate a hidden window, which paints nothing and receives no animation frame.
vi.stubGlobal('document', { hidden: true })
vi.stubGlobal('requestAnimationFrame', () => 1)

it('the first page of the list is published without an animation frame', async () => {
  const pages = [[registration({ unique_id: 'a' })]]
  const api = {
    events: async () => undefined,
    totals: async () => ({ running: 0 }),
    // Later pages never arrive.
    list: () => (pages.length > 0 ? Promise.resolve(pages.pop()) : new Promise(() => undefined)),
  } as unknown as Api
  const downloads = new Downloads(api)
  void downloads.start()
  await vi.waitFor(() => expect(downloads.isRead).toBe(true))
  expect(downloads.counts.all).toBe(1)
  expect(downloads.isComplete, 'the other pages are missing').toBe(false)
  expect(downloads.order()).toEqual(['a'])
})

it('the second page of the list is read only after a paint or a timeout', async () => {
  vi.useFakeTimers()
  for (const isSeen of [true, false]) {
    const frames: (() => void)[] = []
    vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame))
    const list = vi.fn(async ({ before }: { before?: string }) =>
      before === undefined ? [registration({ unique_id: 'a' })] : [],
    )
    const api = { events: async () => undefined, totals: async () => ({ running: 0 }), list } as unknown as Api
    const downloads = new Downloads(api)
    const reading = downloads.start()
    await vi.advanceTimersByTimeAsync(100)
    expect(list).toHaveBeenCalledTimes(1)
    if (isSeen) while (frames.length > 0) frames.shift()!()
    else await vi.advanceTimersByTimeAsync(500)
    await reading
    expect(list).toHaveBeenCalledTimes(2)
    expect([downloads.isComplete, downloads.counts.all]).toEqual([true, 1])
  }
  vi.useRealTimers()
})
