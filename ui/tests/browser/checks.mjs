// Checks of a page as it is drawn: accessibility, size of the targets, and width.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Rules of WCAG 2.2, levels A and AA. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Returns the ids of the violated accessibility rules, each with the first element that violates it. */
export async function brokenRules(page) {
  await page.evaluate(axe)
  return page.evaluate(async (rules) => {
    const { violations } = await globalThis.axe.run(document, { runOnly: rules, resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`)
  }, RULES)
}

/**
 * Returns the visible controls smaller than 44 pixels. Skips controls inside a label, and switches with a larger click
 * target.
 */
export function smallTargets(page) {
  return page.evaluate(() => {
    const controls = document.querySelectorAll(
      'button, a, select, input, textarea, label:has(input), [role^="menuitem"], [role="tab"]',
    )
    const isSmall = (element) => {
      const { width, height } = element.getBoundingClientRect()
      if (width <= 1 || height <= 1 || !element.checkVisibility({ visibilityProperty: true })) return false
      if (element.closest('[inert], [aria-hidden="true"]') !== null) return false
      // A switch has an enlarged target, and a label is the target of its field.
      if (element.matches('[role="switch"]')) return false
      if (element.matches('input') && element.closest('label') !== null) return false
      return width < 43.5 || height < 43.5
    }
    return [...controls].filter(isSmall).map((element) => element.outerHTML.slice(0, 160))
  })
}

/** Returns the elements that can be scrolled sideways, and the controls and texts outside the page's width. */
export function wideElements(page) {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth
    const scrolls = [...document.querySelectorAll('*')].filter((element) => {
      if (!element.checkVisibility() || element.matches('textarea, input, .truncate, .sr-only')) return false
      const { overflowX } = getComputedStyle(element)
      return element.scrollWidth > element.clientWidth + 1 && ['auto', 'scroll'].includes(overflowX)
    })
    const outside = [...document.querySelectorAll('button, input, p, h1, h2')].filter((element) => {
      const { left, right, width: own } = element.getBoundingClientRect()
      return own > 1 && element.checkVisibility() && (right > width + 1 || left < -1)
    })
    return [...scrolls, ...outside].map((element) => element.outerHTML.slice(0, 160))
  })
}

/** Returns the dialogs that do not fit on the page, so that their body scrolls. Lists inside a dialog may scroll. */
export function scrollingDialogs(page) {
  return page.evaluate(() => {
    const bodies = [...document.querySelectorAll('[role="dialog"] form > div')]
    const scrolling = bodies.filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1)
    return scrolling.map(({ scrollHeight, clientHeight }) => `dialog scrolls: ${scrollHeight} of ${clientHeight} pixels`)
  })
}
