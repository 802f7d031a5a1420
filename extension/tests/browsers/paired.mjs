// The paired channel: a browser in a sandbox, without the native host, and the real Ashore.
import assert from 'node:assert/strict'
import { until } from './browsers.mjs'
import { openPopup, visible } from './pages.mjs'

/** Opens the popup for a page of the case `name`. */
async function popupOf(world, name) {
  const page = await world.session.open(`${world.servers.origins.plain}/page/${name}`)
  const popup = await openPopup(world, page)
  return { popup, close: async () => (await popup.close(), await page.close()) }
}

export const PAIRED = [
  {
    name: 'paired-browser-without-native-host',
    needsOwnBrowser: true,
    options: { isSandboxed: true },
    run: async (world, { click, settle }) => {
      const { ashore } = world
      const first = world.add({ name: 'paired' })
      const { popup, close } = await popupOf(world, 'paired')
      await until(async () => (await visible(popup)).includes('Ashore was not found'), 'the popup names the trouble')

      await ashore.command('settings', 'browser-channel', 'true')
      const { code } = JSON.parse(await ashore.command('browsers', 'pair', '--json'))
      await popup.type('input.code', `x${code}`)
      await popup.click('form button')
      await until(async () => (await visible(popup)).includes('eight letters and digits'), 'a wrong code is named')
      await popup.evaluate(() => (document.querySelector('input.code').value = ''))
      await popup.type('input.code', code.toLowerCase())
      await popup.click('form button')
      await until(async () => (await visible(popup)).includes('Connected'), 'the popup is connected')
      await until(async () => (await visible(popup)).includes('No downloads are running'), 'the popup follows the downloads')
      await close()

      const clicked = await click(world, first)
      await settle(world, first, 'ashore')
      await clicked.close()

      // The list of paired browsers in Ashore contains this browser. After its removal from the list, the browser keeps
      // its download, and the popup states the reason.
      const list = (await ashore.command('browsers', '--json')).trim().split('\n')
      const { name } = list.map((line) => JSON.parse(line)).find(({ state }) => state === 'paired')
      assert.match(name, world.family === 'firefox' ? /Firefox/ : /Chrom/)
      await ashore.reset()
      first.hasNoCopy = true
      await ashore.command('browsers', 'unpair', name)
      const second = world.add({ name: 'unpaired' })
      const page = await click(world, second)
      const kept = await until(async () => (await world.stored()).last_kept, 'the reason is remembered')
      assert.equal(kept.why.refusal.code, 'browser-pairing.removed')
      await page.close()
      second.gate.open()
      await settle(world, second, 'browser')
      const after = await popupOf(world, 'unpaired')
      await until(async () => (await visible(after.popup)).includes('was removed from Ashore'), 'the popup names the removal')
      assert.ok(await after.popup.evaluate(() => document.querySelector('input.code') !== null))
      await after.close()
    },
  },
]
