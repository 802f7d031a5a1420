// Tooltip for text that does not fit its element. Text that is completely visible needs no tooltip.
import type { Attachment } from 'svelte/attachments'

type Measured = Pick<HTMLElement, 'scrollWidth' | 'clientWidth' | 'scrollHeight' | 'clientHeight'>

/** Whether the content of an element is larger than the element. Ignores one pixel, which rounding may add. */
export function isCut({ scrollWidth, clientWidth, scrollHeight, clientHeight }: Measured): boolean {
  return scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1
}

/**
 * Shows the text as a tooltip if the element or a `span` in it cuts off its content. Decides when the pointer enters, so
 * that the tooltip is never stale.
 */
export function cutTitle(text: () => string): Attachment<HTMLElement> {
  return (element) => {
    const update = (): void => {
      if ([element, ...element.querySelectorAll('span')].some(isCut)) element.title = text()
      else element.removeAttribute('title')
    }
    element.addEventListener('pointerenter', update)
    return () => element.removeEventListener('pointerenter', update)
  }
}
