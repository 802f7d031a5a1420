// Attacks by pages, and by another extension, against the real Ashore. Each attack must have no effect: Ashore takes
// and requests no file, and the page learns nothing.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { until } from './browsers.mjs'
import { fromOtherExtension, withOtherExtension } from './other-extension.mjs'
import { bodyOf } from './servers.mjs'
import { hasEnded } from './world.mjs'

/** Asserts that the browser neither asked nor started Ashore, and that Ashore has no download. */
async function assertUntouched({ ashore }) {
  assert.deepEqual(await ashore.list(), [])
  // Only the first page, which opens after the installation, asks whether the host exists.
  assert.deepEqual(
    ashore.messages.filter((type) => type !== 'greet'),
    [],
  )
}

/** Waits a short time for something that an attack may have caused. */
const soon = (work) => Promise.race([work.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, 3000))])

const countOf = (world, name, kind = 'file') =>
  world.servers.requests.filter((request) => request.name === name && request.kind === kind).length

/** Runs in a page, and tries everything that a page can do with the extension at `origin`. Returns the findings of the page. */
async function tryEverything(origin) {
  const soon = (result) => Promise.race([result, new Promise((resolve) => setTimeout(resolve, 1500, 'nothing'))])
  const outcome = (attempt) =>
    soon(
      Promise.resolve()
        .then(attempt)
        .then(String, (error) => `${error.name}: ${error.message}`),
    )
  const loaded = (name, properties) =>
    soon(
      new Promise((resolve) => {
        const node = Object.assign(document.createElement(name), properties)
        node.onload = () => resolve('load')
        node.onerror = () => resolve('error')
        document.body.append(node)
      }),
    )
  const id = new URL(origin).host
  const learned = {}
  const runtime = globalThis.chrome?.runtime ?? globalThis.browser?.runtime
  learned.runtime = typeof runtime?.sendMessage
  learned.message = await outcome(() => runtime.sendMessage(id, { type: 'add', url: location.href, tab: { id: 1 } }))
  learned.port = await outcome(() => runtime.connect(id).name)
  const files = ['manifest.json', 'popup.html', 'options.html', 'page.js', 'background.js', 'icons/32.png', 'tokens.css']
  for (const file of files) {
    const url = `${origin}/${file}`
    learned[`fetch ${file}`] = await outcome(() => fetch(url).then(({ status }) => status))
    learned[`opaque ${file}`] = await outcome(() => fetch(url, { mode: 'no-cors' }).then(({ type }) => type))
  }
  learned.image = await loaded('img', { src: `${origin}/icons/32.png` })
  learned.script = await loaded('script', { src: `${origin}/page.js` })
  learned.style = await loaded('link', { rel: 'stylesheet', href: `${origin}/tokens.css` })
  learned.module = await outcome(() => import(`${origin}/page.js`))
  learned.frame = await loaded('iframe', { src: `${origin}/popup.html` })
  learned.frames = await outcome(() => [...document.querySelectorAll('iframe')].at(-1).contentWindow.length)
  learned.names = Object.getOwnPropertyNames(globalThis).filter((name) => /ashore/i.test(name))
  const forged = [
    { type: 'clicked', has_key: true, href: location.href },
    { type: 'add', url: location.href, tab: { id: 1 } },
    { type: 'links', tab: { id: 1 } },
    { type: 'media', tab: { id: 1 } },
    { type: 'ask', version: 1, ask: 'forged', download: { url: location.href } },
  ]
  const heard = []
  addEventListener('message', ({ data, isTrusted, source }) => isTrusted && source !== window && heard.push(data))
  for (const message of forged) {
    postMessage(message, '*')
    new BroadcastChannel('ashore').postMessage(message)
    for (const target of [window, document, document.documentElement]) {
      target.dispatchEvent(new CustomEvent(message.type, { detail: message, bubbles: true }))
      target.dispatchEvent(new MessageEvent('message', { data: message }))
    }
  }
  for (const altKey of [false, true]) {
    for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click', 'auxclick']) {
      go.dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true, cancelable: true, altKey }))
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 300))
  learned.heard = heard
  return JSON.parse(JSON.stringify(learned).replaceAll(id, 'ID'))
}

const READY = `<a id="go" href="#">Go</a><script>go.addEventListener('click', (event) => event.preventDefault())</script>`

/** An address of an extension that does not exist. */
const absent = ({ family }) =>
  family === 'chromium' ? `chrome-extension://${'abcd'.repeat(8)}` : 'moz-extension://11111111-2222-4333-8444-555555555555'

/** Starts the download of each address from a script, without a click. */
const startAll = (addresses) => `<script>
  for (const address of ${JSON.stringify(addresses)}) {
    document.documentElement.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }))
    document.documentElement.append(Object.assign(document.createElement('iframe'), { src: address, hidden: true }))
  }</script>`

const wholeCount = async (world) => (await world.listed()).filter(({ state }) => state === 'complete').length

/** Sends all requests for hosts other than this machine to the test server. */
const throughProxy = (servers, family) => {
  const { hostname, port } = new URL(servers.origins.plain)
  if (family === 'chromium') return { arguments: [`--proxy-server=${hostname}:${port}`, ...LOOPBACK_ONLY] }
  return { preferences: { 'network.proxy.type': 1, 'network.proxy.http': hostname, 'network.proxy.http_port': Number(port) } }
}
/** Chromium must neither ask a person about the local network, nor warn about HTTP. */
const AS_SECURE = ['10.1.2.3', '172.16.0.9', '192.168.1.1', '100.64.0.1', '[fd00::1]', '[::ffff:a00:1]', 'public.example']
const LOOPBACK_ONLY = [
  '--disable-features=LocalNetworkAccessChecks',
  `--unsafely-treat-insecure-origin-as-secure=${AS_SECURE.map((host) => `http://${host}`)}`,
]

/** Addresses that no page may make Ashore request. The browser reaches all of them, some of them through the proxy. */
const LOCAL = (origins) => [
  origins.plain,
  origins.other,
  'http://10.1.2.3',
  'http://172.16.0.9',
  'http://192.168.1.1',
  'http://100.64.0.1',
  'http://[fd00::1]',
  'http://[::ffff:10.0.0.1]',
]

/** Returns the ports on which the processes of one program listen. */
function listeningPorts(isOfProgram) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isOfProgram(name))
  const sockets = new Set(pids.flatMap(openFiles).flatMap((path) => /^socket:\[(\d+)\]$/.exec(path)?.[1] ?? []))
  return ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((name) => {
    const rows = readFileSync(`/proc/net/${name}`, 'utf8').trim().split('\n').slice(1)
    const fields = rows.map((row) => row.trim().split(/\s+/))
    // Keep only listening sockets: a connection has another state, and an unconnected UDP socket has the state 07.
    const waiting = fields.filter(([, , , state, , , , , , inode]) => ['0A', '07'].includes(state) && sockets.has(inode))
    return waiting.map(([, local]) => Number.parseInt(local.split(':')[1], 16))
  })
}

const environmentOf = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    // The process has ended.
    return ''
  }
}

const targetOf = (path) => {
  try {
    return readlinkSync(path)
  } catch {
    // The process has ended, or it has closed the file.
    return ''
  }
}

const programOf = (pid) => targetOf(`/proc/${pid}/exe`)

function openFiles(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((name) => targetOf(`/proc/${pid}/fd/${name}`))
  } catch {
    return []
  }
}

/** Deceptive file names that a server sends, in the form of RFC 8187. */
const NAMES = {
  parent: '..%2F..%2F..%2Fescape.bin',
  windows: '..%5C..%5Cescape.bin',
  absolute: '%2Fetc%2Fescape.bin',
  bidi: 'photo%E2%80%AEgnp.bin',
  isolate: 'a%E2%81%A6b%E2%81%A9c%E2%80%8F.bin',
  header: 'a%0D%0AX-Injected%3A%20yes%0D%0A%0D%0A.bin',
  zero: 'a%00b.bin',
  hidden: '.profile',
  device: 'CON.bin',
  long: `${'n'.repeat(230)}.bin`,
}

/** Path of the file that the test program for Ashore's links writes. */
const openedLinks = ({ folder }) => join(folder, 'opened-links')

/** Registers a program for the links of Ashore, as its package does. */
function registerLinks(session) {
  const applications = join(session.home, '.local/share/applications')
  const program = join(session.folder, 'open-link')
  for (const folder of [applications, join(session.home, '.config')]) mkdirSync(folder, { recursive: true })
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" >> '${openedLinks(session)}'\n`, { mode: 0o755 })
  const entry = `[Desktop Entry]\nType=Application\nName=Ashore\nExec=${program} %u\nMimeType=x-scheme-handler/ashore;\n`
  writeFileSync(join(applications, 'ashore.desktop'), entry)
  writeFileSync(join(session.home, '.config/mimeapps.list'), '[Default Applications]\nx-scheme-handler/ashore=ashore.desktop\n')
  writeFileSync(join(applications, 'mimeinfo.cache'), '[MIME Cache]\nx-scheme-handler/ashore=ashore.desktop;\n')
}

const DECEPTIVE = /[/\\\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

export const ATTACKS = [
  {
    name: 'page-messages-and-fingerprints',
    run: async (world) => {
      world.add({ name: 'knock', page: () => READY })
      const page = await world.session.open(`${world.servers.origins.plain}/page/knock`)
      await page.click('#go')
      const learned = await page.evaluate(tryEverything, world.session.origin)
      assert.deepEqual(
        learned,
        await page.evaluate(tryEverything, absent(world)),
        'differs from an extension that does not exist',
      )
      assert.deepEqual([learned.names, learned.heard], [[], []])
      // Only the trusted click counts.
      const { activity, pairs } = await until(
        async () => ((await world.stored()).activity ? world.stored() : null),
        'the click is seen',
      )
      assert.deepEqual(
        activity.clicks.map(({ has_key, href }) => ({ has_key, href })),
        [{ has_key: false, href: null }],
      )
      assert.equal(pairs, undefined)
      await assertUntouched(world)
      await page.close()
    },
  },
  {
    name: 'page-forges-alt-click',
    run: async (world, { settle }) => {
      // Without a trusted click, the bypass key does not count, and the file is handed over.
      const one = world.add({
        name: 'forged',
        page: (address) => `<a id="go" href="${address}">Get</a><script>
          const hold = (event) => event.preventDefault()
          go.addEventListener('click', hold)
          go.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true, cancelable: true, altKey: true }))
          go.removeEventListener('click', hold)
          setTimeout(() => go.click(), 500)</script>`,
      })
      const page = await world.session.open(`${world.servers.origins.plain}/page/forged`)
      await settle(world, one, 'ashore')
      assert.equal(world.ashore.asks.length, 1)
      await page.close()
    },
  },
  {
    name: 'page-starts-thousand-downloads',
    needsOwnBrowser: true,
    options: {
      configure: (_servers, family) =>
        family === 'chromium' ? { preferences: { profile: { default_content_setting_values: { automatic_downloads: 1 } } } } : {},
    },
    run: async (world) => {
      const { ashore, servers, session } = world
      await ashore.set('browser-least-size', '0')
      await world.inspector.evaluate(() => (globalThis.browser ?? chrome).storage.local.set({ settings: { least_size: 0 } }))
      const many = Array.from({ length: 1000 }, (_, at) => world.add({ name: `many-${at}`, body: bodyOf(at, 4096) }))
      const times = []
      ashore.onAsk = (_ask, { url }) => {
        times.push(Date.now())
        // Firefox closes the connection of a cancelled transfer only when more data arrives.
        if (world.family === 'firefox') servers.cases.get(url.split('/')[4]).gate.open()
      }
      await world.inspector.evaluate(() => {
        globalThis.reasons = []
        const { onChanged } = (globalThis.browser ?? chrome).storage
        onChanged.addListener(({ last_kept }) => last_kept && reasons.push(last_kept.newValue?.why.rule))
      })
      const addresses = many.map(({ name, fileName }) => `${servers.origins.plain}/file/${name}/${fileName}`)
      world.add({ name: 'flood', page: () => startAll(addresses) })
      const page = await session.browser.newPage()
      // The page counts as loaded only after all of its downloads have begun, so do not wait for it.
      void page.goto(`${servers.origins.plain}/page/flood`).catch(() => undefined)
      // Each transfer waits until the extension has decided about this transfer or a later one.
      const isLimited = () => world.inspector.evaluate(() => reasons.includes('too-many'))
      await until(async () => times.length > 10 || (times.length === 10 && (await isLimited())), 'ten are handed over', 60_000)
      many.forEach((one) => one.gate.open())
      const isEnded = async () => (await wholeCount(world)) + (await ashore.list()).length >= many.length
      await until(isEnded, 'every file is somewhere', 120_000)
      assert.ok(times.length >= 10, `${times.length} downloads were handed over`)
      // The extension counted the hand-offs shortly before the host received them.
      times.forEach((time, at) =>
        assert.ok(at < 10 || time - times[at - 10] > 55_000, `the eleventh after ${time - times[at - 10]} ms`),
      )
      await page.close()
    },
  },
  {
    name: 'page-downloads-from-local-network',
    needsOwnBrowser: true,
    options: { configure: throughProxy },
    run: async (world) => {
      const { ashore, servers, session } = world
      await ashore.set('local-for-programs', 'false')
      for (const [at, origin] of LOCAL(servers.origins).entries()) {
        const name = `local-${at}`
        // Two refusals in a row leave a site to the browser.
        await world.inspector.evaluate(() => (globalThis.browser ?? chrome).storage.local.remove('site_records'))
        const one = world.add({ name, page: () => startAll([`${origin}/file/${name}/${name}.bin`]) })
        ashore.onAsk = () => one.gate.open()
        const opened = await session.open(`${servers.origins.plain}/page/${name}`)
        await until(() => ashore.asks.length === at + 1, `Ashore is asked about ${origin}`)
        const { answer, download } = ashore.asks[at]
        assert.deepEqual([answer.type, answer.code], ['declined', 'browser-local-address'], download.url)
        assert.equal(new URL(download.url).host, new URL(origin).host)
        await until(async () => (await wholeCount(world)) === at + 1, 'the browser has the file')
        assert.equal(countOf(world, name), 1)
        await opened.close()
      }
      assert.deepEqual(await ashore.list(), [])
    },
  },
  {
    name: 'public-server-redirects-to-local-network',
    needsOwnBrowser: true,
    options: { configure: throughProxy },
    run: async (world, { click }) => {
      const { ashore, servers } = world
      await ashore.set('local-for-programs', 'false')
      await ashore.set('proxy', servers.origins.plain)
      servers.origins.public = 'http://public.example'
      const inside = world.add({ name: 'inside', hasNoCopy: true })
      const target = `${servers.origins.plain}/file/inside/${inside.fileName}`
      const second = (_request, response) => response.writeHead(302, { location: target }).end()
      const link = (address) => `<a id="go" href="${address}">Get</a>`
      const own = (name) => link(`http://public.example/file/${name}/${name}.bin`)
      const open = world.add({ name: 'open', at: 'public', page: () => own('open') })
      const bound = world.add({ name: 'bound', at: 'public', page: () => own('bound'), second })
      // Ashore treats this server as public, so it takes a file that is not redirected.
      await click(world, open)
      await until(() => ashore.asks.length === 1, 'Ashore is asked')
      assert.equal(ashore.asks[0].answer.type, 'taken', JSON.stringify(ashore.asks[0].answer))
      ashore.onAsk = () => bound.gate.open()
      await click(world, bound)
      await until(() => ashore.asks.length === 2, 'Ashore is asked again')
      assert.equal(ashore.asks[1].answer.type, 'declined')
      assert.deepEqual([countOf(world, 'bound'), countOf(world, 'inside')], [2, 0])
      await until(async () => (await wholeCount(world)) === 1, 'the browser has the file')
      assert.equal((await ashore.list()).length, 1)
    },
  },
  {
    name: 'page-opens-links-of-ashore',
    needsOwnBrowser: true,
    options: { before: registerLinks },
    run: async (world) => {
      const target = `${world.servers.origins.plain}/file/wanted/wanted.bin`
      world.add({ name: 'wanted', hasNoCopy: true })
      const links = [
        `ashore:${target}`,
        `ashore://add?url=${encodeURIComponent(target)}`,
        `ashore:?url=${encodeURIComponent(target)}`,
      ]
      const attempts = `
        const frame = (src) => document.body.append(Object.assign(document.createElement('iframe'), { src }))
        const links = ${JSON.stringify(links)}
        const all = () => links.forEach((link) => (frame(link), (location.href = link)))
        go.addEventListener('click', all)
        all()`
      world.add({ name: 'scheme', page: () => `<button id="go">Go</button><script>${attempts}</script>` })
      const page = await world.session.browser.newPage()
      // If no program opens such a link, the link can interrupt the navigation.
      void page.goto(`${world.servers.origins.plain}/page/scheme`).catch(() => undefined)
      await until(() => page.evaluate(() => document.querySelectorAll('iframe').length >= 3), 'all links are opened')
      // A dialog of the browser can cover the page.
      await soon(page.click('#go'))
      // The browser asks a person first, but there is no person in this test.
      await world.session.open(`${world.servers.origins.plain}/page/scheme-is-over`)
      assert.ok(!existsSync(openedLinks(world.session)))
      assert.equal(countOf(world, 'wanted'), 0)
      await assertUntouched(world)
      await page.close()
    },
  },
  {
    name: 'page-finds-no-port-of-ashore',
    run: async (world, { click, settle }) => {
      const { ashore, servers } = world
      const isProgram = (pid) => basename(programOf(pid)).startsWith('ashore')
      // Other tests may run the same programs at the same time.
      const ofAshore = (pid) => isProgram(pid) && environmentOf(pid).includes(ashore.folder)
      assert.ok(ofAshore(String(ashore.pid())))
      const one = world.add({ name: 'ports' })
      const found = new Set()
      let hosts = 0
      const look = () => {
        const running = readdirSync('/proc').filter((pid) => basename(programOf(pid)) === 'ashore-browser' && ofAshore(pid))
        hosts = Math.max(hosts, running.length)
        listeningPorts(ofAshore).forEach((port) => found.add(port))
      }
      // The native host runs only during the hand-off.
      const looking = setInterval(look, 20)
      try {
        const clicked = await click(world, one)
        await settle(world, one, 'ashore')
        await clicked.close()
        look()
      } finally {
        clearInterval(looking)
      }
      assert.deepEqual([hosts, [...found]], [1, []])
      // Check that the search works: it finds the ports of this test.
      const own = listeningPorts((pid) => Number(pid) === process.pid)
      assert.ok(own.includes(Number(new URL(servers.origins.plain).port)))
      world.add({ name: 'socket', page: () => READY })
      const page = await world.session.open(`${servers.origins.plain}/page/socket`)
      const read = (path) => fetch(`file://${path}`).then(String, ({ name }) => name)
      for (const path of [`${ashore.folder}/ashore-data`, '/etc/hostname'])
        assert.equal(await page.evaluate(read, path), 'TypeError')
      await page.close()
    },
  },
  {
    name: 'other-extension-calls-host',
    needsOwnBrowser: true,
    options: { configure: withOtherExtension },
    run: async (world) => {
      const outcomes = await fromOtherExtension(world)
      for (const [attempt, outcome] of Object.entries(outcomes)) assert.match(outcome, /^refused/, attempt)
      assert.equal(Object.keys(outcomes).length, 6)
      const reason = world.family === 'chromium' ? /forbidden/ : /No such native application/
      for (const attempt of ['greet', 'ask', 'follow']) assert.match(outcomes[attempt], reason)
      // The first page of Ashore's own extension may start the host once, for a greeting.
      const { ashore } = world
      await until(() => ashore.starts === ashore.messages.filter((type) => type === 'greet').length, 'each start has a greeting')
      assert.ok(ashore.starts <= 1, `the host was started ${ashore.starts} times`)
      await assertUntouched(world)
    },
  },
  {
    name: 'manifest-names-other-extension',
    needsOwnBrowser: true,
    options: { configure: withOtherExtension },
    run: async (world) => {
      // The browser starts the host now, and the host itself refuses.
      const outcomes = await fromOtherExtension(world, { isNamed: true })
      for (const [attempt, outcome] of Object.entries(outcomes)) assert.match(outcome, /^refused/, attempt)
      assert.ok(world.ashore.messages.includes('ask'))
      assert.deepEqual([await world.ashore.list(), world.ashore.asks], [[], []])
    },
  },
  {
    name: 'names-that-deceive',
    run: async (world, { click }) => {
      const { ashore } = world
      for (const [kind, name] of Object.entries(NAMES)) {
        const disposition = { 'content-disposition': `attachment; filename*=UTF-8''${name}` }
        const one = world.add({ name: `name-${kind}`, headers: () => disposition })
        const page = await click(world, one)
        const isWhole = async () => (await ashore.held()).some((held) => held.content()?.equals(one.body))
        await until(isWhole, `Ashore has the file with the name ${name}`)
        // Ashore can have the file before the extension has its answer. Until then, the browser's transfer must not end.
        await until(() => hasEnded(world), 'the hand-off has ended')
        // A browser that closes the page before the response arrives downloads nothing.
        await page.close()
        one.gate.open()
        const requests = world.servers.requests.filter((request) => request.name === one.name && request.kind === 'file')
        assert.equal(requests.length, 2)
        assert.deepEqual(
          Object.keys(requests[1].headers).filter((header) => header.includes('inject') || header === 'set-cookie'),
          [],
        )
      }
      for (const { path, title } of await ashore.list()) {
        assert.ok(path.startsWith(`${ashore.files}/`) && !path.includes('/../'), path)
        const name = basename(path)
        assert.doesNotMatch(title, DECEPTIVE)
        assert.doesNotMatch(name, /^\.|^con\./i)
        assert.doesNotMatch(name, DECEPTIVE)
        assert.ok(Buffer.byteLength(name) <= 255)
      }
      const left = () => world.session.files().filter((name) => !name.endsWith('.part'))
      await until(() => left().length === 0, 'the browser keeps no file')
    },
  },
  {
    name: 'private-window',
    needsOwnBrowser: true,
    options: {
      configure: (_servers, family) =>
        family === 'firefox' ? { preferences: { 'browser.privatebrowsing.autostart': true }, hasInspector: false } : {},
    },
    run: async (world) => {
      const { ashore, servers, session } = world
      const one = world.add({ name: 'private', pageHeaders: { 'set-cookie': 'private=1; HttpOnly; Path=/' } })
      const page = await session.open(`${servers.origins.plain}/page/private`, session.family === 'chromium')
      await page.click('#go')
      // If a hand-off took place, it would begin before the browser has the file.
      await soon(until(() => ashore.messages.includes('ask'), 'Ashore is asked'))
      one.gate.open()
      await until(
        () => session.files().some((name) => readFileSync(`${session.downloads}/${name}`).equals(one.body)),
        'the browser has the file',
      )
      assert.equal(countOf(world, 'private'), 1)
      await assertUntouched(world)
      if (world.inspector !== null) {
        const { activity, last_kept, pairs } = await world.stored()
        assert.deepEqual([activity, last_kept, pairs], [undefined, undefined, undefined])
      }
    },
  },
]
