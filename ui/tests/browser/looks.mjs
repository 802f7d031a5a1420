// Views of the page at each size, in each colour scheme, with the checks of `checks.mjs`. With a folder, the pictures are kept.
import { join } from 'node:path'
import { at, click, SIZES, signIn, until } from './browser.mjs'
import { brokenRules, scrollingDialogs, smallTargets, wideElements } from './checks.mjs'
import { TOKEN } from './server.mjs'

const isThere = async (page, testid) => (await page.$(at(testid))) !== null
const appears = (page, testid) => page.waitForSelector(at(testid), { visible: true, timeout: 15_000 })
const escape = async (page, testid) => {
  await page.keyboard.press('Escape')
  await until(async () => !(await isThere(page, testid)), `${testid} is closed`)
}
/** Clicks on the first of these controls that the layout has. */
const either = async (page, ...testids) => {
  for (const testid of testids) if (await isThere(page, testid)) return click(page, testid)
  throw new Error(`The page has none of ${testids}`)
}

/** Replaces the text of a field, and moves the focus out of the field. */
const write = (page, testid, text) =>
  page.$eval(
    at(testid),
    (field, text) => {
      field.focus()
      field.value = text
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
      field.blur()
    },
    text,
  )

/** Waits for all animations that end. Animations of an unknown progress never end, so they are skipped. */
const settled = (page) =>
  page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
    await Promise.all(ending.map((animation) => animation.finished.catch(() => undefined)))
  })

/** Steps that lead to each view, in order. */
const VIEWS = {
  'sign-in': (page) => appears(page, 'sign-in'),
  list: (page) => signIn(page, TOKEN),
  menu: async (page) => {
    await page.$eval(at('row-menu'), (button) => button.click())
    await appears(page, 'menu')
  },
  details: async (page) => {
    await escape(page, 'menu')
    await page.$$eval(at('row'), (rows) => rows[1].click())
    if (!(await isThere(page, 'details'))) await click(page, 'details-toggle')
    await appears(page, 'details')
  },
  about: async (page) => {
    await click(page, 'details-about-tab')
    await appears(page, 'details-about')
  },
  filter: async (page) => {
    await click(page, 'details-close')
    await either(page, 'filter', 'sort')
    await until(() => page.$('[role="menu"]'))
  },
  add: async (page) => {
    await page.keyboard.press('Escape')
    await until(async () => !(await page.$('[role="menu"]')))
    await either(page, 'bar-add', 'add-button')
    await appears(page, 'add-links')
    await page.type(at('add-links'), 'https://example.org/debian.iso')
    await page.$eval(at('add-links'), (field) => field.blur())
    await until(() => page.$eval(at('add-submit'), (button) => !button.disabled))
  },
  'add-sign-in': async (page) => {
    await write(page, 'add-links', 'https://example.org/private')
    await appears(page, 'add-password')
  },
  'add-many': async (page) => {
    const links = Array.from({ length: 40 }, (_, number) => `https://example.org/scan-${number}.tiff`)
    await write(page, 'add-links', ['Hello Robin', ...links].join('\n'))
    await until(async () => (await page.$$(at('add-wanted'))).length === links.length)
  },
  folders: async (page) => {
    await click(page, 'add-choose')
    await appears(page, 'folder-entry')
    await click(page, 'folder-entry')
    await until(() => page.$$eval(at('folder-entry'), (entries) => entries.length === 3))
  },
  settings: async (page) => {
    await escape(page, 'folder-dialog')
    await escape(page, 'add-dialog')
    await either(page, 'bar-settings', 'settings-button')
    await appears(page, 'setting-folder')
  },
  schedule: (page) => page.$eval(at('week'), (week) => week.scrollIntoView({ block: 'center' })),
  device: (page) => page.$eval(at('this-device'), (section) => section.scrollIntoView({ block: 'center' })),
  statistics: async (page) => {
    await click(page, 'statistics-button')
    await appears(page, 'statistics')
  },
  lost: async (page, server) => {
    await click(page, 'statistics-back')
    await server.pause()
    await appears(page, 'connection')
  },
}

/** Draws all views; returns the faults of all of them, each with its place. */
export async function look({ server, browser, folder, say }) {
  const faults = []
  for (const size of Object.keys(SIZES)) {
    for (const scheme of ['light', 'dark']) {
      const page = await browser.open(server.url, { size, scheme })
      for (const [name, step] of Object.entries(VIEWS)) {
        await step(page, server)
        await settled(page)
        if (folder !== undefined) await page.screenshot({ path: join(folder, `${size}-${scheme}-${name}.png`) })
        const found = [
          ...(await brokenRules(page)),
          ...(await wideElements(page)).map((element) => `too wide: ${element}`),
          ...(size !== 'phone' && name.startsWith('add') ? await scrollingDialogs(page) : []),
          ...(size === 'phone' ? (await smallTargets(page)).map((element) => `small target: ${element}`) : []),
        ]
        for (const fault of found) faults.push(`${size} ${scheme} ${name}: ${fault}`)
      }
      await page.browserContext().close()
      await server.resume()
      say(`drawn: ${size}, ${scheme}`)
    }
  }
  return faults
}
