// Width of the page, in pixels at the default font size, so that larger letters need a wider page.
import { letters } from './font-size.svelte'

class PageWidth {
  #pixels = $state(window.innerWidth)

  constructor() {
    window.addEventListener('resize', () => (this.#pixels = window.innerWidth))
  }

  get now(): number {
    return this.#pixels / letters.scale
  }
}

export const pageWidth = new PageWidth()
