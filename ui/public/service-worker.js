// Service worker of the page in a browser. It keeps the files of the page, so that the installed app opens while the server
// cannot be reached. It never handles the interfaces of the server or downloaded files.
//
// - The document comes from the server if possible, so that an update of Ashore is used at once.
// - The files in `assets` have their content in their names, so a kept copy is never outdated.
const CACHE = 'ashore-page'
const DOCUMENT = new URL('./', self.registration.scope).href
const ASSETS = new URL('./assets/', self.registration.scope).href

self.addEventListener('install', (event) => {
  self.skipWaiting()
  event.waitUntil(fetch(DOCUMENT, { cache: 'no-cache' }).then(keepDocument))
})

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET') return
  if (request.mode === 'navigate' && isDocument(request.url)) event.respondWith(documentFor(request))
  else if (request.url.startsWith(ASSETS)) event.respondWith(asset(request))
})

/** Whether the address is that of the page. Its query does not matter. */
const isDocument = (address) => address.split(/[?#]/)[0] === DOCUMENT

async function documentFor(request) {
  try {
    const answer = await fetch(request)
    if (answer.ok) await keepDocument(answer.clone())
    return answer
  } catch (error) {
    const kept = await (await caches.open(CACHE)).match(DOCUMENT)
    if (kept === undefined) throw error
    return kept
  }
}

async function asset(request) {
  const cache = await caches.open(CACHE)
  const kept = await cache.match(request)
  if (kept !== undefined) return kept
  const answer = await fetch(request)
  if (answer.ok) await cache.put(request, answer.clone())
  return answer
}

/** Keeps the document and the files that it names. If the document has changed, drops the files of the former one. */
async function keepDocument(answer) {
  if (!answer.ok) throw new Error(`The page could not be read: ${answer.status}`)
  const cache = await caches.open(CACHE)
  const text = await answer.clone().text()
  const before = await (await cache.match(DOCUMENT))?.text()
  if (text === before) return
  for (const request of await cache.keys()) await cache.delete(request)
  const named = [...text.matchAll(/(?:src|href)="(\.\/assets\/[^"]+)"/g)].map(([, path]) => new URL(path, DOCUMENT).href)
  await cache.addAll(named)
  await cache.put(DOCUMENT, answer)
}
