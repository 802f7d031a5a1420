// A list of any length of which only the lines that can be seen are on the page. Where a line stands is computed when
// somebody asks, not kept for each of them: a list of 100,000 is another one as quickly as one of ten.
import { untrack } from 'svelte'

import { type Extent, firstSeen, lineAt, MORE, sameLines, seen } from './data/viewport'

/** A line that is on the page. */
export interface Item {
  line: number
  /** What is drawn for a line that leaves the page is drawn again, with what has changed, for one that comes: they share it. */
  slot: number
  /** Pixels from the beginning of the list. */
  start: number
  /** Pixels of the line itself. */
  size: number
}

/** Below the last line, pixels. */
const END = 8
/** Milliseconds after which nobody waits any more for the lines in sight: they are painted, and no further key was pressed. */
const REST = 200
/** Milliseconds from one of the lines out of sight to the next: a key that comes meanwhile waits for one, and not for all. */
const STEP = 30

export class VirtualList {
  items = $state.raw<readonly Item[]>([])
  /** Pixels of all lines together. */
  size = $state(0)
  readonly #startOf: (line: number) => number
  #count = 0
  /** As many as there were lines on the page at once. */
  #slots = 0
  #scroller: HTMLElement | null = null
  /** Asked of the page once for each size, and not while it scrolls. */
  #height = 0
  /** It stands at its beginning, as far as the page has told. */
  #isAtTop = true
  #resting: ReturnType<typeof setTimeout> | undefined

  /** `startOf` says how many pixels there are before a line, and before the end where it is given their number. */
  constructor(startOf: (line: number) => number) {
    this.#startOf = startOf
  }

  attach = (scroller: HTMLElement): (() => void) => {
    this.#scroller = scroller
    const look = (): void => {
      this.#isAtTop = scroller.scrollTop === 0
      this.#look()
    }
    const resizes = new ResizeObserver(() => {
      // It is told of the size that it begins with, too.
      if (scroller.clientHeight === this.#height) return
      this.#height = scroller.clientHeight
      this.#look()
    })
    resizes.observe(scroller)
    scroller.addEventListener('scroll', look, { passive: true })
    this.#height = scroller.clientHeight
    // What the lines are now is no reason to attach it anew.
    untrack(() => this.begin(this.#count))
    return () => {
      resizes.disconnect()
      scroller.removeEventListener('scroll', look)
      this.#scroller = null
    }
  }

  /** The lines are others now. */
  refresh(count: number): void {
    this.#take(count)
    this.#look()
  }

  /**
   * The same, looked at from the first line on. Somebody waits for those in sight: the others come when nobody does or when it
   * is scrolled, for a frame that follows at once is a frame later that the next key is heard. And the page is not asked where
   * it stands, for which it would have to lay out what has changed so far.
   */
  begin(count: number): void {
    if (!this.#isAtTop) this.scrollTo(0)
    this.#take(count)
    this.#show(0, 0)
    clearTimeout(this.#resting)
    this.#resting = setTimeout(() => this.#bring(1), REST)
  }

  /** The element that scrolls; null where it is not on the page. */
  get scroller(): HTMLElement | null {
    return this.#scroller
  }

  focus(): void {
    this.#scroller?.focus({ preventScroll: true })
  }

  get offset(): number {
    return this.#scroller?.scrollTop ?? 0
  }

  /** Pixels a page of Page Down goes. */
  get height(): number {
    return this.#height
  }

  /** The first line that can be seen, of those that are on the page, and how many pixels of it cannot. */
  firstSeen(): { line: number; hidden: number } | null {
    return firstSeen(this.items, this.offset)
  }

  scrollTo(pixels: number): void {
    this.#isAtTop = pixels <= 0
    this.#scroller?.scrollTo({ top: pixels })
  }

  startOf(line: number): number {
    return this.#startOf(line)
  }

  endOf(line: number): number {
    return this.#startOf(line + 1)
  }

  /** The line that is so many pixels from the beginning, or the nearest; null where there is none. */
  lineAt(pixels: number): number | null {
    return this.#count === 0 ? null : lineAt(this.#extent, pixels)
  }

  reveal(line: number): void {
    if (line < 0 || line >= this.#count) return
    // By where the page stands now: several keys may be pressed before it tells that it was scrolled.
    const { offset } = this
    const [start, end] = [this.startOf(line), this.endOf(line)]
    if (start < offset) this.scrollTo(start)
    else if (end > offset + this.#height) this.scrollTo(end - this.#height)
  }

  get #extent(): Extent {
    return { count: this.#count, startOf: this.#startOf }
  }

  #take(count: number): void {
    this.#count = count
    this.size = count === 0 ? 0 : this.#startOf(count) + END
    this.items = []
  }

  #look(): void {
    clearTimeout(this.#resting)
    if (this.#scroller !== null) this.#show(this.offset)
  }

  /** Brings lines out of sight, one after the other. */
  #bring(more: number): void {
    if (this.#scroller === null) return
    this.#show(this.offset, more)
    if (more < MORE) this.#resting = setTimeout(() => this.#bring(more + 1), STEP)
  }

  #show(offset: number, more?: number): void {
    const { from, to } = seen(this.#extent, offset, this.#height, more)
    if (sameLines(this.items, from, to)) return
    this.#slots = Math.max(this.#slots, to - from)
    const items: Item[] = []
    for (let line = from; line < to; line += 1) {
      const start = this.#startOf(line)
      items.push({ line, slot: line % this.#slots, start, size: this.#startOf(line + 1) - start })
    }
    this.items = items
  }
}
