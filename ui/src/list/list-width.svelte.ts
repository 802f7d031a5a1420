// Width that decides the layout of the list, in pixels at the default font size. Details at the side of the list take a part
// of the page.
import { letters } from '../components/font-size.svelte'
import { pageWidth } from '../components/page-width.svelte'

class ListWidth {
  /** Width of the details at the side of the list, in pixels. */
  #taken = $state(0)

  /** Width of the page without the details at its side. */
  get now(): number {
    return pageWidth.now - this.#taken / letters.scale
  }

  /** Reserves this width, in pixels, until the returned function is called. */
  reserve(pixels: number): () => void {
    this.#taken = pixels
    return () => (this.#taken = 0)
  }
}

export const listWidth = new ListWidth()
