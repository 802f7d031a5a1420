import { expect, it, vi } from 'vitest'

import type { Api } from '../../../src/api/api'
import { Downloads } from '../../../src/list/data/downloads.svelte'
import { registration } from '../../registration'

// A window that is not shown yet: nothing is painted in it, and no frame comes.
vi.stubGlobal('document', { hidden: true })
vi.stubGlobal('requestAnimationFrame', () => 1)

it('the first page of a list is there without a frame', async () => {
  const pages = [[registration({ unique_id: 'a' })]]
  const api = {
    events: async () => undefined,
    totals: async () => ({ running: 0 }),
    // What comes after the first page never does.
    list: () => (pages.length > 0 ? Promise.resolve(pages.pop()) : new Promise(() => undefined)),
  } as unknown as Api
  const downloads = new Downloads(api)
  void downloads.start()
  await vi.waitFor(() => expect(downloads.isRead).toBe(true))
  expect(downloads.counts.all).toBe(1)
  expect(downloads.order()).toEqual(['a'])
})

it('the rest of a list is read when the first page is on the screen, or no window comes', async () => {
  vi.useFakeTimers()
  for (const isSeen of [true, false]) {
    const frames: (() => void)[] = []
    vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame))
    const list = vi.fn(async ({ before }: { before?: string }) =>
      before === undefined ? [registration({ unique_id: 'a' })] : [],
    )
    const api = { events: async () => undefined, totals: async () => ({ running: 0 }), list } as unknown as Api
    const reading = new Downloads(api).start()
    await vi.advanceTimersByTimeAsync(100)
    expect(list).toHaveBeenCalledTimes(1)
    if (isSeen) while (frames.length > 0) frames.shift()!()
    else await vi.advanceTimersByTimeAsync(500)
    await reading
    expect(list).toHaveBeenCalledTimes(2)
  }
  vi.useRealTimers()
})
