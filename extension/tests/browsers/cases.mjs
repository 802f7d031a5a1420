// The cases of the matrix. Each downloads one file by a trusted click, and states where the whole file is afterwards.
//
//   holder   'ashore' or 'browser': the only place with the file
//   gets     requests of the file at the servers, by the browser and by Ashore
//   mostGets the same, if the real Ashore may send more
//   asks     asks that reach Ashore; 1 unless the rules keep the download
//   isSlow   the extension waits many seconds for an answer
//   second   response to every request of the file after the first one
//   check    further assertions, with the records of the server and of Ashore
import assert from 'node:assert/strict'
import { bodyOf, SIZE } from './servers.mjs'

const other = bodyOf(999)
const send = (status, headers, body) => (_request, response) => response.writeHead(status, headers).end(body)
const file = (name, headers, body) => (_request, response) =>
  response
    .writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${name}"`,
      ...headers,
    })
    .end(body)

const page = { 'content-type': 'text/html' }

export const CASES = [
  {
    name: 'correct',
    holder: 'ashore',
    gets: 2,
    check: ({ offered, requests, page }) => {
      assert.equal(offered.size, SIZE)
      assert.equal(offered.name, 'correct.bin')
      assert.equal(requests[1].headers.referer, page)
    },
  },
  { name: 'slow-head', holder: 'ashore', gets: 2, head: () => new Promise((resolve) => setTimeout(resolve, 700)) },
  { name: 'second-403', holder: 'browser', gets: 2, second: send(403, page, '<p>Used') },
  { name: 'second-html', holder: 'browser', gets: 2, second: send(200, page, '<p>Wait') },
  {
    name: 'second-other-size',
    holder: 'browser',
    gets: 2,
    second: file('a', { etag: '"second-other-size"' }, other.subarray(1)),
  },
  { name: 'second-other-etag', holder: 'browser', gets: 2, second: file('a', { etag: '"else"' }, other) },
  { name: 'second-503', holder: 'browser', gets: 2, second: send(503, { 'retry-after': '60' }, '') },
  {
    name: 'second-hang',
    isSlow: true,
    holder: 'browser',
    gets: 2,
    // Ashore repeats a request whose connection ends before the response.
    mostGets: 3,
    // The extension waits 15 s for an answer. The first transfer of the file may continue meanwhile.
    second: (_request, response, one) => ((one.hanging = response), one.gate.open()),
    ended: (one) => one.hanging?.destroy(),
  },
  {
    name: 'no-length',
    holder: 'ashore',
    gets: 2,
    // No response stated the size, so Ashore sends another request for it.
    mostGets: 3,
    noLength: true,
    check: ({ offered }) => assert.equal(offered.size, null),
  },
  { name: 'gzip', holder: 'browser', gets: 1, asks: 0, gzip: true },
  {
    name: 'cookie-rotation',
    holder: 'ashore',
    gets: 2,
    pageHeaders: { 'set-cookie': 'turn=page; HttpOnly; Path=/' },
    // Each response replaces the cookie, and a request with an old cookie is refused.
    headers: (earlier) => ({ 'set-cookie': `turn=${earlier}; HttpOnly; Path=/` }),
    check: ({ requests }) => assert.deepEqual(requests.map(cookieOf), ['turn=page', 'turn=0']),
  },
  {
    name: 'redirect',
    path: 'away',
    holder: 'ashore',
    gets: 2,
    check: ({ offered, origins, requests }) => {
      assert.equal(offered.first_url, `${origins.plain}/away/redirect/redirect.bin`)
      assert.equal(offered.url, `${origins.other}/file/redirect/redirect.bin`)
      assert.equal(requests[1].headers.cookie, undefined)
    },
  },
  {
    name: 'basic-auth',
    holder: 'browser',
    // The browser sends two requests, because it sends the password only if asked. Ashore sends one request, without
    // the password.
    gets: 3,
    credentials: 'ada:secret',
    needs: ({ headers }) => headers.authorization === `Basic ${Buffer.from('ada:secret').toString('base64')}`,
  },
  {
    name: 'download-attribute',
    holder: 'ashore',
    gets: 2,
    page: (address) => `<a id="go" download href="${address}">Get</a>`,
    headers: () => ({ 'content-disposition': 'inline' }),
    check: ({ offered }) => assert.equal(offered.etag, '"download-attribute"'),
  },
  {
    name: 'script',
    holder: 'ashore',
    gets: 2,
    page: (address) => `<button id="go" onclick="location.href = '${address}'">Get</button>`,
    check: ({ offered }) => assert.equal(offered.etag, '"script"'),
  },
  {
    name: 'frame',
    holder: 'ashore',
    gets: 2,
    page: (address) => `<iframe name="inner"></iframe><a id="go" target="inner" href="${address}">Get</a>`,
    check: ({ offered }) => assert.equal(offered.etag, '"frame"'),
  },
  {
    name: 'new-tab',
    holder: 'ashore',
    gets: 2,
    page: (address) => `<a id="go" target="_blank" href="${address}">Get</a>`,
    check: ({ offered }) => assert.equal(offered.etag, '"new-tab"'),
  },
  {
    name: 'post',
    holder: 'browser',
    gets: 1,
    asks: 0,
    page: (address) => `<form method="post" action="${address}"><button id="go">Get</button></form>`,
    check: ({ requests }) => assert.equal(requests[0].method, 'POST'),
  },
  {
    name: 'blob',
    holder: 'browser',
    gets: 0,
    asks: 0,
    page: () => `<a id="go" download="blob.bin">Get</a><script>
      const bytes = new Uint32Array(${SIZE} / 4)
      for (let at = 0; at < bytes.length; at += 1) bytes[at] = (Number((BigInt(at * 4 + 1) * 2654435761n) & 0xffffffffn) + SEED * 97) >>> 0
      go.href = URL.createObjectURL(new Blob([bytes]))</script>`,
  },
  {
    name: 'extended-name',
    holder: 'ashore',
    gets: 2,
    headers: () => ({ 'content-disposition': 'attachment; filename="plain.bin"; filename*=UTF-8\'\'na%C3%AFve%20%E2%82%AC.bin' }),
    check: ({ offered }) => assert.equal(offered.name, 'naïve €.bin'),
  },
  { name: 'empty', holder: 'browser', gets: 1, asks: 0, body: Buffer.alloc(0) },
  { name: 'small', holder: 'browser', gets: 1, asks: 0, body: bodyOf(5, 1024 * 1024 - 4) },
  {
    name: 'large-sparse',
    holder: 'ashore',
    gets: 2,
    // Ashore receives the segments of a large file over several connections.
    mostGets: 16,
    size: 5 * 1024 ** 3,
    check: ({ offered }) => assert.equal(offered.size, 5 * 1024 ** 3),
  },
  {
    name: 'alt-click',
    holder: 'browser',
    gets: 1,
    asks: 0,
    key: 'Alt',
    check: async ({ kept }) => assert.deepEqual((await kept()).why, { rule: 'bypass' }),
  },
]

export const cookieOf = ({ headers }) => headers.cookie
