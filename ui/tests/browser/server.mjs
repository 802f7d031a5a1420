// HTTP server with the interface that a page in a browser uses: the built page, sign-in, the WebSocket, folders, tickets and
// files. The simulated engine of `src/mock` answers the calls. `node tests/browser/server.mjs [PORT]` starts it by hand.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, extname, join, normalize, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer as createVite } from 'vite'
import { WebSocketServer } from 'ws'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
export const TOKEN = 'token-of-this-server'

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
}
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
/** Number of failed sign-ins within a minute before the server demands a wait. */
const ALLOWED_FAILURES = 5
const FOLDERS = { '/srv': ['films', 'music', 'backups'], '/srv/films': ['2025', '2026'], '/media/disk': [] }

const hash = (text) => createHash('sha256').update(text).digest('hex')
const secret = () => randomBytes(16).toString('base64url')

/** Loads the simulated engine, which is TypeScript, with the build tool. */
async function loadEngine() {
  const vite = await createVite({
    root,
    configFile: join(root, 'vite.config.ts'),
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    appType: 'custom',
    logLevel: 'error',
  })
  // The simulated engine also reads its parameters from the address of the page.
  globalThis.location ??= { search: '' }
  const { pretend } = await vite.ssrLoadModule('/src/mock/mock.ts')
  const { carryOut } = await vite.ssrLoadModule('/tests/remote/engine.ts')
  return { pretend, carryOut, close: () => vite.close() }
}

/** Starts the server. `base` is the path of the page, and `rows` selects the content of the simulated engine. */
export async function startServer({ port = 0, base = '/', rows = '' } = {}) {
  const { pretend, carryOut, close } = await loadEngine()
  const engine = pretend(new URLSearchParams(rows))
  const state = {
    engine,
    program: '0.1.0',
    /** Names of signed-in devices. The key of an entry is the hash of both halves of the device's key. */
    sessions: new Map(),
    pairings: new Set(),
    tickets: new Map(),
    failures: 0,
    sockets: new Set(),
    calls: [],
  }
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 4 << 20 })
  const server = createServer((request, response) => void answer(state, base, request, response))
  server.on('upgrade', (request, socket, head) => {
    if (request.url !== `${base}api/socket`) return socket.destroy()
    sockets.handleUpgrade(request, socket, head, (one) => converse(state, carryOut, request, one))
  })
  const listen = () => new Promise((done) => server.listen(state.port ?? port, '127.0.0.1', done))
  await listen()
  state.port = server.address().port
  /** Closes all connections and the port, as if the program had ended. `resume` opens the port again. */
  const pause = async () => {
    for (const socket of state.sockets) socket.terminate()
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  return Object.assign(state, {
    url: `http://127.0.0.1:${state.port}${base}`,
    pause,
    resume: listen,
    /** Signs all devices out, as another device can do. */
    endSessions: () => {
      state.sessions.clear()
      for (const socket of state.sockets) socket.close(4401)
    },
    pairingCode: () => {
      const code = secret()
      state.pairings.add(code)
      return code
    },
    stop: async () => {
      await pause().catch(() => undefined)
      await close()
    },
  })
}

function problem(response, status, code, text, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/problem+json', ...headers })
  response.end(JSON.stringify({ type: code, detail: text, code, text, args: {} }))
}

function json(response, value, headers = {}) {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers })
  response.end(JSON.stringify(value))
}

const cookieOf = ({ headers }) => /(?:^|; )ashore=([^;]+)/.exec(headers.cookie ?? '')?.[1] ?? ''

const deviceOf = (state, request, key) => state.sessions.get(hash(`${cookieOf(request)} ${key}`))

async function bodyOf(request) {
  const parts = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}

async function answer(state, base, request, response) {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  if (!pathname.startsWith(base)) return problem(response, 404, 'not-there', 'There is nothing here.')
  const path = pathname.slice(base.length)
  if (request.method === 'GET' && path.startsWith('files/')) return download(state, searchParams, response)
  if (request.method === 'GET' && path === 'api/export') return download(state, searchParams, response)
  if (!path.startsWith('api/')) return serveFile(path, response)
  if (request.method === 'POST' && path === 'api/session') return signIn(state, base, await bodyOf(request), response)
  const key = request.headers['ashore-key'] ?? ''
  if (deviceOf(state, request, key) === undefined) return problem(response, 401, 'signed-out', 'This device is not signed in.')
  switch (`${request.method} ${path}`) {
    case 'DELETE api/session':
      state.sessions.delete(hash(`${cookieOf(request)} ${key}`))
      return response.writeHead(204).end()
    case 'POST api/tickets': {
      const wanted = JSON.parse(await bodyOf(request))
      const ticket = secret()
      state.tickets.set(ticket, wanted)
      const place = wanted.export ? 'api/export' : `files/${wanted.unique_id}/${wanted.index}`
      return json(response, { path: `${place}?ticket=${ticket}` })
    }
    case 'POST api/import':
      await bodyOf(request)
      return json(response, { registrations: 2, requests: 2, known: 1, elsewhere: 0, without_headers: 0 })
    case 'GET api/folders':
      return folders(searchParams.get('path'), response)
    default:
      return problem(response, 404, 'not-there', 'There is nothing here.')
  }
}

function serveFile(path, response) {
  const file = join(root, 'dist', normalize(`/${path}`), path === '' ? 'index.html' : '')
  if (!existsSync(file) || !statSync(file).isFile()) return problem(response, 404, 'not-there', 'There is nothing here.')
  const cache = path.startsWith('assets/') ? 'max-age=31536000, immutable' : 'no-cache'
  const headers = { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', 'cache-control': cache }
  response.writeHead(200, { ...headers, 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff' })
  response.end(readFileSync(file))
}

function signIn(state, base, body, response) {
  if (state.failures >= ALLOWED_FAILURES) {
    return problem(response, 429, 'test-wait', 'Too many attempts failed.', { 'retry-after': '8' })
  }
  const { token, pairing, name } = JSON.parse(body)
  if (token !== TOKEN && !state.pairings.delete(pairing)) {
    state.failures += 1
    return problem(response, 401, 'test-wrong-secret', 'The token is not valid. Check it for missing characters.')
  }
  const [first, second] = [secret(), secret()]
  const device = { name, scope: 'control' }
  state.sessions.set(hash(`${first} ${second}`), device)
  json(response, { key: second, ...device }, { 'set-cookie': `ashore=${first}; Path=${base}; HttpOnly; SameSite=Strict` })
}

function download(state, parameters, response) {
  const ticket = parameters.get('ticket')
  const wanted = state.tickets.get(ticket)
  if (wanted === undefined) return problem(response, 403, 'ticket', 'This link was already used.')
  state.tickets.delete(ticket)
  const name = wanted.export ? 'ashore-list.ndjson' : 'file.bin'
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${name}"`,
    'content-security-policy': 'sandbox',
    'x-content-type-options': 'nosniff',
  })
  response.end('content')
}

function folders(path, response) {
  if (path === null) return json(response, { path: '', parent: null, folders: ['/srv', '/media/disk'] })
  if (FOLDERS[path] === undefined) return json(response, { path, parent: dirname(path), folders: [] })
  json(response, { path, parent: dirname(path) === '/srv' ? '/srv' : null, folders: FOLDERS[path] })
}

/** Answers the messages of one page. */
function converse(state, carryOut, request, socket) {
  let device
  let unsubscribe = () => undefined
  state.sockets.add(socket)
  socket.on('error', () => undefined)
  socket.on('close', () => {
    state.sockets.delete(socket)
    unsubscribe()
  })
  const say = (message) => socket.readyState === socket.OPEN && socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }))
  socket.on('message', async (frame) => {
    const { id, method, params } = JSON.parse(frame)
    if (method === 'authenticate') {
      device = deviceOf(state, request, params.key)
      if (device === undefined) return socket.close(4401)
      return say({ id, result: { ...device, program: state.program } })
    }
    if (device === undefined) return socket.close(4401)
    state.calls.push(method)
    if (method === 'greet') return say({ id, result: { version: 1, program: state.program, owner: null } })
    if (method === 'subscribe') {
      unsubscribe = await state.engine.events((event) => say({ method: 'event', params: event }))
      return say({ id, result: null })
    }
    try {
      say({ id, result: (await carryOut(state.engine, { method, params })) ?? null })
    } catch ({ code, variant, args, text }) {
      say({ id, error: { code: -32000, message: text, data: { code, variant, args, text } } })
    }
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await startServer({ port: Number(process.argv[2] ?? 6810), rows: process.argv[3] ?? '' })
  process.stdout.write(`${server.url}\ntoken: ${TOKEN}\npairing link: ${server.url}#pair=${server.pairingCode()}\n`)
}
