// Measures the time from a click on a link until the extension stores that Ashore has taken the download. Prints one line of
// JSON for each browser with its version, and one for each series. `make bench ONLY=browser` reads these lines.
//
//   node tests/browsers/clicks.mjs --programs FOLDER [--clicks 20] [--browser chromium|firefox]
//
// - The click and the end are read from the clock of the same browser: `click` on the page, and `storage.onChanged`.
// - The time of the browser itself is that until it lists its own download for the same click.
// - In the series `started`, no Ashore runs, so that the host starts the desktop program on a virtual screen.
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { connectHost, PROGRAMS, removeFolder, startBrowser, until } from './browsers.mjs'
import { startRealAshore } from './real-ashore.mjs'
import { startScreen } from './screen.mjs'
import { bodyOf, gate, startServers } from './servers.mjs'

const { values } = parseArgs({
  options: {
    browser: { type: 'string', multiple: true },
    clicks: { type: 'string', default: '20' },
    programs: { type: 'string' },
  },
})
const programs = resolve(values.programs ?? '../target/release')
const clicks = Number(values.clicks)
const families = values.browser ?? Object.keys(PROGRAMS)
const absent = families.filter((family) => PROGRAMS[family] === undefined)
if (absent.length > 0) throw new Error(`These browsers are not installed: ${absent.join(', ')}.`)

/** Creates a folder with the host and an app beside it. The app writes its process id. */
function installApp(folder) {
  const place = join(folder, 'programs')
  const pidFile = join(folder, 'pid')
  mkdirSync(place)
  copyFileSync(join(programs, 'ashore-browser'), join(place, 'ashore-browser'))
  const app = join(place, 'ashore-desktop')
  writeFileSync(app, `#!/bin/sh\necho $$ > '${pidFile}'\nexec '${join(programs, 'ashore-desktop')}' "$@"\n`)
  chmodSync(app, 0o755)
  const isThere = (pid) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  const end = async () => {
    if (!existsSync(pidFile)) return
    const pid = Number(readFileSync(pidFile, 'utf8'))
    rmSync(pidFile)
    if (isThere(pid)) process.kill(pid, 'SIGTERM')
    await until(() => !isThere(pid), 'the app has ended')
  }
  return { host: join(place, 'ashore-browser'), end, hasStarted: () => existsSync(pidFile) }
}

/** Records when the browser lists a download, and when the extension stores its phase `taken`. */
function record() {
  const api = globalThis.browser ?? chrome
  globalThis.seen = {}
  api.downloads.onCreated.addListener(() => (globalThis.seen.listed ??= Date.now()))
  api.storage.onChanged.addListener((changes, area) => {
    const pairs = area === 'session' ? Object.values(changes.pairs?.newValue ?? {}) : []
    if (pairs.some(({ phase }) => phase === 'taken')) globalThis.seen.taken ??= Date.now()
  })
}

/** Clicks the link of a new file. Returns the milliseconds until the browser listed it, and until Ashore had taken it. */
async function clickOnce({ servers, session, inspector }, number) {
  const one = { name: `click-${number}`, fileName: `click-${number}.bin`, body: bodyOf(number), gate: gate() }
  servers.cases.set(one.name, one)
  await inspector.evaluate(() => (globalThis.seen = {}))
  const page = await session.open(`${servers.origins.plain}/page/${one.name}`)
  await page.bringToFront()
  await page.evaluate(() => addEventListener('click', () => (globalThis.clicked = Date.now()), { capture: true, once: true }))
  await page.click('#go')
  const seen = await until(async () => {
    const { seen, kept } = await inspector.evaluate(async () => {
      const { last_kept } = await (globalThis.browser ?? chrome).storage.session.get('last_kept')
      return { seen: globalThis.seen, kept: last_kept }
    })
    if (kept !== undefined && kept !== null) return { kept }
    return seen.taken !== undefined && seen
  }, `Ashore takes ${one.name}`)
  if (seen.kept !== undefined) throw new Error(`The browser kept ${one.name}: ${JSON.stringify(seen.kept.why)}`)
  const clicked = await page.evaluate(() => globalThis.clicked)
  const isOver = async () => (await inspector.evaluate(() => (globalThis.browser ?? chrome).downloads.search({}))).length === 0
  await until(isOver, 'the list of the browser is empty')
  // Open the gate only now: otherwise the browser could finish its own download before the download is cancelled.
  one.gate.open()
  await page.close()
  return { listed: seen.listed - clicked, taken: seen.taken - clicked }
}

/** Clicks several times. If `app` is given, ends it before each click, and checks that the click has started it again. */
async function series(world, name, app) {
  const all = []
  // The first click is not counted: it fills the caches of browser and disk.
  for (let number = 0; number <= clicks; number += 1) {
    await app?.end()
    const measured = await clickOnce(world, `${name}-${number}`)
    if (app?.hasStarted() === false) throw new Error('The host did not start the app.')
    if (number > 0) all.push(measured)
  }
  const times = { taken: all.map(({ taken }) => taken), listed: all.map(({ listed }) => listed) }
  console.log(JSON.stringify({ browser: world.family, series: name, ...times }))
}

async function measure(root, family, screen) {
  const folder = mkdtempSync(join(root, `${family}-`))
  const servers = await startServers(folder)
  const ashore = await startRealAshore(folder, programs, servers.authority)
  const app = installApp(folder)
  const variables = Object.entries({ ...ashore.own, DISPLAY: screen.display }).map(([name, value]) => `${name}=${value}`)
  // Without a session bus, the host starts the app itself, and the app does not find the person's desktop.
  const host = ['env', '-u', 'DBUS_SESSION_BUS_ADDRESS', ...variables, app.host]
  const session = await startBrowser(family, join(folder, 'browser'), { before: (one) => connectHost(one, host) })
  console.log(JSON.stringify({ version: await session.browser.version() }))
  const inspector = await session.open('options.html')
  // Other pages in front may cause this page to be throttled, but its events still arrive on time.
  await inspector.evaluate(record)
  const world = { family, servers, session, inspector }
  try {
    await series(world, 'running')
    await ashore.stop()
    await series(world, 'started', app)
  } finally {
    await app.end()
    await session.stop()
    servers.stop()
  }
}

const root = mkdtempSync(join(tmpdir(), 'ashore-clicks-'))
const screen = await startScreen()
try {
  for (const family of families) await measure(root, family, screen)
} finally {
  screen.stop()
  await removeFolder(root)
}
process.exit(0)
