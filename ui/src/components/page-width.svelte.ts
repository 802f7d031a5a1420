// Width of the page, in pixels at the default font size. With a larger font, the same page has fewer of these pixels.
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
