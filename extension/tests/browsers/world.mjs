// Everything that the cases use with one browser: servers, Ashore, the browser itself, and the state of every file.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { startAshore } from './ashore.mjs'
import { connectHost, startBrowser, until } from './browsers.mjs'
import { startRealAshore } from './real-ashore.mjs'
import { bodyOf, gate, startServers } from './servers.mjs'

/**
 * Starts a browser, its servers and Ashore in a new folder below `root`.
 *
 * `programs` is the folder with the programs of the real Ashore. If it is undefined, a stand-in for Ashore is started.
 * `configure` returns options of the browser that depend on the servers. If `hasInspector` is false, no page of the
 * extension is opened. Browsers in private mode need this, because they cannot open such a page.
 */
export async function startWorld(root, family, { programs, configure, isSandboxed = false, ...given } = {}) {
  const folder = mkdtempSync(join(root, `${family}-`))
  const servers = await startServers(folder)
  const ashore =
    programs === undefined ? await startAshore(folder) : await startRealAshore(folder, resolve(programs), servers.authority)
  const { hasInspector = true, before = () => {}, ...options } = { ...given, ...configure?.(servers, family, folder) }
  const session = await startBrowser(family, join(folder, 'browser'), {
    before: (one) => (connectHost(one, isSandboxed ? null : ashore.host), before(one)),
    hidden: isSandboxed ? ashore.folders : [],
    ...options,
  })
  const inspector = hasInspector ? await session.open('inspector.html') : null
  const added = []
  let at = 0
  return {
    family,
    isReal: programs !== undefined,
    servers,
    ashore,
    session,
    inspector,
    added,
    /** Adds a case to the servers. */
    add: (one) => {
      at += 1
      const fileName = `${one.name}.bin`
      const whole = { fileName, body: bodyOf(at), seed: at, ...one, gate: gate() }
      if (one.page) whole.page = (...given) => one.page(...given).replaceAll('SEED', String(at))
      servers.cases.set(one.name, whole)
      added.push(whole)
      return whole
    },
    /** Downloads in the list of the browser. */
    listed: () => inspector.evaluate(() => (globalThis.browser ?? chrome).downloads.search({ limit: 0 })),
    stored: () => inspector.evaluate(() => (globalThis.browser ?? chrome).storage.session.get(null)),
    kept: async () =>
      JSON.parse(JSON.stringify(await inspector.evaluate(() => (globalThis.browser ?? chrome).storage.local.get(null)))),
    /** Forgets everything about earlier cases. */
    reset: async () => {
      connectHost(session, isSandboxed ? null : ashore.host)
      await ashore.reset()
      servers.requests.length = 0
      added.length = 0
      await inspector?.evaluate(async () => {
        const api = globalThis.browser ?? chrome
        await Promise.all([api.storage.local.clear(), api.storage.session.clear(), api.downloads.erase({})])
        for (const { name, domain, path, storeId, partitionKey } of (await api.cookies?.getAll({ partitionKey: {} })) ?? []) {
          for (const scheme of ['http', 'https']) {
            await api.cookies.remove({ url: `${scheme}://${domain}${path}`, name, storeId, partitionKey })
          }
        }
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
export async function click(world, one) {
  const { servers, session } = world
  const origin = one.credentials
    ? servers.origins.plain.replace('//', `//${one.credentials}@`)
    : servers.origins[one.at ?? 'plain']
  const page = await session.open(`${origin}/page/${one.name}`, one.inContainer)
  await page.bringToFront()
  if (one.key) await page.keyboard.down(one.key)
  if (one.press) await one.press(page)
  else await page.click('#go')
  if (one.key) await page.keyboard.up(one.key)
  return page
}

/**
 * Whether all hand-offs have ended. Pairs whose download could not be dropped are ignored, because they wait for the next
 * start of the worker.
 */
export const hasEnded = async (world) =>
  Object.values((await world.stored()).pairs ?? {}).every((pair) => pair.failed_since !== undefined)

const isPartial = (name) => /\.(part|crdownload)$|^\.org\.chromium/.test(name)

/** Waits until the file is whole in exactly one place, and every hand-off has ended. */
export async function settle(world, one, holder = one.holder) {
  const { ashore, session } = world
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
    // Firefox closes the connection of a cancelled transfer only when more data arrives. The cancelled file must not
    // come back then.
    one.gate.open()
    await until(() => one.first.writableFinished || one.first.destroyed, "the browser's transfer has ended")
    assert.deepEqual(session.files(), [])
    assert.deepEqual(await world.listed(), [])
  }
}

const digest = (content) => createHash('sha256').update(content).digest('hex')

/**
 * Counts the files of a run that are complete nowhere, and those that are complete in two places. Only files whose transfer
 * began and that the run expects somewhere are counted. A very large file is never received completely, so it counts for the
 * place that is receiving it.
 */
export async function countCopies(world, limit) {
  const wanted = world.added.filter((one) => one.first !== undefined && one.hasNoCopy !== true)
  wanted.forEach((one) => one.gate.open())
  let copies = []
  const count = async () => {
    const number = new Map()
    const add = (content) => number.set(digest(content), (number.get(digest(content)) ?? 0) + 1)
    const held = await world.ashore.held()
    held.map((one) => one.content()).forEach((content) => content !== null && add(content))
    const paths = world.session.files().filter((name) => !isPartial(name))
    paths.forEach((name) => add(readFileSync(join(world.session.downloads, name))))
    copies = wanted.map((one) => {
      if (one.size !== undefined) return held.filter(({ received }) => received > 0).length
      return number.get(digest(one.body)) ?? 0
    })
    return copies.every((number) => number === 1)
  }
  // A transfer may still be receiving data, and Ashore may still be about to drop a file that the browser has.
  await until(count, 'every file has one whole copy', limit).catch(() => undefined)
  const named = (isBad) => wanted.filter((_, index) => isBad(copies[index] ?? 0)).map(({ name }) => name)
  return { lost: named((number) => number === 0), doubled: named((number) => number > 1) }
}
