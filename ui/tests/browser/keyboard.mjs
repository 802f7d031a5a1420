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

const isInList = (page) => until(async () => (await focused(page)).name === 'list', 'the list has the focus')
/** Returns the title of the row that keyboard commands start from; null if there is none. */
const lead = (page) => page.$eval(at('list'), (list) => list.querySelector('[data-lead]')?.ariaLabel ?? null)
const press = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.down(key)
  for (const key of keys.reverse()) await page.keyboard.up(key)
}

export const KEYBOARD = {
  async 'Down, Up, Enter and Escape lead from the search field to the list'({ page }) {
    await signIn(page, TOKEN)
    for (const key of ['ArrowDown', 'ArrowUp', 'Enter', 'Escape']) {
      await press(page, 'Control', 'f')
      await until(async () => (await focused(page)).name === 'search', 'the search field has the focus')
      await page.keyboard.press(key)
      await isInList(page)
    }
    await page.keyboard.press('Home')
    const first = await until(() => lead(page))
    await press(page, 'Control', 'f')
    await page.keyboard.press('ArrowDown')
    await until(async () => (await lead(page)) !== first, 'the next row is selected')
    // The first Escape only clears the field.
    await press(page, 'Control', 'f')
    await page.keyboard.type('a')
    await page.keyboard.press('Escape')
    assert.deepEqual([(await focused(page)).name, await page.$eval(at('search'), (field) => field.value)], ['search', ''])
  },

  async 'Ctrl+A selects all rows after a click on a filter'({ page }) {
    await signIn(page, TOKEN)
    await page.click(at('filter-done'))
    await until(() => page.$(`${at('filter-done')}[aria-current="true"]`))
    await press(page, 'Control', 'a')
    await until(() => page.$$eval(at('row'), (rows) => rows.length > 1 && rows.every((row) => row.ariaSelected === 'true')))
    // Repeat the check with the focus on another control.
    await page.keyboard.press('Escape')
    await page.focus(at('sort'))
    await press(page, 'Control', 'a')
    await until(() => page.$$eval(at('row'), (rows) => rows.length > 1 && rows.every((row) => row.ariaSelected === 'true')))
  },

  async 'Ctrl+A selects no rows while Settings hides the list'({ page }) {
    await signIn(page, TOKEN)
    await page.keyboard.press('Home')
    const first = await until(() => lead(page))
    await page.click(at('settings-button'))
    await page.waitForSelector(at('theme-system'))
    // A button has no text, so the key would otherwise belong to the list.
    await page.focus(at('settings-nav-general'))
    await press(page, 'Control', 'a')
    await page.keyboard.press('Escape')
    await page.waitForSelector(at('row'))
    assert.equal(await lead(page), first)
    assert.equal(await page.$$eval(at('row'), (rows) => rows.filter((row) => row.ariaSelected === 'true').length), 1)
  },

  async 'a size and its unit are saved together when the focus leaves them'({ page }) {
    await signIn(page, TOKEN)
    await page.click(at('settings-button'))
    await page.waitForSelector(at('setting-slow-speed'))
    const field = () => page.$$eval('#setting-slow-speed, #setting-slow-speed-unit', (all) => all.map(({ value }) => value))
    assert.deepEqual(await field(), ['512', 'KiB'])
    await page.$eval(at('setting-slow-speed'), (number) => number.focus())
    await press(page, 'Control', 'a')
    await page.keyboard.type('20')
    await page.keyboard.press('Tab')
    assert.equal((await focused(page)).name, 'setting-slow-speed-unit')
    await page.keyboard.type('MiB')
    assert.equal(await page.$(at('setting-slow-speed-reset')), null, 'the number is not saved without its unit')
    await page.keyboard.press('Tab')
    await page.waitForSelector(at('setting-slow-speed-reset'))
    assert.deepEqual(await field(), ['20', 'MiB'])
    // A refused value stays in the field, and Escape restores the saved one.
    await page.$eval(at('setting-slow-speed'), (number) => number.focus())
    await press(page, 'Control', 'a')
    await page.keyboard.type('20000')
    await page.keyboard.press('Enter')
    const why = await page.waitForSelector(at('setting-slow-speed-failure'))
    assert.match(await why.evaluate((element) => element.textContent), /from 1\sKiB\/s to 10\sGiB\/s/)
    assert.deepEqual(await field(), ['20000', 'MiB'])
    await page.keyboard.press('Escape')
    await until(async () => (await field())[0] === '20')
    await page.click(at('setting-slow-speed-reset'))
    await until(async () => (await field()).join(' ') === '512 KiB')
  },

  async 'finished downloads can stay in the list for ever'({ page }) {
    await signIn(page, TOKEN)
    await page.click(at('settings-button'))
    const unit = at('setting-forget-finished-after-unit')
    const number = at('setting-forget-finished-after')
    await page.waitForSelector(unit)
    await page.select(unit, 'never')
    await until(() => page.$eval(number, (field) => field.disabled && field.value === ''))
    await until(async () => (await page.$(at('setting-forget-finished-after-reset'))) === null, 'the default is saved')
    await page.focus(unit)
    await page.keyboard.type('weeks')
    await until(() => page.$eval(number, (field) => !field.disabled))
    assert.equal((await focused(page)).name, 'setting-forget-finished-after-unit', 'the keys stay in the list of units')
    await press(page, 'Shift', 'Tab')
    await page.keyboard.type('2')
    await page.keyboard.press('Enter')
    await page.waitForSelector(at('setting-forget-finished-after-reset'))
    assert.equal(await page.$eval(number, (field) => field.value), '2')
  },

  async 'opened details keep the columns for which the list has space'({ page }) {
    await signIn(page, TOKEN)
    const columns = () => page.$$eval('[data-testid^="column-"]', (heads) => heads.map((head) => head.dataset.testid.slice(7)))
    const isCut = () => page.$$eval(`${at('row')} [role="gridcell"]`, (cells) => cells.some((cell) => cell.clientWidth < 24))
    assert.deepEqual(await columns(), ['name', 'size', 'progress', 'speed', 'left', 'added'])
    await page.keyboard.press('Home')
    await page.keyboard.press('i')
    await until(async () => (await columns()).join() === 'name,progress,speed', 'the other columns are hidden')
    assert.equal(await isCut(), false)
    await page.click(at('details-close'))
    await until(async () => (await columns()).length === 6, 'all columns are back')
  },

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
    // Ignore the body, which is active while the focus is outside the page, between the last control and the first one.
    seen.delete('BODY')
    // Ignore the separator, which shows its focus as a thick line.
    seen.delete('details-handle')
    assert.deepEqual(
      [...seen].filter(([, hasRing]) => !hasRing).map(([name]) => name),
      [],
    )
  },
}
