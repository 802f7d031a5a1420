// Tests the rules that the extension shares with Ashore. Ashore stores the rules in its settings. These tests use the
// real Ashore.
import assert from 'node:assert/strict'
import { until } from './browsers.mjs'
import { openPopup, press, visible } from './pages.mjs'

/** Downloads a file that the browser must keep, and returns the reason that the extension remembers. */
async function keep(world, { click, settle }, name) {
  const one = world.add({ name })
  world.ashore.onAsk = (_ask, _download, { type }) => type !== 'taken' && one.gate.open()
  const isKept = async () => (await world.stored()).last_kept?.name === one.fileName
  const page = await click(world, one)
  await until(isKept, 'the reason is remembered')
  one.gate.open()
  await settle(world, one, 'browser')
  return { page, why: (await world.stored()).last_kept.why }
}

/** Opens and closes the settings page. When it opens, it receives the rules of Ashore. */
async function share(world) {
  const page = await world.session.open('options.html')
  await until(async () => (await world.kept()).settings?.is_shared, 'the rules are shared')
  return page
}

export const SHARING = [
  {
    name: 'mode-of-ashore-is-followed',
    run: async (world, tools) => {
      await (await share(world)).close()
      await world.ashore.set('browser-hand-over', 'menu')
      const { page, why } = await keep(world, tools, 'menu')
      assert.deepEqual(why, { rule: 'menu-only' })
      assert.deepEqual(await world.ashore.list(), [])
      const popup = await openPopup(world, page)
      const expected = 'Downloads are handed over only from the menu.'
      await until(async () => (await visible(popup)).includes(expected), 'the popup says why')
      await popup.close()
      await page.close()
    },
  },
  {
    name: 'site-of-ashore-is-followed-and-allowed-again',
    run: async (world, tools) => {
      await (await share(world)).close()
      await world.ashore.set('browser-sites', '127.0.0.1')
      const { page, why } = await keep(world, tools, 'site')
      assert.deepEqual(why, { rule: 'site' })
      // The popup switches the site on again, and Ashore stores that.
      const popup = await openPopup(world, page)
      await until(() => popup.evaluate(() => document.querySelector('.site [role=switch]').checked), 'the switch shows the rule')
      await press(popup, '.site [role=switch]')
      await until(async () => (await world.ashore.setting('browser-sites')) === '', 'Ashore stores the change')
      await popup.close()
      await page.close()
    },
  },
  {
    name: 'change-in-settings-page-reaches-ashore',
    run: async (world) => {
      // These settings are restored by the reset before the next case.
      await world.ashore.set('browser-sites', 'first.example')
      await world.ashore.set('browser-hand-over', 'automatic')
      const page = await share(world)
      await until(async () => (await visible(page)).includes('first.example'), 'the page shows the site of Ashore')
      await press(page, 'form input')
      await page.keyboard.type('https://www.example.com/path')
      await page.keyboard.press('Enter')
      const both = 'first.example www.example.com'
      await until(async () => (await world.ashore.setting('browser-sites')) === both, 'Ashore stores the site')
      await press(page, 'input[value=menu]')
      await until(async () => (await world.ashore.setting('browser-hand-over')) === 'menu', 'Ashore stores the mode')
      await page.close()
    },
  },
  {
    name: 'rules-of-ashore-apply-to-first-download',
    run: async (world, tools) => {
      // The extension has never received the rules.
      await world.ashore.set('browser-hand-over', 'menu')
      const { page, why } = await keep(world, tools, 'first')
      assert.deepEqual(why, { rule: 'menu-only' })
      await page.close()
    },
  },
]
