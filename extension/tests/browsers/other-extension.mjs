// Another extension, which tries to use the native host and the extension of Ashore. A visit of the page `other` makes it
// try everything, and then report to the test server.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { until } from './browsers.mjs'

const GECKO_ID = 'other@ashore.example'
const IDS = JSON.parse(readFileSync(resolve(dirname(fileURLToPath(import.meta.url)), '../../ids.json'), 'utf8'))

/** Runs in the background of the other extension. */
async function attack(id, report) {
  const api = globalThis.browser ?? chrome
  const soon = (result) => Promise.race([result, new Promise((resolve) => setTimeout(resolve, 3000, 'no answer'))])
  const outcome = async (attempt) => {
    try {
      const answer = await soon(Promise.resolve().then(attempt))
      return answer === undefined || answer === 'no answer' ? `refused: ${answer}` : `answered: ${JSON.stringify(answer)}`
    } catch (error) {
      return `refused: ${error.message}`
    }
  }
  const ofPort = (port, message) =>
    new Promise((resolve, reject) => {
      port.onMessage.addListener(resolve)
      port.onDisconnect.addListener(() => reject(port.error ?? api.runtime.lastError ?? new Error('closed')))
      port.postMessage(message)
    })
  const host = 'com.ashore.browser'
  const download = { url: report.replace('/report/', '/file/'), was_clicked: true }
  const ask = { type: 'ask', version: 1, ask: 'other/1', download, rules: null }
  const add = { type: 'add', tab: { id: 1 }, url: report }
  const outcomes = {
    greet: await outcome(() => api.runtime.sendNativeMessage(host, { type: 'greet', version: 1, extension: '1' })),
    ask: await outcome(() => api.runtime.sendNativeMessage(host, ask)),
    follow: await outcome(() => ofPort(api.runtime.connectNative(host), { type: 'follow', version: 1 })),
    message: await outcome(() => api.runtime.sendMessage(id, add)),
    clicked: await outcome(() => api.runtime.sendMessage(id, { type: 'clicked', has_key: true, href: report })),
    port: await outcome(() => ofPort(api.runtime.connect(id), add)),
  }
  await fetch(`${report}?${encodeURIComponent(JSON.stringify(outcomes))}`, { mode: 'no-cors' })
}

/** Returns options for a browser that also has the other extension. */
export function withOtherExtension(servers, family, folder) {
  const extension = join(folder, 'other')
  mkdirSync(extension)
  const isChromium = family === 'chromium'
  const id = isChromium ? IDS.chromium : IDS.gecko
  const report = `${servers.origins.plain}/report/other`
  const start = `(globalThis.browser ?? chrome).runtime.onMessage.addListener(() => void attack('${id}', '${report}'))`
  writeFileSync(join(extension, 'background.js'), `${attack}\n${start}\n`)
  writeFileSync(join(extension, 'page.js'), 'void (globalThis.browser ?? chrome).runtime.sendMessage(0)\n')
  const manifest = {
    manifest_version: isChromium ? 3 : 2,
    name: 'Other',
    version: '1',
    permissions: ['nativeMessaging', ...(isChromium ? [] : ['http://127.0.0.1/*'])],
    ...(isChromium && { host_permissions: ['http://127.0.0.1/*'] }),
    background: isChromium ? { service_worker: 'background.js' } : { scripts: ['background.js'] },
    content_scripts: [{ matches: ['http://127.0.0.1/*'], js: ['page.js'] }],
    ...(!isChromium && { browser_specific_settings: { gecko: { id: GECKO_ID } } }),
  }
  writeFileSync(join(extension, 'manifest.json'), JSON.stringify(manifest))
  return { otherExtensions: [extension] }
}

/** Returns the id that Chromium derives from the folder of an extension without a key. */
function idOf(folder) {
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 32)
  return [...digest].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join('')
}

/**
 * Makes the other extension try everything. With `isNamed`, the manifest of the host allows this extension to start the
 * host.
 */
export async function fromOtherExtension(world, { isNamed = false } = {}) {
  const { servers, session } = world
  if (isNamed) {
    const manifest = JSON.parse(readFileSync(session.hostManifest, 'utf8'))
    manifest.allowed_origins?.push(`chrome-extension://${idOf(session.otherExtensions[0])}/`)
    manifest.allowed_extensions?.push(GECKO_ID)
    writeFileSync(session.hostManifest, JSON.stringify(manifest))
  }
  world.add({ name: 'other', hasNoCopy: true, page: () => '<p>Other', parts: { report: () => ({}) } })
  await session.open(`${servers.origins.plain}/page/other`)
  const report = await until(
    () => servers.requests.find(({ kind, search }) => kind === 'report' && search !== ''),
    'the other extension reports',
  )
  return JSON.parse(decodeURIComponent(report.search.slice(1)))
}
