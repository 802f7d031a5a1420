// Reorders the queue by dragging: the dragged rows, the target gap, and auto-scrolling at the edges.
import type { Lines } from './data/rows'
import type { VirtualList } from './virtual.svelte'

/** Minimum movement of a drag, in pixels; a smaller movement is a click. */
const SHAKE = 6
/** Distance from an edge that starts auto-scrolling, in pixels. */
const EDGE = 48
/** Maximum scrolling speed, reached at the edge itself, in pixels per frame. */
const FASTEST = 18

interface Options {
  list: VirtualList
  lines: () => Lines
  ids: () => readonly string[]
  isAllowed: () => boolean
  /** Ids that are dragged together with `id`, including `id`, from top to bottom. */
  those: (id: string) => readonly string[]
  put: (ids: readonly string[], gap: number) => void
}

export interface DraggedRows {
  /** Row under the pointer when the drag started. */
  id: string
  ids: readonly string[]
  /**
   * Row before which the dragged rows would be inserted; null for the end. Stored as an id instead of a position, because
   * the list may change under the pointer.
   */
  before: string | null
  /** Pointer position on the page. */
  x: number
  y: number
}

export class Reorder {
  held = $state.raw<DraggedRows | null>(null)
  readonly #options: Options
  #pressed: { id: string; pointer: number; x: number; y: number } | null = null
  #rolling: number | null = null

  constructor(options: Options) {
    this.#options = options
  }

  /** Offset of the insertion mark from the top of the list, in pixels; null if a drop has no target. */
  get mark(): number | null {
    const { list, lines, ids } = this.#options
    const gap = this.#gap()
    if (this.held === null || gap < 0) return null
    return gap < ids().length ? list.startOf(lines().lineOf(gap)) : list.endOf(lines().length - 1)
  }

  press(event: PointerEvent): void {
    const target = event.target as Element
    const id = target.closest<HTMLElement>('[data-unique-id]')?.dataset.uniqueId
    if (
      event.button !== 0 ||
      // A finger scrolls the list and does not drag rows. On a touch screen, a row is moved through its menu.
      event.pointerType === 'touch' ||
      !event.isPrimary ||
      id === undefined ||
      target.closest('button, input') !== null ||
      !this.#options.isAllowed()
    )
      return
    this.#pressed = { id, pointer: event.pointerId, x: event.clientX, y: event.clientY }
  }

  move(event: PointerEvent): void {
    if (this.#pressed === null || event.pointerId !== this.#pressed.pointer) return
    // The button was released outside the window, without an event.
    if ((event.buttons & 1) === 0) return this.cancel()
    const { id, x, y } = this.#pressed
    if (this.held === null) {
      if (Math.hypot(event.clientX - x, event.clientY - y) < SHAKE) return
      // Capture the pointer on the scroller: from now on the pointer may leave the list, and the first row may be
      // unmounted.
      this.#options.list.scroller?.setPointerCapture(event.pointerId)
      this.#rolling = requestAnimationFrame(this.#roll)
    }
    this.#hold(id, event.clientX, event.clientY)
  }

  drop(): void {
    const { held } = this
    const gap = this.#gap()
    this.cancel()
    if (held !== null) this.#options.put(held.ids, gap)
  }

  cancel(): void {
    this.#pressed = this.held = null
    if (this.#rolling !== null) cancelAnimationFrame(this.#rolling)
    this.#rolling = null
  }

  #hold(id: string, x: number, y: number): void {
    const { list, lines, ids } = this.#options
    const down = y - (list.scroller?.getBoundingClientRect().top ?? 0) + list.offset
    const line = list.lineAt(down)
    if (line === null) return
    const { position, file } = lines().at(line)
    // Insert below the registration, because its files belong to it.
    const isBelow = file !== null || down > (list.startOf(line) + list.endOf(line)) / 2
    this.held = {
      id,
      ids: this.held?.ids ?? this.#options.those(id),
      before: ids()[isBelow ? position + 1 : position] ?? null,
      x,
      y,
    }
  }

  /** Position of the gap; -1 if the row below the gap no longer exists. */
  #gap(): number {
    const before = this.held?.before ?? null
    return before === null ? this.#options.ids().length : this.#options.ids().indexOf(before)
  }

  #roll = (): void => {
    const scroller = this.#options.list.scroller
    if (this.held === null || scroller === null) return
    const { top, bottom } = scroller.getBoundingClientRect()
    const { id, x, y } = this.held
    const into = Math.min(EDGE, Math.max(0, EDGE - (y - top))) - Math.min(EDGE, Math.max(0, EDGE - (bottom - y)))
    if (into !== 0) {
      scroller.scrollBy({ top: (-into / EDGE) * FASTEST })
      this.#hold(id, x, y)
    }
    this.#rolling = requestAnimationFrame(this.#roll)
  }
}
