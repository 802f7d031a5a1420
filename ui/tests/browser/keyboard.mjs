// Scenarios of a user who works with the keyboard in a wide window.
import assert from 'node:assert/strict'
import { at, signIn, until } from './browser.mjs'
import { TOKEN } from './server.mjs'

/** Returns the test id of the focused element, and whether it has a focus ring. */
const focused = (page) =>
  page.evaluate(() => {
    const element = document.activeElement
    // A list shows its ring around the selected row.
    const ringed = element.querySelector(':scope [role="row"][aria-selected="true"]') ?? element
    const ring = getComputedStyle(ringed).outlineStyle
    return { name: element.dataset.testid ?? element.tagName, hasRing: ring !== 'none' }
  })

export const KEYBOARD = {
  async 'every control that Tab reaches has a focus ring'({ page }) {
    await signIn(page, TOKEN)
    await page.keyboard.press('Home')
    await page.keyboard.press('i')
    await page.waitForSelector(at('details-files-tab'))
    const seen = new Map()
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press('Tab')
      const { name, hasRing } = await focused(page)
      seen.set(name, hasRing)
    }
    for (const name of ['search', 'limit', 'sort', 'list']) assert.ok(seen.has(name), name)
    assert.ok(
      [...seen.keys()].some((name) => /^details-.*-tab$/.test(name)),
      [...seen.keys()].join(' '),
    )
    // Between the last control and the first one, the focus is outside the page.
    seen.delete('BODY')
    // The separator shows its focus as a thick line.
    seen.delete('details-handle')
    assert.deepEqual(
      [...seen].filter(([, hasRing]) => !hasRing).map(([name]) => name),
      [],
    )
  },
}
