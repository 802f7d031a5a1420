// Scenarios of a user in the page, run in a browser. Each starts in a new browser profile, with its own window size.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { at, click, signIn, type, until } from './browser.mjs'
import { TOKEN } from './server.mjs'

const text = (page, testid) => page.$eval(at(testid), (element) => element.textContent.trim())
const value = (page, testid) => page.$eval(at(testid), (element) => element.value)
const isThere = async (page, testid) => (await page.$(at(testid))) !== null
const gone = (page, testid) => until(async () => !(await isThere(page, testid)), `${testid} is gone`)
const appears = (page, testid) => page.waitForSelector(at(testid), { visible: true, timeout: 15_000 })
const openAdd = async (page) => (
  await click(page, (await isThere(page, 'bar-add')) ? 'bar-add' : 'add-button'),
  appears(page, 'add-links')
)
const openSettings = async (page) => (
  await click(page, (await isThere(page, 'bar-settings')) ? 'bar-settings' : 'settings-button'),
  appears(page, 'settings')
)
/** Returns the id of the first listed download that matches the selector. */
const idOf = (page, selector) => page.$eval(`${at('row')}${selector}`, (row) => row.dataset.uniqueId)
const inRow = (id, testid) => `[data-unique-id="${id}"] ${at(testid)}`

export const JOURNEYS = {
  async 'a wrong token is refused, and the right one signs in'({ page, server }) {
    await appears(page, 'sign-in')
    assert.match(await value(page, 'sign-in-name'), /^(Chrome|Firefox) on \w+$/)
    await type(page, 'sign-in-token', 'wrong')
    await page.keyboard.press('Enter')
    await appears(page, 'sign-in-failure')
    assert.match(await text(page, 'sign-in-failure'), /not valid/)
    assert.equal(await value(page, 'sign-in-token'), 'wrong')
    await page.$eval(at('sign-in-token'), (field) => field.select())
    await signIn(page, TOKEN)
    assert.equal([...server.sessions.values()].length, 1)
  },

  async 'after many wrong tokens, the page shows how long to wait'({ page, server }) {
    server.failures = 5
    await type(page, 'sign-in-token', 'wrong')
    await click(page, 'sign-in-submit')
    await appears(page, 'sign-in-wait')
    assert.match(await text(page, 'sign-in-wait'), /\d\ss$/)
    assert.equal(await page.$eval(at('sign-in-submit'), (button) => button.disabled), true)
    server.failures = 0
    await until(() => page.$eval(at('sign-in-submit'), (button) => !button.disabled))
  },

  async 'a pairing link signs in and leaves the address bar'({ page, server }) {
    await appears(page, 'sign-in')
    const code = server.pairingCode()
    await page.evaluate((code) => (location.hash = `pair=${code}`), code)
    await appears(page, 'list')
    assert.equal(page.url(), server.url)
    assert.equal(server.pairings.size, 0)
  },

  async 'the session outlives the page, and half a key is worthless'({ page, server }) {
    await signIn(page, TOKEN)
    assert.equal(await page.evaluate(() => document.cookie), '')
    await page.reload()
    await appears(page, 'list')
    await page.evaluate(() => localStorage.setItem('ashore.session-key', 'other'))
    await page.reload()
    await appears(page, 'sign-in')
    assert.equal(server.sockets.size, 0)
  },

  async 'the page survives a restart of the server, and keeps typed text'({ page, server }) {
    await signIn(page, TOKEN)
    await openAdd(page)
    await type(page, 'add-links', 'https://example.org/kept.iso')
    await server.pause()
    await appears(page, 'connection')
    server.calls.length = 0
    await server.resume()
    await gone(page, 'connection')
    await until(() => server.calls.includes('list'), 'the list is read again')
    assert.equal(await value(page, 'add-links'), 'https://example.org/kept.iso')
    await until(() => page.$eval(at('add-submit'), (button) => !button.disabled))
    await click(page, 'add-submit')
    await gone(page, 'add-dialog')
    await until(() => page.$$eval(at('row'), (rows) => rows.some((row) => row.textContent.includes('kept.iso'))))
  },

  async 'a lost session leads to the sign-in, and typed text is kept'({ page, server }) {
    await signIn(page, TOKEN)
    await openAdd(page)
    await type(page, 'add-links', 'https://example.org/kept.iso')
    server.endSessions()
    await appears(page, 'sign-in')
    await type(page, 'sign-in-token', TOKEN)
    assert.equal(await value(page, 'sign-in-token'), TOKEN)
    await page.keyboard.press('Enter')
    await gone(page, 'sign-in')
    assert.equal(await value(page, 'add-links'), 'https://example.org/kept.iso')
    await page.focus(at('add-links'))
    await page.keyboard.type('x')
    assert.equal(await value(page, 'add-links'), 'https://example.org/kept.isox')
  },

  async 'the sign-out in the settings ends the session'({ page, server }) {
    await signIn(page, TOKEN)
    await openSettings(page)
    await click(page, 'sign-out')
    await appears(page, 'sign-in')
    await until(() => server.sessions.size === 0)
    await page.reload()
    await appears(page, 'sign-in')
  },

  async 'a finished file is saved on this device, and the list is exported'({ page, downloads }) {
    rmSync(downloads, { recursive: true, force: true })
    await signIn(page, TOKEN)
    await page.$eval(at('list'), (list) => list.scrollTo(0, list.scrollHeight / 2))
    const done = await until(() => idOf(page, '[data-result="success"]:has([data-step="save"])'))
    await page.$eval(inRow(done, 'row-action'), (button) => button.click())
    await until(() => existsSync(join(downloads, 'file.bin')), 'the file is saved')
    assert.equal(readFileSync(join(downloads, 'file.bin'), 'utf8'), 'content')
    await openSettings(page)
    await click(page, 'list-save')
    await until(() => readdirSync(downloads).includes('ashore-list.ndjson'), 'the list is saved')
  },

  async 'a list is imported from a file of this device'({ page }) {
    await signIn(page, TOKEN)
    await openSettings(page)
    const [chooser] = await Promise.all([page.waitForFileChooser(), click(page, 'list-takeIn')])
    await chooser.accept([new URL('journeys.mjs', import.meta.url).pathname])
    await appears(page, 'list-takeIn-said')
    assert.match(await text(page, 'list-takeIn-said'), /New downloads: 2/)
  },

  async 'a folder is chosen among the folders of the server'({ page }) {
    await signIn(page, TOKEN)
    await openAdd(page)
    await click(page, 'add-choose')
    await appears(page, 'folder-entry')
    await click(page, 'folder-entry')
    await until(async () => (await text(page, 'folder-path')) === '/srv')
    await click(page, 'folder-submit')
    await gone(page, 'folder-dialog')
    assert.equal(await value(page, 'add-folder'), '/srv')
  },

  async 'links that are dragged over the page show that it takes them'({ page }) {
    await signIn(page, TOKEN)
    const drag = (kind, x) =>
      page.evaluate(
        (kind, x) => {
          const dataTransfer = new DataTransfer()
          dataTransfer.setData('text/uri-list', 'https://files.example.org/dropped.iso')
          const place = { bubbles: true, cancelable: true, dataTransfer, clientX: x, clientY: 300 }
          document.querySelector('main').dispatchEvent(new DragEvent(kind, place))
        },
        kind,
        x,
      )
    await drag('dragover', 200)
    await appears(page, 'drop-target')
    await drag('dragleave', 0)
    await gone(page, 'drop-target')
    await drag('dragover', 200)
    await appears(page, 'drop-target')
    await drag('drop', 200)
    await gone(page, 'drop-target')
    await until(async () => (await value(page, 'add-links')).includes('dropped.iso'))
  },

  async 'what only the desktop can do is not offered'({ page }) {
    await signIn(page, TOKEN)
    for (const testid of ['sync-button', 'afterwards', 'row-folder']) assert.equal(await isThere(page, testid), false, testid)
    await openSettings(page)
    await appears(page, 'setting-folder')
    for (const testid of ['browsers', 'setting-close-to-tray', 'setting-notifications', 'setting-netrc-choose', 'sync-row'])
      assert.equal(await isThere(page, testid), false, testid)
  },

  async 'the whole way works without a mouse'({ page }) {
    await appears(page, 'sign-in')
    await page.keyboard.type(TOKEN)
    await page.keyboard.press('Enter')
    await appears(page, 'list')
    await until(() => page.evaluate(() => document.activeElement?.getAttribute('role') === 'treegrid'))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await until(() => page.evaluate(() => document.querySelectorAll('[role="row"][aria-selected="true"]').length === 1))
    await page.keyboard.down('Shift')
    await page.keyboard.press('F10')
    await page.keyboard.up('Shift')
    await appears(page, 'menu')
    await page.keyboard.press('Escape')
    await gone(page, 'menu')
    await page.keyboard.down('Control')
    await page.keyboard.press(',')
    await page.keyboard.up('Control')
    await appears(page, 'settings')
  },

  async 'a hidden page costs the server no connection'({ page, server }) {
    await signIn(page, TOKEN)
    await until(() => server.sockets.size === 1)
    // Make the page believe that it is hidden, because a headless browser never hides a page.
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await until(() => server.sockets.size === 0, 'the connection is closed')
    await page.evaluate(() => {
      delete document.visibilityState
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await until(() => server.sockets.size === 1, 'the connection is back')
  },

  async 'a newer server lets the page load again once'({ page, server }) {
    await signIn(page, TOKEN)
    await page.evaluate(() => (globalThis.isOld = true))
    server.program = '99.0.0'
    for (const socket of server.sockets) socket.terminate()
    await until(async () => !(await page.evaluate(() => globalThis.isOld === true)), 'the page is loaded again')
    await appears(page, 'list')
    await page.evaluate(() => (globalThis.isOld = true))
    for (const socket of server.sockets) socket.terminate()
    await until(() => server.sockets.size === 1)
    assert.equal(await page.evaluate(() => globalThis.isOld), true)
  },

  async 'the installed page opens without the server'({ page, server }) {
    await signIn(page, TOKEN)
    await page.evaluate(async () => void (await navigator.serviceWorker.ready))
    const manifest = await page.evaluate(async () => (await fetch(document.querySelector('link[rel="manifest"]').href)).json())
    assert.deepEqual([manifest.start_url, manifest.display, manifest.icons.length], ['./', 'standalone', 2])
    for (const { src } of manifest.icons) assert.equal(await page.evaluate(async (src) => (await fetch(src)).status, src), 200)
    // After one load under the control of the service worker, the page is completely stored.
    await page.reload()
    await appears(page, 'list')
    await server.pause()
    await page.reload()
    await appears(page, 'connection')
    await server.resume()
    await appears(page, 'list')
  },
}
