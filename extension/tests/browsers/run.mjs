// Runs the extension in real browsers: every case of the matrix, and faults of the host.
//
//   node tests/browsers/run.mjs [--only WORD]… [--browser chromium|firefox] [--programs FOLDER]
//
// With `--programs target/debug`, every case runs a second time, with the real `ashore serve` and `ashore-browser`.
//
// Everything is on loopback. Profiles, downloads and sockets are in one temporary folder, which is removed at the end.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startAshore } from './ashore.mjs'
import { connectHost, PROGRAMS, removeFolder, startBrowser, until } from './browsers.mjs'
import { CASES } from './cases.mjs'
import { FAULTS } from './faults.mjs'
import { PAGES } from './pages.mjs'
import { REFRESHES } from './refresh.mjs'
import { startRealAshore } from './real-ashore.mjs'
import { bodyOf, gate, startServers } from './servers.mjs'

const several = { type: 'string', multiple: true }
const { values } = parseArgs({ options: { only: several, browser: several, programs: { type: 'string' } } })
const families = values.browser ?? Object.keys(PROGRAMS)
const absent = families.filter((family) => PROGRAMS[family] === undefined)
if (absent.length > 0) {
  console.error(`These browsers are not installed: ${absent.join(', ')}. Run scripts/setup test, and try again.`)
  process.exit(2)
}
const isWanted = ({ name }) => values.only === undefined || values.only.some((word) => name.includes(word))
const root = mkdtempSync(join(tmpdir(), 'ashore-extension-'))
let passed = 0
let failed = 0

/** Everything that one browser needs, in a folder of its own. */
async function startWorld(family, { programs, ...options } = {}) {
  const folder = mkdtempSync(join(root, `${family}-`))
  const servers = await startServers()
  const ashore = programs === undefined ? await startAshore(folder) : await startRealAshore(folder, resolve(programs))
  const session = await startBrowser(family, join(folder, 'browser'), {
    before: (one) => connectHost(one, ashore.host),
    ...options,
  })
  const inspector = await session.open('options.html')
  let at = 0
  return {
    family,
    isReal: programs !== undefined,
    servers,
    ashore,
    session,
    inspector,
    /** Adds a case to the servers. */
    add: (one) => {
      at += 1
      const fileName = `${one.name}.bin`
      const whole = { fileName, body: bodyOf(at), seed: at, ...one, gate: gate() }
      if (one.page) whole.page = (address) => one.page(address).replaceAll('SEED', String(at))
      servers.cases.set(one.name, whole)
      return whole
    },
    /** Downloads in the list of the browser. */
    listed: () => inspector.evaluate(() => (globalThis.browser ?? chrome).downloads.search({})),
    stored: () => inspector.evaluate(() => (globalThis.browser ?? chrome).storage.session.get(null)),
    /** Forgets everything about earlier cases. */
    reset: async () => {
      connectHost(session, ashore.host)
      await ashore.reset()
      servers.requests.length = 0
      await inspector.evaluate(async () => {
        const api = globalThis.browser ?? chrome
        await Promise.all([api.storage.local.clear(), api.storage.session.clear(), api.downloads.erase({})])
      })
      for (const name of session.files()) rmSync(join(session.downloads, name))
    },
    stop: async () => {
      await session.stop()
      await ashore.stop()
      servers.stop()
    },
  }
}

/** Opens the page of a case, and clicks its link. */
async function click(world, one) {
  const { servers, session } = world
  const origin = one.credentials ? servers.origins.plain.replace('//', `//${one.credentials}@`) : servers.origins.plain
  const page = await session.open(`${origin}/page/${one.name}`)
  await page.bringToFront()
  if (one.key) await page.keyboard.down(one.key)
  await page.click('#go')
  if (one.key) await page.keyboard.up(one.key)
  return page
}

/** Whether no hand-off is open. A pair whose download could not be dropped waits for the next start of the worker. */
const hasEnded = async (world) => Object.values((await world.stored()).pairs ?? {}).every((pair) => pair.failed_releases > 0)

/** Waits until the file is whole in exactly one place, and every hand-off has ended. */
async function settle(world, one, holder = one.holder) {
  const { ashore, session } = world
  const isPartial = (name) => /\.(part|crdownload)$|^\.org\.chromium/.test(name)
  if (holder === 'browser') {
    await until(() => {
      const names = session.files()
      return names.length === 1 && !isPartial(names[0]) && readFileSync(join(session.downloads, names[0])).equals(one.body)
    }, `the browser has the whole file; it has ${session.files()}`)
    one.ended?.(one)
    await until(() => hasEnded(world), 'the hand-off has ended')
    await until(async () => (await ashore.held()).length === 0, 'Ashore holds nothing')
    await until(
      async () => (await world.listed()).filter(({ state }) => state === 'complete').length === 1,
      'the list has the file',
    )
  } else {
    await until(async () => (await ashore.held()).length === 1, 'Ashore holds the file')
    await until(() => session.files().length === 0, 'the folder of the browser is empty')
    await until(async () => (await world.listed()).length === 0, 'the list of the browser is empty')
    await until(() => hasEnded(world), 'the hand-off has ended')
    const held = async () => (await ashore.held())[0]
    if (one.size === undefined) await until(async () => (await held()).content()?.equals(one.body), 'Ashore has the whole file')
    else await until(async () => (await held()).received > 0, 'Ashore receives the file')
    // Firefox closes the connection of a cancelled transfer only when more data arrives. The file must not come back then.
    one.gate.open()
    await until(() => one.first.writableFinished || one.first.destroyed, "the browser's transfer has ended")
    assert.deepEqual(session.files(), [])
    assert.deepEqual(await world.listed(), [])
  }
}

async function runCase(world, template) {
  const one = world.add(template)
  const asks = one.asks ?? 1
  // The browser's transfer must not end before the answer arrives, and never if Ashore took the file.
  world.ashore.onAsk = (_ask, _download, { type }) => type === 'declined' && one.gate.open()
  if (asks === 0) one.gate.open()
  const page = await click(world, one)
  await settle(world, one)
  const requests = world.servers.requests.filter(({ name, kind }) => name === one.name && kind === 'file')
  const most = world.isReal ? (one.mostGets ?? one.gets) : one.gets
  assert.ok(
    requests.length >= one.gets && requests.length <= most,
    `the file was requested ${requests.length} times: ${JSON.stringify(requests.map(({ headers }) => headers))}`,
  )
  assert.equal(world.ashore.asks.length, one.hanging ? world.ashore.asks.length : asks, 'asks')
  const context = {
    offered: world.ashore.asks[0]?.download,
    requests,
    origins: world.servers.origins,
    page: page.url(),
    kept: () => until(async () => (await world.stored()).last_kept, 'the reason is remembered'),
  }
  await one.check?.(context)
  await page.close()
}

async function report(family, name, run) {
  const start = Date.now()
  try {
    await run()
    passed += 1
    console.log(`ok      ${family} ${name} (${Date.now() - start} ms)`)
  } catch (error) {
    failed += 1
    console.log(`FAILED  ${family} ${name}: ${error.message}\n${error.stack?.split('\n').slice(1, 6).join('\n')}`)
  }
}

try {
  for (const family of families) {
    const faults = [...FAULTS, ...PAGES].filter((one) => isWanted(one) && (one.only ?? family) === family)
    const shared = [...CASES.filter(isWanted), ...faults.filter(({ needsOwnBrowser }) => !needsOwnBrowser)]
    const world = shared.length > 0 ? await startWorld(family) : null
    for (const one of shared) {
      await report(family, one.name, async () => {
        await world.reset()
        await (one.run?.(world, { click, settle }) ?? runCase(world, one))
      })
    }
    await world?.stop()
    if (values.programs !== undefined) {
      const real = await startWorld(family, { programs: values.programs })
      for (const one of CASES.filter(isWanted)) {
        await report(family, `${one.name} with the real Ashore`, async () => {
          await real.reset()
          await runCase(real, one)
        })
      }
      for (const one of REFRESHES.filter(isWanted)) {
        await report(family, one.name, async () => {
          await real.reset()
          await one.run(real, { click })
        })
      }
      await real.stop()
    }
    for (const fault of faults.filter(({ needsOwnBrowser }) => needsOwnBrowser)) {
      await report(family, fault.name, async () => {
        const own = await startWorld(family, fault.options)
        await fault.run(own, { click, settle }).finally(() => own.stop())
      })
    }
  }
} finally {
  await removeFolder(root)
}
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)
