// Runs the extension in real browsers: every case of the matrix, with Ashore in every state, faults, attacks, and rules that
// Ashore shares.
//
//   node tests/browsers/run.mjs [--only BEGINNING]… [--browser chromium|firefox] [--programs FOLDER]
//
// With `--programs target/debug`, every case of the matrix runs a second time, with the real `ashore serve` and
// `ashore-browser`. Attacks and shared rules need these programs.
//
// The cases are divided into parts, which run at the same time in browsers of their own. The last line counts the runs, and those
// that lost or doubled a file. A run is one case in one browser.
// Everything is on loopback. Profiles, downloads and sockets are in one temporary folder, which is removed at the end.
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ATTACKS } from './attacks.mjs'
import { PROGRAMS, removeFolder, until } from './browsers.mjs'
import { CASES } from './cases.mjs'
import { COOKIES } from './cookies.mjs'
import { FAULTS } from './faults.mjs'
import { PAGES } from './pages.mjs'
import { PAIRED } from './paired.mjs'
import { REFRESHES } from './refresh.mjs'
import { SHARING } from './sharing.mjs'
import { UNREACHABLE } from './states.mjs'
import { click, countCopies, settle, startWorld } from './world.mjs'

const several = { type: 'string', multiple: true }
const { values } = parseArgs({ options: { only: several, browser: several, programs: { type: 'string' } } })
const families = values.browser ?? Object.keys(PROGRAMS)
const absent = families.filter((family) => PROGRAMS[family] === undefined)
if (absent.length > 0) {
  console.error(`These browsers are not installed: ${absent.join(', ')}. Run scripts/setup test, and try again.`)
  process.exit(2)
}
const isWanted = ({ name }) => values.only === undefined || values.only.some((beginning) => name.startsWith(beginning))
const root = mkdtempSync(join(tmpdir(), 'ashore-extension-'))
const MATRIX = [...CASES, ...COOKIES]
/** Cases with the real Ashore, in addition to those of the matrix. */
const ADDED = [...ATTACKS, ...SHARING, ...REFRESHES, ...PAIRED, ...UNREACHABLE.filter(({ needsReal }) => needsReal)]
const SIMULATED = [...MATRIX, ...FAULTS, ...PAGES, ...UNREACHABLE].filter(({ needsReal }) => !needsReal)
/**
 * Number of parts that run at the same time. With more fast parts, a machine with two cores is so busy that cases exceed their
 * time limits. Slow parts mostly wait, so they run beside the fast ones.
 */
const SIDE_BY_SIDE = { fast: 4, slow: 2 }
/**
 * Maximum number of cases in a part. With small parts, all parallel places stay busy until the end. But each part starts a
 * browser.
 */
const MOST_CASES = 30
const tools = { click, settle }
const total = { runs: 0, failed: 0, lost: 0, doubled: 0 }
/** Reports of failed runs. They are printed again at the end, because other parts print in between. */
const failures = []
const names = new Set()
const WITH_REAL = ' with the real Ashore'

async function runCase(world, template) {
  const one = world.add(template)
  const asks = one.asks ?? 1
  // The browser's transfer must not end before the answer arrives, and never if Ashore took the file.
  world.ashore.onAsk = (_ask, _download, { type }) => type === 'declined' && one.gate.open()
  if (asks === 0) one.gate.open()
  await one.visit?.(world, one)
  let page
  const work = async () => {
    page = await click(world, one)
    await settle(world, one)
  }
  await (world.isReal && one.withoutTraces ? one.withoutTraces(world, work) : work())
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

/**
 * Runs one case in the test environment that `world()` returns. Afterwards, counts the copies of the files in this
 * environment.
 */
async function report(family, name, world, run) {
  const start = Date.now()
  const trouble = []
  let used = null
  try {
    used = await world()
    await run(used)
  } catch (error) {
    trouble.push(`${error.message}\n${error.stack?.split('\n').slice(1, 6).join('\n')}`)
  }
  if (trouble.length > 0 && used !== null) {
    const stored = await Promise.resolve()
      .then(() => used.stored())
      .catch(() => null)
    trouble.push(`the extension stores ${JSON.stringify(stored)}, and Ashore was asked ${used.ashore.asks.length} times`)
  }
  const copies = used === null ? { lost: [], doubled: [] } : await countCopies(used, trouble.length > 0 ? 5000 : 20_000)
  for (const kind of ['lost', 'doubled']) {
    if (copies[kind].length === 0) continue
    total[kind] += 1
    trouble.push(`${kind}: ${copies[kind].join(', ')}`)
  }
  total.runs += 1
  names.add(name.replace(WITH_REAL, ''))
  const verdict = `${trouble.length > 0 ? 'FAILED ' : 'ok     '} ${family} ${name} (${Date.now() - start} ms)`
  const lines = [verdict, ...trouble].join('\n')
  console.log(lines)
  if (trouble.length === 0) return
  total.failed += 1
  failures.push(lines)
}

/** Runs a case in a browser of its own. */
async function alone(family, one, options) {
  let own = null
  const start = async () => (own = await startWorld(root, family, { ...options, ...one.options }))
  await report(family, one.name, start, (world) => one.run(world, tools))
  await own?.stop()
}

/** Runs `cases` one after another in one browser. */
async function inTurn(family, cases, options, suffix = '') {
  const world = await startWorld(root, family, options)
  for (const one of cases) {
    const start = async () => (await world.reset(), world)
    await report(family, `${one.name}${suffix}`, start, () => one.run?.(world, tools) ?? runCase(world, one))
  }
  await world.stop()
}

const real = { programs: values.programs }
/** Groups of cases, each with the options of its test environment and a suffix for the names of its cases. */
const GROUPS = values.programs === undefined ? [[SIMULATED]] : [[ADDED, real], [SIMULATED], [MATRIX, real, WITH_REAL]]
/** Returns functions that run one part each: cases that share a browser, or one case with a browser of its own. */
function partsOf(isSlow) {
  return GROUPS.flatMap(([cases, options, suffix]) =>
    families.flatMap((family) => {
      const wanted = cases.filter((one) => isWanted(one) && (one.only ?? family) === family && (one.isSlow ?? false) === isSlow)
      const shared = wanted.filter(({ needsOwnBrowser }) => !needsOwnBrowser)
      const starts = Array.from({ length: Math.ceil(shared.length / MOST_CASES) }, (_, at) => at * MOST_CASES)
      return [
        ...wanted.filter(({ needsOwnBrowser }) => needsOwnBrowser).map((one) => () => alone(family, one, options)),
        ...starts.map((start) => () => inTurn(family, shared.slice(start, start + MOST_CASES), options, suffix)),
      ]
    }),
  )
}

/** Runs parts, `places` of them at a time. */
async function runParts(parts, places) {
  const inOnePlace = async () => {
    for (let run = parts.shift(); run !== undefined; run = parts.shift()) {
      try {
        await run()
      } catch (error) {
        total.failed += 1
        failures.push(String(error?.stack ?? error))
        console.log(error)
      }
    }
  }
  await Promise.all(Array.from({ length: places }, inOnePlace))
}

try {
  await Promise.all([runParts(partsOf(true), SIDE_BY_SIDE.slow), runParts(partsOf(false), SIDE_BY_SIDE.fast)])
} finally {
  await removeFolder(root)
}
if (failures.length > 0) console.log(['All failures:', ...failures].join('\n'))
const { runs, lost, doubled, failed } = total
console.log(`${runs} runs, ${lost} lost, ${doubled} doubled, ${failed} failed: ${names.size} cases in ${families.join(' and ')}`)
process.exit(failed === 0 && runs > 0 ? 0 : 1)
