import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { VirtualList } from '../../src/list/virtual.svelte'

const LINE = 50

/** Simulated scroll container that shows ten lines. */
class Scroller extends EventTarget {
  clientHeight = 10 * LINE
  scrollTop = 0

  scrollTo({ top }: { top: number }): void {
    this.scrollTop = top
    this.dispatchEvent(new Event('scroll'))
  }
}

let scroller: Scroller
let list: VirtualList
let detach: () => void
let resized: () => void

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(told: () => void) {
        resized = told
      }
      observe(): void {}
      disconnect(): void {}
    },
  )
  scroller = new Scroller()
  list = new VirtualList((line) => line * LINE)
  detach = list.attach(scroller as unknown as HTMLElement)
})

afterEach(() => {
  detach()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const lines = (): number[] => list.items.map(({ line }) => line)

it('a new list renders visible lines first and other lines after a pause', () => {
  list.begin(1000)
  expect(lines().at(-1)).toBe(10)
  for (let key = 0; key < 5; key += 1) {
    vi.advanceTimersByTime(150)
    expect(lines().at(-1)).toBe(10)
    list.begin(1000 - key)
  }
  vi.advanceTimersByTime(200)
  expect(lines().at(-1)).toBe(11)
  vi.advanceTimersByTime(1000)
  expect(lines().at(-1)).toBe(16)
})

it('a list that is filled before being attached renders visible lines first', () => {
  detach()
  list = new VirtualList((line) => line * LINE)
  list.refresh(1000)
  expect(lines()).toEqual([])
  detach = list.attach(scroller as unknown as HTMLElement)
  expect(lines().at(-1)).toBe(10)
  vi.advanceTimersByTime(1000)
  expect(lines().at(-1)).toBe(16)
})

it('resize adjusts the number of rendered lines', () => {
  list.begin(1000)
  resized()
  expect(lines().at(-1), 'told of the size that it has').toBe(10)
  scroller.clientHeight = 20 * LINE
  resized()
  expect(lines().at(-1)).toBe(26)
})

it('off-screen lines are rendered one per step', () => {
  list.begin(1000)
  const ends: number[] = []
  for (let tick = 0; tick < 500; tick += 1) {
    const before = lines().at(-1)!
    vi.advanceTimersByTime(1)
    if (lines().at(-1)! !== before) ends.push(lines().at(-1)!)
  }
  expect(ends).toEqual([11, 12, 13, 14, 15, 16])
})

it('scrolling keeps all rendered off-screen lines', () => {
  list.begin(1000)
  vi.advanceTimersByTime(240)
  scroller.scrollTo({ top: 100 * LINE })
  vi.advanceTimersByTime(1000)
  expect(lines()).toEqual(Array.from({ length: 23 }, (_, line) => 94 + line))
})

it('scrolling or refresh renders off-screen lines immediately', () => {
  list.begin(1000)
  scroller.scrollTo({ top: 100 * LINE })
  expect(lines()).toEqual(Array.from({ length: 23 }, (_, line) => 94 + line))
  list.begin(1000)
  expect(scroller.scrollTop).toBe(0)
  list.refresh(999)
  expect(lines().at(-1)).toBe(16)
})

it('a detached list renders no further lines', () => {
  list.begin(1000)
  detach()
  vi.advanceTimersByTime(1000)
  expect(lines().at(-1)).toBe(10)
})
