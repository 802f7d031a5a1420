// The servers of the matrix: every case is one page with one link, and one file. The second request for the file can
// get another response.
//
// - The first transfer of a file stops after its beginning, until the case opens its gate. So the browser cannot finish
//   before Ashore has answered, and no test depends on a speed.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

export const SIZE = 2 * 1024 * 1024
const BEGINNING = 64 * 1024
/** Pause after each mebibyte of a large file, in milliseconds. */
const PACE = 10
/** Number of bytes after which a signed link expires: 60 percent of the file. */
export const EXPIRES_AFTER = Math.floor(SIZE * 0.6)

/** Returns the content of a file. It differs for every case, so that a mixture of two files is detected. */
export function bodyOf(seed, size = SIZE) {
  const body = Buffer.alloc(size)
  for (let at = 0; at < size; at += 4) body.writeUInt32LE(((at + 1) * 2654435761 + seed * 97) >>> 0, at)
  return body
}

/** Returns a promise, and the function that resolves it. */
export function gate() {
  let open
  const opened = new Promise((resolve) => (open = resolve))
  return { opened, open }
}

/** Creates a certificate authority and a certificate for `localhost` in `folder`. */
function certificates(folder) {
  mkdirSync(folder)
  const path = (name) => join(folder, name)
  const openssl = (...words) => execFileSync('openssl', words, { stdio: 'pipe' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  writeFileSync(path('names'), 'subjectAltName = DNS:localhost\n')
  openssl('req', '-x509', ...newKey, '-days', '2', '-subj', '/CN=Test', '-keyout', path('ca-key'), '-out', path('ca.pem'))
  openssl('req', ...newKey, '-subj', '/CN=localhost', '-keyout', path('key'), '-out', path('request'))
  const signed = ['-in', path('request'), '-extfile', path('names'), '-out', path('certificate')]
  openssl('x509', '-req', '-days', '2', '-CA', path('ca.pem'), '-CAkey', path('ca-key'), '-CAcreateserial', ...signed)
  return { authority: path('ca.pem'), key: readFileSync(path('key')), cert: readFileSync(path('certificate')) }
}

/**
 * Starts the origins, each of which is a site of its own: `plain`, `other`, and `secure`, which uses HTTPS. All of them
 * serve all pages and files. `requests` records every request. `authority` is the path of the certificate authority.
 */
export async function startServers(folder) {
  const state = { cases: new Map(), requests: [] }
  const { authority, ...pair } = certificates(join(folder, 'certificates'))
  const onRequest = (request, response) => answer(state, request, response)
  const servers = [createServer(onRequest), createServer(onRequest), createSecureServer(pair, onRequest)]
  for (const server of servers) await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const [plain, other, secure] = servers.map((server) => server.address().port)
  state.origins = {
    plain: `http://127.0.0.1:${plain}`,
    other: `http://localhost:${other}`,
    secure: `https://localhost:${secure}`,
  }
  return {
    ...state,
    signed: () => signed(),
    authority,
    stop: () => servers.forEach((server) => (server.closeAllConnections(), server.close())),
  }
}

function answer(state, request, response) {
  // A request that is sent to a proxy contains the whole address.
  const url = new URL(request.url, `http://${request.headers.host}`)
  const [, kind, name] = url.pathname.split('/')
  const one = state.cases.get(name)
  if (one === undefined) return response.writeHead(404).end()
  const isRefused = one.needs !== undefined && !one.needs(request)
  state.requests.push({ name, kind, isRefused, method: request.method, search: url.search, headers: request.headers })
  const earlier = state.requests.filter((other) => other.name === name && other.kind === kind && !other.isRefused).length - 1
  if (isRefused) {
    return response.writeHead(401, { 'www-authenticate': 'Basic realm="files"', 'content-type': 'text/html' }).end('<p>Sign in')
  }
  if (kind === 'page') return page(state, one, response)
  if (one.parts?.[kind] !== undefined) return part(one.parts[kind](state.origins, url), response)
  if (kind === 'away') return response.writeHead(302, { location: `${state.origins.other}/file/${name}/${one.fileName}` }).end()
  return file(one, earlier, request, response)
}

/** Sends another answer that a case needs, such as the page of a frame. */
function part({ status = 200, headers = {}, body = '' }, response) {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(`<!doctype html>${body}`)
}

function page(state, one, response) {
  const address = `${state.origins.plain}/${one.path ?? 'file'}/${one.name}/${one.fileName}`
  const body = one.page?.(address, state.origins) ?? `<a id="go" href="${address}">${one.name}</a>`
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...(one.pageHeaders ?? {}) })
  response.end(`<!doctype html><title>${one.name}</title>${body}`)
}

async function file(one, earlier, request, response) {
  response.on('error', () => undefined)
  if (earlier === 0) one.first = response
  if (earlier > 0 && one.second !== undefined) return one.second(request, response, one)
  if (one.head !== undefined) await one.head(earlier)
  const body = one.body
  const headers = {
    'content-type': 'application/octet-stream',
    'content-length': String(one.size ?? body.length),
    etag: `"${one.name}"`,
    'content-disposition': `attachment; filename="${one.fileName}"`,
    ...one.headers?.(earlier),
  }
  if (one.noLength) delete headers['content-length']
  if (one.gzip) {
    const packed = gzipSync(body)
    return response
      .writeHead(200, { ...headers, 'content-encoding': 'gzip', 'content-length': String(packed.length) })
      .end(packed)
  }
  response.writeHead(200, headers)
  if (one.size !== undefined) return flood(one, response)
  const beginning = Math.min(BEGINNING, body.length / 2)
  response.write(body.subarray(0, beginning))
  if (earlier === 0) await one.gate.opened
  response.end(body.subarray(beginning))
}

/**
 * Signed links: each view of the page has a link of its own. The first transfer of Ashore ends after 60 percent of the file,
 * and its link is refused from then on. `ranges` records which bytes were sent in response to `Range`.
 */
function signed() {
  let views = 0
  let has_expired = false
  const ranges = []
  const send = async (request, response, one) => {
    const isFirst = new URL(request.url, 'http://any').searchParams.get('signature') === '1'
    if (isFirst && has_expired) return response.writeHead(403, { 'content-type': 'text/html' }).end('<p>Expired')
    const { body, fileName } = one
    const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const to = Number(/-(\d+)$/.exec(request.headers.range ?? '')?.[1] ?? body.length - 1) + 1
    const isRange = request.headers.range !== undefined
    response.writeHead(isRange ? 206 : 200, {
      'content-type': 'application/octet-stream',
      'content-length': String(to - from),
      ...(isRange && { 'content-range': `bytes ${from}-${to - 1}/${body.length}` }),
      'accept-ranges': 'bytes',
      etag: '"signed"',
      'content-disposition': `attachment; filename="${fileName}"`,
    })
    if (isFirst) {
      has_expired = true
      // End the connection without a reset, because a reset could discard the last bytes.
      response.write(body.subarray(from, EXPIRES_AFTER), () => response.socket.end())
    } else if (isRange) {
      ranges.push([from, to])
      response.end(body.subarray(from, to))
    } else {
      // This request is the browser's transfer or Ashore's probe. Neither may receive the whole file.
      response.write(body.subarray(0, BEGINNING))
    }
  }
  return { ranges, send, page: (address) => `<a id="go" href="${address}?signature=${(views += 1)}">signed</a>` }
}

/** Sends a file that is larger than the memory. All its bytes are zero, as in a sparse file. */
async function flood(one, response) {
  const block = Buffer.alloc(1024 * 1024)
  const closed = once(response, 'close')
  for (let sent = 0; sent < one.size && !response.destroyed; sent += block.length) {
    if (!response.write(block)) await Promise.race([once(response, 'drain'), closed])
    // At full speed, this server would take the processors from the cases that run at the same time.
    await setTimeout(PACE)
  }
  response.end()
}
