// Width that decides the columns of the list. The sidebar and details at the side of the list take a part of the page.
import { letters } from '../components/font-size.svelte'
import { pageWidth } from '../components/page-width.svelte'
import { type Column, columnsIn } from './columns'

class ListWidth {
  /** Width of the list together with the details at its side, in pixels. */
  view = $state(window.innerWidth)
  /** Width of the details at the side of the list, in pixels. */
  #taken = $state(0)

  /** Reserves this width, in pixels, until the returned function is called. */
  reserve(pixels: number): () => void {
    this.#taken = pixels
    return () => (this.#taken = 0)
  }

  /** Chosen columns for which the list has space; null if it shows rows without columns. */
  columns({ columns, isDense }: { columns: readonly Column[]; isDense: boolean }): readonly Column[] | null {
    const list = (this.view - this.#taken) / letters.scale
    return columnsIn({ page: pageWidth.now, list, isDense }, columns)
  }
}

export const listWidth = new ListWidth()
