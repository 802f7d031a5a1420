// TanStack's virtual list as runes: only the lines that can be seen exist.
import { elementScroll, observeElementOffset, observeElementRect, type VirtualItem, Virtualizer } from '@tanstack/virtual-core'

interface Options {
  /** Pixels of one line. */
  sizeOf: (line: number) => number
}

export class VirtualList {
  items = $state.raw<VirtualItem[]>([])
  /** Pixels of all lines together. */
  size = $state(0)
  readonly #virtualizer: Virtualizer<HTMLElement, HTMLElement>
  #scroller: HTMLElement | null = null

  constructor(options: Options) {
    this.#virtualizer = new Virtualizer<HTMLElement, HTMLElement>({
      count: 0,
      getScrollElement: () => this.#scroller,
      estimateSize: options.sizeOf,
      overscan: 6,
      paddingEnd: 8,
      observeElementRect,
      observeElementOffset,
      scrollToFn: elementScroll,
      onChange: () => this.#show(),
    })
  }

  attach = (scroller: HTMLElement): (() => void) => {
    this.#scroller = scroller
    const detach = this.#virtualizer._didMount()
    this.#virtualizer._willUpdate()
    this.#show()
    return () => {
      detach()
      this.#scroller = null
    }
  }

  /** The lines are others now. */
  refresh(count: number): void {
    this.#virtualizer.setOptions({ ...this.#virtualizer.options, count })
    this.#virtualizer.measure()
    this.#virtualizer._willUpdate()
    this.#show()
  }

  /** The element that scrolls; null where it is not on the page. */
  get scroller(): HTMLElement | null {
    return this.#scroller
  }

  get offset(): number {
    return this.#scroller?.scrollTop ?? 0
  }

  /** Pixels a page of Page Down goes. */
  get height(): number {
    return this.#scroller?.clientHeight ?? 0
  }

  /** The first line that can be seen, and how many pixels of it cannot. */
  firstSeen(): { line: number; hidden: number } | null {
    const offset = this.offset
    const first = this.items.find((item) => item.end > offset)
    return first === undefined ? null : { line: first.index, hidden: offset - first.start }
  }

  scrollTo(pixels: number): void {
    this.#scroller?.scrollTo({ top: pixels })
  }

  startOf(line: number): number {
    return this.#virtualizer.measurementsCache[line]?.start ?? 0
  }

  endOf(line: number): number {
    return this.#virtualizer.measurementsCache[line]?.end ?? 0
  }

  /** The line that is so many pixels from the beginning, or the nearest; null where there is none. */
  lineAt(pixels: number): number | null {
    return this.#virtualizer.getVirtualItemForOffset(Math.max(0, pixels))?.index ?? null
  }

  reveal(line: number): void {
    const item = this.#virtualizer.measurementsCache[line]
    // By where the page stands now: several keys may be pressed before it tells that it was scrolled.
    if (item === undefined) return
    if (item.start < this.offset) this.scrollTo(item.start)
    else if (item.end > this.offset + this.height) this.scrollTo(item.end - this.height)
  }

  #show(): void {
    this.items = this.#virtualizer.getVirtualItems()
    this.size = this.#virtualizer.getTotalSize()
  }
}
