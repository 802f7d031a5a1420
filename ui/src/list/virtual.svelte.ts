// Virtual list: only visible lines are in the document. Positions are computed on demand instead of stored. So
// replacing a list of 100,000 lines is as fast as replacing a list of ten.
import { untrack } from 'svelte'

import { type Extent, firstSeen, lineAt, MORE, sameLines, seen } from './data/viewport'

/** Line that is rendered. */
export interface Item {
  line: number
  /** Key of the reused content: a line that scrolls out passes its elements to a line that scrolls in. */
  slot: number
  /** Offset from the top of the list, in pixels. */
  start: number
  /** Height of the line, in pixels. */
  size: number
}

/** Padding below the last line, in pixels. */
const END = 8
/** Milliseconds before off-screen lines are rendered. By then the visible lines are painted and no key press is pending. */
const REST = 200
/** Milliseconds between two off-screen lines, so that a key press waits for at most one line. */
const STEP = 30

export class VirtualList {
  items = $state.raw<readonly Item[]>([])
  /** Total height, in pixels. */
  size = $state(0)
  readonly #startOf: (line: number) => number
  #count = 0
  /** Maximum number of lines rendered at the same time so far. */
  #slots = 0
  #scroller: HTMLElement | null = null
  /** Cached height of the viewport; not measured while scrolling. */
  #height = 0
  /** Whether the list was scrolled to the top at the last scroll event. */
  #isAtTop = true
  #resting: ReturnType<typeof setTimeout> | undefined

  /** `startOf(line)` returns the pixels above a line; `startOf` of the number of lines returns the total height. */
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
      // Ignore an unchanged height, because the observer also reports the initial size.
      if (scroller.clientHeight === this.#height) return
      this.#height = scroller.clientHeight
      this.#look()
    })
    resizes.observe(scroller)
    scroller.addEventListener('scroll', look, { passive: true })
    this.#height = scroller.clientHeight
    // Run untracked, so that a change of the lines does not attach the list again.
    untrack(() => this.begin(this.#count))
    return () => {
      resizes.disconnect()
      scroller.removeEventListener('scroll', look)
      this.#scroller = null
    }
  }

  /** Replaces the lines and keeps the scroll position. */
  refresh(count: number): void {
    this.#take(count)
    this.#look()
  }

  /**
   * Replaces the lines and scrolls to the top. Renders only the visible lines; the others follow after a pause or
   * on scrolling, because rendering them immediately would delay the next key press. Does not read the scroll
   * position, which would force a layout.
   */
  begin(count: number): void {
    if (!this.#isAtTop) this.scrollTo(0)
    this.#take(count)
    this.#show(0, 0)
    clearTimeout(this.#resting)
    this.#resting = setTimeout(() => this.#bring(1), REST)
  }

  /** Scrolling element; null if it is not mounted. */
  get scroller(): HTMLElement | null {
    return this.#scroller
  }

  focus(): void {
    this.#scroller?.focus({ preventScroll: true })
  }

  get offset(): number {
    return this.#scroller?.scrollTop ?? 0
  }

  /** Height of the viewport, in pixels. */
  get height(): number {
    return this.#height
  }

  /** First visible line among the rendered lines, and the number of its hidden pixels. */
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

  /** Line at this pixel offset, or the nearest line; null for an empty list. */
  lineAt(pixels: number): number | null {
    return this.#count === 0 ? null : lineAt(this.#extent, pixels)
  }

  reveal(line: number): void {
    if (line < 0 || line >= this.#count) return
    // Use the current scroll position, because several key presses may precede the scroll event.
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

  /** Renders off-screen lines, one per step. */
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
