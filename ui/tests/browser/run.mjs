// Runs the built page in a real browser against a server with the interface of Ashore. Options:
//
// - `--browser firefox`: another browser than Chromium, without the pictures
// - `--only TEXT`: only the journeys whose names contain the text; `--only views`: only the views
// - `--pictures FOLDER`: keeps the pictures of all views
import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startBrowser } from './browser.mjs'
import { JOURNEYS } from './journeys.mjs'
import { KEYBOARD } from './keyboard.mjs'
import { look } from './looks.mjs'
import { startServer } from './server.mjs'

const { values } = parseArgs({
  options: { browser: { type: 'string', default: 'chromium' }, only: { type: 'string' }, pictures: { type: 'string' } },
})
const say = (line) => process.stdout.write(`${line}\n`)
const failed = []

const browser = await startBrowser(values.browser)
for (const size of ['phone', 'screen']) {
  // A phone has no keyboard.
  for (const [name, journey] of Object.entries(size === 'phone' ? JOURNEYS : { ...JOURNEYS, ...KEYBOARD })) {
    if (values.only !== undefined && !name.includes(values.only)) continue
    const server = await startServer({ base: size === 'phone' ? '/ashore/' : '/', rows: 'still' })
    const page = await browser.open(server.url, { size })
    try {
      await journey({ page, server, downloads: browser.downloads })
      say(`ok      ${size}: ${name}`)
    } catch (error) {
      failed.push(`${size}: ${name}`)
      say(`FAILED  ${size}: ${name}\n${error.stack}`)
    }
    await page.browserContext().close()
    await server.stop()
  }
}
if ((values.only ?? 'views') === 'views' && values.browser === 'chromium') {
  if (values.pictures !== undefined) mkdirSync(values.pictures, { recursive: true })
  const server = await startServer({ rows: 'still' })
  const faults = await look({ server, browser, folder: values.pictures, say })
  for (const fault of faults) say(`FAILED  ${fault}`)
  failed.push(...faults)
  await server.stop()
}
await browser.stop()
say(failed.length === 0 ? 'All journeys and views are as expected.' : `Failed: ${failed.length}`)
process.exit(Math.min(failed.length, 1))
