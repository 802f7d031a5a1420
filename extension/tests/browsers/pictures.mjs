// Takes pictures of popup, settings and first page in Chromium: light, dark, and in languages of both directions.
//
//   node tests/browsers/pictures.mjs FOLDER            all pictures
//   node tests/browsers/pictures.mjs FOLDER --readme   only the popup, in English: browser-popup.png
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAshore } from './ashore.mjs'
import { connectHost, removeFolder, startBrowser, until } from './browsers.mjs'

const [target, option] = process.argv.slice(2)
const isForReadme = option === '--readme'
if (target === undefined) throw new Error('Name the folder of the pictures.')
mkdirSync(target, { recursive: true })

const line = (title, state, downloaded, expected_total, speed = 0, trouble = null) => ({
  ...{ unique_id: title, title, state, downloaded, expected_total, speed, trouble },
})
const SHOWN = [
  line('debian-14.1.0-amd64-netinst.iso', 'running', 310e6, 845e6, 11.4e6),
  line('A talk about tides and harbours, whole recording.mkv', 'waiting', 0, 4.2e9),
  line('photos-2026.zip', 'failed', 12e6, 96e6, 0, 'File not found on the server. Try a new link.'),
  line('handbook.pdf', 'complete', 8.1e6, 8.1e6),
]
const TAB = { id: 1, url: 'https://www.example.com/files', title: 'Files' }
const MEDIA = [
  { url: 'https://example.com/harbour.mp4', name: 'harbour.mp4', kind: 'video', size: 48e6 },
  { url: 'https://example.com/live.m3u8', name: 'live.m3u8', kind: 'stream', size: null },
]
const KEPT = {
  name: 'invoice-2026-11.pdf',
  site: 'shop.example.com',
  at: Date.now(),
  why: { refusal: { code: 'browser-not-same-file', text: 'The server sent a page to Ashore instead of the file.' } },
}
const FAR = Date.now() + 20 * 24 * 3600 * 1000

/**
 * Simulates the popup of a real tab. In this test, the popup page is itself in a tab, so it has no other tab to describe.
 */
function stub(tab, media) {
  chrome.tabs.query = async () => [tab]
  chrome.runtime.sendMessage = async () => media
}

async function take(language, scheme) {
  const folder = mkdtempSync(join(tmpdir(), 'ashore-pictures-'))
  const ashore = await startAshore(folder)
  ashore.shown = SHOWN
  const session = await startBrowser('chromium', join(folder, 'browser'), {
    language,
    hasAccess: scheme === 'light',
    before: (one) => connectHost(one, ashore.host),
  })
  try {
    const store = await session.open('options.html')
    await store.evaluate(
      (kept, far) =>
        Promise.all([
          chrome.storage.session.set({ last_kept: kept }),
          chrome.storage.local.set({
            settings: { sites: ['media.example.org'] },
            site_records: { 'example.com': { refusals: 0, left_until: far } },
          }),
        ]),
      KEPT,
      FAR,
    )
    await store.close()
    const shoot = async (name, width, height, prepare) => {
      const page = await session.browser.newPage()
      await page.setViewport({ width, height, deviceScaleFactor: 1.5 })
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
      if (prepare) await page.evaluateOnNewDocument(stub, TAB, MEDIA)
      await page.goto(`${session.origin}/${name}.html`)
      await until(() => page.evaluate(() => document.body.children.length > 0 && document.readyState === 'complete'))
      if (prepare)
        await until(() =>
          page.evaluate(() => document.querySelectorAll('.bar').length > 1 && document.querySelectorAll('.media li').length > 1),
        )
      const file = isForReadme ? `browser-${name}.png` : `${name}-${language}-${scheme}.png`
      await page.screenshot({ path: join(target, file), fullPage: name !== 'popup' })
      await page.close()
    }
    await shoot('popup', 368, 600, true)
    if (isForReadme) return
    await shoot('options', 760, 900)
    await shoot('welcome', 760, 700)
  } finally {
    await session.stop()
    await ashore.stop()
    await removeFolder(folder)
  }
}

const LOOKS = [
  ['en-US', 'light'],
  ['en-US', 'dark'],
  ['ar', 'dark'],
  ['de', 'light'],
  ['ja', 'light'],
]
for (const [language, scheme] of isForReadme ? LOOKS.slice(0, 1) : LOOKS) await take(language, scheme)
console.log(`The pictures are in ${target}.`)
