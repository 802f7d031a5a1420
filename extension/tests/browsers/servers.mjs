// The servers of the matrix: every case is one page with one link, and one file whose second request can differ.
//
// - The first transfer of a file stops after its beginning, until the case opens its gate. So the browser cannot finish
//   before Ashore has answered, and no test depends on a speed.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'

export const SIZE = 2 * 1024 * 1024
const BEGINNING = 64 * 1024

/** Content of a file: different for every case, so that a mixed file is found. */
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

/**
 * Starts both origins, which have different sites. `sites.plain` serves pages and files, `sites.other` files after a
 * redirect. `requests` records every request of a file.
 */
export async function startServers() {
  const state = { cases: new Map(), requests: [] }
  const listen = async () => {
    const server = createServer((request, response) => answer(state, request, response))
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    return server
  }
  const servers = [await listen(), await listen()]
  state.origins = {
    plain: `http://127.0.0.1:${servers[0].address().port}`,
    other: `http://localhost:${servers[1].address().port}`,
  }
  return {
    ...state,
    signed: () => signed(),
    stop: () => servers.forEach((server) => (server.closeAllConnections(), server.close())),
  }
}

function answer(state, request, response) {
  const url = new URL(request.url, 'http://any')
  const [, kind, name] = url.pathname.split('/')
  const one = state.cases.get(name)
  if (one === undefined) return response.writeHead(404).end()
  const isRefused = one.needs !== undefined && !one.needs(request)
  state.requests.push({ name, kind, isRefused, method: request.method, headers: request.headers })
  const earlier = state.requests.filter((other) => other.name === name && other.kind === kind && !other.isRefused).length - 1
  if (isRefused) {
    return response.writeHead(401, { 'www-authenticate': 'Basic realm="files"', 'content-type': 'text/html' }).end('<p>Sign in')
  }
  if (kind === 'page') return page(state, one, response)
  if (kind === 'away') return response.writeHead(302, { location: `${state.origins.other}/file/${name}/${one.fileName}` }).end()
  return file(one, earlier, request, response)
}

function page(state, one, response) {
  const address = `${state.origins.plain}/${one.path ?? 'file'}/${one.name}/${one.fileName}`
  const body = one.page?.(address) ?? `<a id="go" href="${address}">${one.name}</a>`
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
  response.write(body.subarray(0, BEGINNING))
  if (earlier === 0) await one.gate.opened
  response.end(body.subarray(BEGINNING))
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
      response.write(body.subarray(from, Math.floor(body.length * 0.6)), () => response.destroy())
    } else if (isRange) {
      ranges.push([from, to])
      response.end(body.subarray(from, to))
    } else {
      // The transfer of the browser, or the probe of Ashore. Neither may end with the whole file.
      response.write(body.subarray(0, BEGINNING))
    }
  }
  return { ranges, send, page: (address) => `<a id="go" href="${address}?signature=${(views += 1)}">signed</a>` }
}

/** Sends a file that is larger than the memory: zeros, as from a sparse file. */
async function flood(one, response) {
  const block = Buffer.alloc(1024 * 1024)
  const closed = once(response, 'close')
  for (let sent = 0; sent < one.size && !response.destroyed; sent += block.length) {
    if (!response.write(block)) await Promise.race([once(response, 'drain'), closed])
  }
  response.end()
}
