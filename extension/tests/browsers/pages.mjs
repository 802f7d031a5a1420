// Tests popup, settings and first page with trusted clicks.
import assert from 'node:assert/strict'
import { until } from './browsers.mjs'
import { stopWorkers } from './faults.mjs'

export const visible = (page) => page.evaluate(() => document.body.innerText)
const settings = (world) =>
  world.inspector.evaluate(async () => (await (globalThis.browser ?? chrome).storage.local.get('settings')).settings)

/** Clicks the first element that matches, after it appeared. A page can replace the element before the click. */
export const press = (page, selector) => until(async () => (await page.click(selector), true), `${selector} is clicked`)

/** Opens the popup for `page`. The page stays the active tab until the popup has looked up the active tab. */
export async function openPopup(world, page) {
  const { session } = world
  const popup = await session.browser.newPage()
  await page.bringToFront()
  void popup.goto(`${session.origin}/popup.html`).catch(() => undefined)
  // Until the popup is complete, its parts move, and a click could miss its target.
  await until(() => popup.evaluate(() => document.querySelector('main:not([aria-busy])') !== null), 'the popup is complete')
  await popup.bringToFront()
  return popup
}

const MEDIA = `<meta property="og:video" content="/file/media/named.mp4"><video src="/file/media/shown.mp4"></video>
  <a id="go" href="/file/media/a.bin">First</a> <a href="/file/media/a.bin#part">Again</a> <a href="javascript:void 0">None</a>
  <a href="mailto:ada@example.com">Mail</a> <img src="/file/media/p.png" alt="Picture">`

/** Keys that lead to the entry of Ashore from the beginning of a menu. The entry is close to the end. */
const UP_TO_ENTRY = {
  chromium: { link: ['Up', 'Up'], page: ['Up', 'Up', 'Up'] },
  firefox: { link: ['Up'], page: ['Up'] },
}

/** Opens a menu, and waits until it is visible. */
async function openMenu({ session }, open) {
  const before = session.screen.windows()
  await open()
  await until(() => session.screen.windows() > before, 'the menu is open')
}

export const PAGES = [
  {
    name: 'popup-adds-media-and-links',
    run: async (world) => {
      const one = world.add({ name: 'media', page: () => MEDIA, headers: () => ({ 'content-type': 'video/mp4' }) })
      one.gate.open()
      world.ashore.shown = [
        { unique_id: '1', title: 'disk.iso', state: 'running', downloaded: 50, expected_total: 100, speed: 10, trouble: null },
      ]
      const page = await world.session.open(`${world.servers.origins.plain}/page/media`)
      const popup = await openPopup(world, page)
      await until(async () => (await visible(popup)).includes('50 of 100 B'), 'the popup shows the progress')
      const share = () =>
        popup.evaluate(() => getComputedStyle(document.querySelector('.bar')).getPropertyValue('--share').trim())
      await until(async () => (await share()) === '50%', 'the policy of the extension permits the length of the bar')
      await until(async () => (await visible(popup)).includes('named.mp4'), 'the popup shows the media')
      // The response of the video names its file.
      assert.match(await visible(popup), /media\.bin/)
      await press(popup, '.media button')
      await until(async () => (await visible(popup)).includes('Added'), 'the file is added')
      assert.equal(world.ashore.asks.length, 1)
      assert.equal(world.ashore.asks[0].download.was_clicked, true)
      assert.equal(world.ashore.asks[0].download.referrer, page.url())
      await press(popup, 'footer button')
      await until(() => world.ashore.offers.length === 1, 'the links are offered')
      const { origins } = world.servers
      assert.deepEqual(world.ashore.offers[0].links, [
        { url: `${origins.plain}/file/media/a.bin`, text: 'First' },
        { url: `${origins.plain}/file/media/p.png`, text: 'Picture' },
      ])
      // The popup closes itself after it has offered the links. This also ends its port.
      await popup.close().catch(() => undefined)
      await until(() => world.ashore.followers.size === 0, 'the port is closed')
      await page.close()
    },
  },
  {
    name: 'popup-leaves-site-to-the-browser',
    run: async (world, { click, settle }) => {
      const one = world.add({ name: 'left' })
      one.gate.open()
      const page = await world.session.open(`${world.servers.origins.plain}/page/left`)
      const popup = await openPopup(world, page)
      await press(popup, '.site [role=switch]')
      await until(async () => (await settings(world))?.sites[0] === '127.0.0.1', 'the site is stored')
      await popup.close()
      await page.close()
      const clicked = await click(world, one)
      await settle(world, one, 'browser')
      await clicked.close()
      assert.equal(world.ashore.asks.length, 0)
      const kept = await until(async () => (await world.stored()).last_kept, 'the reason is remembered')
      assert.deepEqual(kept.why, { rule: 'site' })
    },
  },
  {
    name: 'popup-names-missing-host',
    run: async (world) => {
      world.add({ name: 'missing' })
      world.ashore.behave = () => 'exit'
      const page = await world.session.open(`${world.servers.origins.plain}/page/missing`)
      const popup = await openPopup(world, page)
      await until(async () => (await visible(popup)).includes('Ashore was not found'), 'the popup names the trouble')
      await popup.close()
      await page.close()
    },
  },
  {
    name: 'settings-are-stored',
    run: async (world) => {
      const page = await world.session.open('options.html')
      await press(page, 'input[value=menu]')
      await until(async () => (await settings(world))?.mode === 'menu', 'the mode is stored')
      await press(page, 'form input')
      await page.keyboard.type('https://www.example.com/path')
      await page.keyboard.press('Enter')
      await until(async () => (await settings(world)).sites[0] === 'www.example.com', 'the site is stored')
      await press(page, '.sites button')
      await until(async () => (await settings(world)).sites.length === 0, 'the site is removed')
      await until(async () => (await visible(page)).includes('Ashore 0.1.0'), 'the version of the host is shown')
      await page.close()
    },
  },
  {
    name: 'menu-entries-of-link-and-page',
    // A headless browser shows no menus, so this run emits the event of a menu entry itself. Only Chromium allows it.
    only: 'chromium',
    run: async (world) => {
      const one = world.add({ name: 'menu', page: () => MEDIA.replaceAll('/media/', '/menu/'), body: Buffer.alloc(4) })
      one.gate.open()
      const { origins } = world.servers
      const page = await world.session.open(`${origins.plain}/page/menu`)
      const worker = await world.session.browser.waitForTarget((target) => target.type() === 'service_worker')
      const choose = async (click) =>
        (await worker.worker()).evaluate(
          async (given, pageUrl) => {
            const [tab] = await chrome.tabs.query({ url: pageUrl })
            chrome.contextMenus.onClicked.dispatch({ pageUrl, frameId: 0, ...given }, tab)
          },
          click,
          page.url(),
        )
      const linkUrl = `${origins.other}/file/menu/menu.bin`
      await choose({ menuItemId: 'link', linkUrl })
      await until(() => world.ashore.asks.length === 1, 'Ashore is asked')
      const [{ answer, download }] = world.ashore.asks
      assert.deepEqual([answer.type, download.was_clicked, download.url], ['taken', true, linkUrl])
      assert.equal(download.referrer, page.url())
      await choose({ menuItemId: 'link', linkUrl: 'javascript:void 0' })
      await choose({ menuItemId: 'page' })
      await until(() => world.ashore.offers.length === 1, 'the links are offered')
      assert.equal(world.ashore.offers[0].links.length, 2)
      assert.equal(world.ashore.asks.length, 1)
      await page.close()
    },
  },
  {
    name: 'menu-entries-chosen-by-keys',
    needsOwnBrowser: true,
    options: { hasScreen: true },
    run: async (world) => {
      const { ashore, added, family, servers, session } = world
      const one = world.add({ name: 'chosen' })
      one.gate.open()
      const page = await session.open(`${servers.origins.plain}/page/chosen`)
      await page.bringToFront()
      // The menu of a link has two entries of Ashore, which the browser puts into a submenu.
      await openMenu(world, () => page.click('#go', { button: 'right' }))
      session.screen.press(...UP_TO_ENTRY[family].link)
      await openMenu(world, () => session.screen.press('Right'))
      session.screen.press('Return')
      await until(() => ashore.asks.length === 1, 'Ashore is asked')
      const [{ answer, download }] = ashore.asks
      const address = `${servers.origins.plain}/file/chosen/chosen.bin`
      assert.deepEqual([answer.type, download.was_clicked, download.url], ['taken', true, address])
      await openMenu(world, () => page.mouse.click(400, 400, { button: 'right' }))
      session.screen.press(...UP_TO_ENTRY[family].page, 'Return')
      await until(() => ashore.offers.length === 1, 'the links are offered')
      assert.deepEqual(
        ashore.offers[0].links.map(({ url }) => url),
        [address],
      )
      assert.equal(ashore.asks.length, 1)
      // The browser downloads nothing itself.
      assert.deepEqual([added.length, session.files()], [1, []])
    },
  },
  {
    name: 'first-page-without-access',
    needsOwnBrowser: true,
    options: { hasAccess: false },
    run: async (world) => {
      const page = await world.session.open('welcome.html')
      await press(page, '.card button.plain')
      await until(async () => (await visible(page)).includes('You can allow access later'), 'the page accepts "Not now"')
      assert.deepEqual((await permissions(world)).origins ?? [], [])
    },
  },
  {
    name: 'first-page-access-denied',
    only: 'chromium',
    needsOwnBrowser: true,
    options: { hasAccess: false, hasScreen: true },
    run: async (world) => {
      const { screen } = world.session
      const page = await world.session.open('welcome.html')
      await press(page, '.card button.primary')
      await until(() => page.evaluate(() => !document.hasFocus()), 'the dialog has the focus')
      // The dialog has "Deny" focused. It ignores keys shortly after it appeared, and shortly after an ignored key.
      const isRefused = async () => (await visible(page)).includes('You can allow access later')
      const deny = async () => {
        screen.press('Return')
        return until(isRefused, 'the page accepts the refusal', 1000).catch(() => false)
      }
      await until(deny, 'access is denied')
      assert.deepEqual((await permissions(world)).origins ?? [], [])
    },
  },
  {
    name: 'first-page-gives-access',
    needsOwnBrowser: true,
    options: {
      hasAccess: false,
      // Firefox accepts automatically because of a preference. Chromium asks the person, but only if it has a window.
      configure: (_servers, family) => ({ hasScreen: family === 'chromium' }),
    },
    run: async (world, { click, settle }) => {
      const page = await world.session.open('welcome.html')
      await allow(world, page)
      await until(async () => (await visible(page)).includes('Everything is ready'), 'the page states that access is allowed')
      assert.deepEqual((await permissions(world)).origins, ['<all_urls>'])
      assert.ok((await permissions(world)).permissions.includes('cookies'))
      const one = world.add({ name: 'given', pageHeaders: { 'set-cookie': 'session=1; HttpOnly; Path=/' } })
      world.ashore.onAsk = (_ask, _download, { type }) => type === 'declined' && one.gate.open()
      await click(world, one)
      await settle(world, one, 'ashore')
      assert.equal(world.ashore.asks[0].download.cookies, 'session=1')
      if (world.family === 'firefox') return
      // The response of another download starts the next worker.
      await stopWorkers(world)
      await click(world, world.add({ name: 'given-again' }))
      await until(() => world.ashore.asks.length === 2, 'Ashore is asked about another file')
      world.added.forEach((added) => added.gate.open())
    },
  },
]

/** Presses the button of the page, and chooses "Allow" in the dialog of Chromium, which has "Deny" focused at first. */
async function allow(world, page) {
  const { screen } = world.session
  const ask = () => press(page, '.card button.primary')
  if (screen === null) return ask()
  // A new dialog ignores keys for a while, and nothing shows when this time is over. If a key came too early, the page
  // asks again.
  for (const pause of [600, 1200, 2400, 4800]) {
    await ask()
    await until(() => page.evaluate(() => !document.hasFocus()), 'the dialog has the focus')
    await new Promise((resolve) => setTimeout(resolve, pause))
    screen.press('Tab', 'Return')
    const isAllowed = async () => ((await permissions(world)).origins ?? []).length > 0
    if (await until(isAllowed, 'access is allowed', 2000).catch(() => false)) return
    screen.press('Escape')
    await page.reload()
    await page.bringToFront()
  }
}

const permissions = (world) => world.inspector.evaluate(() => (globalThis.browser ?? chrome).permissions.getAll())
