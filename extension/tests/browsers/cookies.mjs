// Cookies that the server of a download receives. The browser's own request is the measure: Ashore must send exactly the
// same cookies. Each case has secrets, and none of them may be left in a file, a log or a command line of Ashore.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { until } from './browsers.mjs'

/** Values of this run of the tests. None of them is in the sources or in a command line of the tests. */
const secret = () => `canary-${randomBytes(12).toString('hex')}`
const OWN = secret()
const FOREIGN = secret()
const CHIP = secret()
const SECRETS = [OWN, FOREIGN, CHIP]

const cookiesOf = ({ headers }) => (headers.cookie ?? '').split('; ').filter(Boolean).sort()
const referrerOf = ({ headers }) => headers.referer
const set = (...lines) => ({ headers: { 'set-cookie': lines } })

/** Returns the encodings in which a secret text could be stored. */
const forms = (text) => [text, Buffer.from(text).toString('base64').replace(/=+$/, ''), Buffer.from(text).toString('hex')]

/** Returns the command lines and environments of all processes. */
function processes() {
  const parts = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return parts.flatMap((pid) => ['cmdline', 'environ'].map((part) => `/proc/${pid}/${part}`))
}

function filesBelow(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** Returns the paths whose content contains a secret. */
function found(paths) {
  const wanted = SECRETS.flatMap(forms)
  const hasSecret = (path) => {
    try {
      const content = readFileSync(path)
      return wanted.some((text) => content.includes(text))
    } catch {
      // The process has ended, or the temporary file was removed.
      return false
    }
  }
  return paths.filter(hasSecret)
}

/**
 * Runs `work`, and asserts that secrets are never outside of the memory of the browser and of Ashore.
 *
 * The file `sign-ins.json` is the only exception. Ashore stores secrets there if it has no keychain, as in these tests.
 * Only its user can read this file, and the secrets are removed when the download has ended.
 */
async function withoutTraces(world, work) {
  const { ashore } = world
  const data = join(ashore.folder, 'ashore-data')
  const places = readdirSync(ashore.folder).filter((name) => name.startsWith('ashore-'))
  const ofAshore = () => places.flatMap((name) => filesBelow(join(ashore.folder, name)))
  const isKeychain = (path) => dirname(path) === data && /^(sign-ins\.json|\.tmp\w+)$/.test(basename(path)) && isPrivate(path)
  const traces = new Set()
  const search = () => [...found(processes()), ...found(ofAshore())].forEach((path) => isKeychain(path) || traces.add(path))
  const timer = setInterval(search, 25)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  search()
  assert.deepEqual([...traces], [], 'places with a secret')
  await until(() => found(ofAshore()).length === 0, `the cookies are forgotten; they are in ${found(ofAshore())}`)
  const stored = JSON.stringify([await world.kept(), await world.stored()])
  for (const text of SECRETS.flatMap(forms)) {
    assert.ok(!ashore.output.includes(text), 'the output of Ashore has a secret')
    assert.ok(!stored.includes(text), 'the extension stores a secret')
  }
}

/** Whether only the owner can read a file. */
function isPrivate(path) {
  try {
    return (statSync(path).mode & 0o077) === 0
  } catch {
    // A temporary file was renamed to its final name.
    return true
  }
}

/** Asserts that both requests for the file had the same cookies. If `expected` is given, they must equal it. */
function assertSame({ requests, offered }, expected, ...without) {
  const [browser, ashore] = requests.map(cookiesOf)
  assert.deepEqual(ashore, browser, 'cookies of Ashore and of the browser')
  if (expected !== undefined) assert.deepEqual(browser, [...expected].sort())
  for (const text of without) assert.ok(!(offered.cookies ?? '').includes(text), `${text} was offered`)
}

/** Sets the cookies of `one` on both sites, as visits of a person do. */
async function visit(world, one) {
  for (const [at, kind] of Object.entries(one.visits ?? {})) {
    await (await world.session.open(`${world.servers.origins[at]}/${kind}/${one.name}`)).close()
  }
}

const FILE_LINK = (address) => `<a id="go" href="${address}">Get</a>`

/** Clicks in the frame of a page. */
async function pressInFrame(page) {
  const inner = await until(() => page.frames().find((frame) => frame.url().includes('/inner/')), 'the frame is there')
  await until(() => inner.evaluate(() => document.readyState === 'complete'), 'the frame is loaded')
  await inner.click('#go')
}

export const COOKIES = [
  {
    name: 'cookie-own-site-only',
    holder: 'ashore',
    gets: 2,
    visits: { other: 'foreign' },
    parts: { foreign: () => set(`foreign=${FOREIGN}; Path=/`) },
    pageHeaders: {
      'set-cookie': [`own=${OWN}; HttpOnly; SameSite=Strict; Path=/`, 'deep=1; Path=/file/', 'else=1; Path=/other/'],
    },
    check: (seen) => assertSame(seen, [`own=${OWN}`, 'deep=1'], FOREIGN),
  },
  {
    name: 'cookie-link-from-other-site',
    at: 'other',
    holder: 'ashore',
    gets: 2,
    visits: { plain: 'own' },
    parts: {
      own: () => set(`strict=${OWN}; SameSite=Strict; Path=/`, 'lax=1; SameSite=Lax; Path=/', 'plain=1; HttpOnly; Path=/'),
    },
    pageHeaders: { 'set-cookie': `foreign=${FOREIGN}; Path=/` },
    check: (seen) => assertSame(seen, ['lax=1', 'plain=1'], FOREIGN, OWN),
  },
  {
    name: 'cookie-partition-of-frame',
    // For an address without HTTPS, Firefox does not show `Secure` cookies to an extension.
    needsReal: true,
    holder: 'ashore',
    gets: 2,
    // The visit stores two cookies: one without a partition, and one in the partition of the visited site itself.
    visits: { secure: 'first' },
    page: (_address, origins) => `<iframe src="${origins.secure}/inner/cookie-partition-of-frame"></iframe>`,
    parts: {
      first: () =>
        set(
          `strict=${OWN}; SameSite=Strict; Path=/`,
          `own-chip=${FOREIGN}; SameSite=None; Secure; Partitioned; HttpOnly; Path=/`,
        ),
      inner: (origins) => ({
        ...set(`chip=${CHIP}; SameSite=None; Secure; Partitioned; HttpOnly; Path=/`),
        body: FILE_LINK(`${origins.secure}/file/cookie-partition-of-frame/chip.bin`),
      }),
    },
    press: pressInFrame,
    check: (seen) => assertSame(seen, [`chip=${CHIP}`], FOREIGN, OWN),
  },
  {
    name: 'cookie-partition-of-other-site',
    at: 'secure',
    // For an address without HTTPS, Firefox does not show `Secure` cookies to an extension.
    needsReal: true,
    holder: 'ashore',
    gets: 2,
    visits: { plain: 'first' },
    page: (_address, origins) => FILE_LINK(`${origins.secure}/file/cookie-partition-of-other-site/chip.bin`),
    parts: {
      first: (origins) => ({ body: `<iframe src="${origins.secure}/inner/cookie-partition-of-other-site"></iframe>` }),
      inner: () => set(`chip=${CHIP}; SameSite=None; Secure; Partitioned; HttpOnly; Path=/`),
    },
    pageHeaders: { 'set-cookie': `own=${OWN}; SameSite=Strict; HttpOnly; Path=/` },
    check: (seen) => assertSame(seen, [`own=${OWN}`], CHIP),
  },
  {
    name: 'cookie-container',
    only: 'firefox',
    holder: 'ashore',
    gets: 2,
    visits: { plain: 'default' },
    parts: { default: () => set(`default=${FOREIGN}; Path=/`) },
    pageHeaders: { 'set-cookie': `container=${OWN}; HttpOnly; Path=/` },
    inContainer: true,
    check: (seen) => assertSame(seen, [`container=${OWN}`], FOREIGN),
  },
  {
    name: 'referrer-hidden-by-page',
    holder: 'ashore',
    gets: 2,
    pageHeaders: { 'referrer-policy': 'no-referrer' },
    check: ({ requests }) => assert.deepEqual(requests.map(referrerOf), [undefined, undefined]),
  },
  {
    name: 'referrer-from-other-site',
    at: 'other',
    holder: 'ashore',
    gets: 2,
    check: ({ requests, origins }) => assert.deepEqual(requests.map(referrerOf), [`${origins.other}/`, `${origins.other}/`]),
  },
].map((one) => ({ ...one, visit, withoutTraces }))
