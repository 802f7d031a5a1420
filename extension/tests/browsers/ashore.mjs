// Stand-in for Ashore in the browser tests. It requests each offered file, compares it as the native host does, and
// keeps whole files in memory. The browser starts `relay.mjs` as the native host. The relay passes one message to this
// server and returns the answer.
import { createServer } from 'node:net'
import { join } from 'node:path'
import { relayTo } from './browsers.mjs'

/** Starts the stand-in. It answers each request to take a file, and then receives the whole file. */
export async function startAshore(folder) {
  const socket = join(folder, 'ashore.sock')
  const state = { registered: new Map(), followers: new Set() }
  const reset = async () => {
    for (const { abort } of state.registered.values()) abort.abort()
    state.registered.clear()
    Object.assign(state, { asks: [], released: [], offers: [], shown: [], behave: () => null, onAsk: () => undefined })
  }
  await reset()
  const server = createServer((connection) => serve(state, connection))
  await new Promise((resolve) => server.listen(socket, resolve))
  const stop = async () => (state.followers.forEach((follower) => follower.destroy()), server.close())
  const held = async () => [...state.registered.values()].map((one) => ({ content: () => one.whole, received: one.received }))
  return Object.assign(state, { host: relayTo(socket), held, reset, stop })
}

function serve(state, connection) {
  connection.setEncoding('utf8')
  connection.on('error', () => undefined)
  let text = ''
  connection.on('data', async (part) => {
    text += part
    if (!text.endsWith('\n')) return
    const message = JSON.parse(text)
    text = ''
    const reply = await replyTo(state, message, connection)
    if (reply !== undefined) connection.write(`${typeof reply === 'string' ? reply : JSON.stringify(reply)}\n`)
  })
}

async function replyTo(state, message, connection) {
  const given = await state.behave(message)
  if (given !== null && given !== undefined) return given
  switch (message.type) {
    case 'greet':
      return { type: 'greeting', version: 1, program: '0.1.0', is_running: true }
    case 'ask':
      return ask(state, message)
    case 'let_go':
      state.released.push(message.ask)
      state.registered.get(message.ask)?.abort.abort()
      state.registered.delete(message.ask)
      return { type: 'released', ask: message.ask }
    case 'offer':
      state.offers.push(message)
      return { type: 'offered' }
    case 'follow':
      state.followers.add(connection)
      connection.on('close', () => state.followers.delete(connection))
      return { type: 'downloads', version: 1, is_running: true, downloads: state.shown }
    default:
      return { type: 'failed', code: 'unknown', text: 'This message is not known.' }
  }
}

async function ask(state, { ask, download }) {
  const answer = await answerTo(state, ask, download)
  state.asks.push({ ask, download, answer })
  // A test can delay the answer.
  await state.onAsk(ask, download, answer)
  return answer
}

async function answerTo(state, ask, download) {
  if (state.registered.has(ask)) return { type: 'already', ask, unique_id: ask }
  const declined = (code, text) => ({ type: 'declined', ask, code, args: {}, text })
  const abort = new AbortController()
  const headers = {
    ...(download.cookies !== null && { cookie: download.cookies }),
    ...(download.referrer !== null && { referer: download.referrer }),
    'accept-encoding': 'identity',
  }
  const response = await fetch(download.url, { headers, signal: abort.signal }).catch(() => null)
  if (response === null) return declined('browser-not-same-file', 'The server did not answer.')
  const length = response.headers.get('content-length')
  const size = length === null ? null : Number(length)
  const isHtml = (type) => (type ?? '').startsWith('text/html')
  const sameSize =
    size === download.size && (size !== null || (download.etag !== null && download.etag === response.headers.get('etag')))
  const sameTag = download.etag === null || download.etag === response.headers.get('etag')
  const sameType = !isHtml(response.headers.get('content-type')) || isHtml(download.content_type)
  if (response.status !== 200 || !(download.was_clicked || (sameSize && sameTag && sameType))) {
    abort.abort()
    return declined('browser-not-same-file', 'The server sent another file to Ashore.')
  }
  const one = { download, abort, whole: null, received: 0 }
  state.registered.set(ask, one)
  one.done = receive(one, response).catch(() => undefined)
  return { type: 'taken', ask, unique_id: ask }
}

/** Reads the file. If the content is larger than 64 MiB, only counts its bytes and does not keep them. */
async function receive(one, response) {
  const parts = []
  for await (const part of response.body) {
    one.received += part.length
    if (one.received <= 64 * 1024 * 1024) parts.push(part)
  }
  one.whole = Buffer.concat(parts)
}
