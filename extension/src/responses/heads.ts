// Response heads reported by `webRequest`, kept until the matching downloads appear. [pure]
//
// - The number of heads is limited; the oldest heads are dropped first. Heads are kept in memory only.
// - A head belongs to the next download with the same final address that begins shortly after the head. An older head
//   may belong to another request, for example to a GET before a POST to the same address.
import type { Header, ResponseDetails } from '../browser/api'

export interface Head {
  /** Id that `webRequest` gives the request. */
  request: string
  /** Address of the response. */
  url: string
  /** Address before the first redirect. */
  first_url: string
  /** Time in milliseconds since 1970. */
  at: number
  method: string
  /** Kind of the request, as `webRequest` names it. */
  type: string
  /** Page that caused the request, or the origin of that page; null for a typed address. */
  initiator: string | null
  /** `Referer` of the request; null if it had none, undefined if the request was not seen. */
  referrer?: string | null
  tab: number
  status: number
  content_type: string | null
  /** Size of the body as sent, in bytes; null if unknown. */
  size: number | null
  name: string | null
  etag: string | null
  last_modified: string | null
  /** Content encoding of the body; null if the body is not encoded. */
  content_encoding: string | null
}

const MOST = 200
/** Maximum time from a head to the start of its download, in milliseconds. */
const MOST_AHEAD = 2_000

export class Heads {
  readonly #byUrl = new Map<string, Head>()
  readonly #firstUrls = new Map<string, string>()
  readonly #referrers = new Map<string, string | null>()
  /** Latest requests for which the browser received the whole response. */
  readonly #received = new Map<string, true>()
  /** Whether the response was received completely, for each request that became a download. */
  readonly #taken = new Map<string, boolean>()
  readonly #waiting = new Map<string, (() => void)[]>()

  /** Remembers where the chain of a redirected request began. */
  onRedirect(details: ResponseDetails): void {
    if (!this.#firstUrls.has(details.requestId)) put(this.#firstUrls, details.requestId, details.url)
  }

  /** Remembers the `Referer` of a request. */
  onRequest({ requestId, requestHeaders }: Pick<ResponseDetails, 'requestId' | 'requestHeaders'>): void {
    put(this.#referrers, requestId, headerOf(requestHeaders ?? [], 'referer'))
  }

  /** Returns the stored head. Heads of redirects and failures are not stored, because no download has them. */
  onHead(details: ResponseDetails): Head | null {
    if (details.statusCode < 200 || details.statusCode > 299) return null
    const head = headOf(details, this.#firstUrls.get(details.requestId) ?? details.url)
    const referrer = this.#referrers.get(details.requestId)
    if (referrer !== undefined) head.referrer = referrer
    this.#firstUrls.delete(details.requestId)
    this.#referrers.delete(details.requestId)
    const key = withoutFragment(details.url)
    put(this.#byUrl, key, head)
    this.#waiting.get(key)?.forEach((wake) => wake())
    this.#waiting.delete(key)
    return head
  }

  /** Remembers that the browser received the whole response. Returns whether the request has become a download. */
  onCompleted({ requestId }: Pick<ResponseDetails, 'requestId'>): boolean {
    put(this.#received, requestId, true)
    const isDownload = this.#taken.has(requestId)
    if (isDownload) this.#taken.set(requestId, true)
    return isDownload
  }

  /** Whether the browser has received the whole response, although its download may be paused. */
  isReceived(request: string): boolean {
    return this.#taken.get(request) === true || this.#received.has(request)
  }

  /** Removes and returns the head of the download of `url` that began at `start`. */
  take(url: string, start: number): Head | null {
    const key = withoutFragment(url)
    const head = this.#byUrl.get(key)
    if (head === undefined || head.at < start - MOST_AHEAD) return null
    this.#byUrl.delete(key)
    put(this.#taken, head.request, this.#received.has(head.request))
    return head
  }

  /** Like `take`, but also waits for a head that arrives later. Resolves to null if `limit` resolves first. */
  async wait(url: string, start: number, limit: Promise<unknown>): Promise<Head | null> {
    const known = this.take(url, start)
    if (known !== null) return known
    const key = withoutFragment(url)
    const arrival = new Promise<null>((resolve) =>
      this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), () => resolve(null)]),
    )
    await Promise.race([arrival, limit])
    this.#waiting.delete(key)
    return this.take(url, start)
  }
}

/** Sets the newest entry of a bounded map. */
function put<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  map.set(key, value)
  const oldest = map.keys().next()
  if (map.size > MOST && oldest.done !== true) map.delete(oldest.value)
}

const withoutFragment = (url: string): string => url.replace(/#.*$/, '')

export function headOf(details: ResponseDetails, firstUrl: string): Head {
  const value = (name: string): string | null => headerOf(details.responseHeaders ?? [], name)
  const encoding = value('content-encoding')
  const length = value('content-length')
  return {
    request: details.requestId,
    url: details.url,
    first_url: firstUrl,
    at: details.timeStamp,
    method: details.method,
    type: details.type,
    initiator: details.initiator ?? details.originUrl ?? null,
    tab: details.tabId,
    status: details.statusCode,
    content_type: value('content-type'),
    size: length !== null && /^\d{1,15}$/.test(length) ? Number(length) : null,
    name: nameOf(value('content-disposition')),
    etag: value('etag'),
    last_modified: value('last-modified'),
    content_encoding: encoding === null || encoding.trim().toLowerCase() === 'identity' ? null : encoding,
  }
}

function headerOf(headers: readonly Header[], name: string): string | null {
  return headers.find((header) => header.name.toLowerCase() === name)?.value ?? null
}

/** Returns the file name from a `Content-Disposition` header (RFC 6266). The extended form (RFC 8187) takes precedence. */
export function nameOf(disposition: string | null): string | null {
  if (disposition === null) return null
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1]
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended)
    } catch {
      // The extended form is invalid, so use the plain form.
    }
  }
  const quoted = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1]
  if (quoted !== undefined) return quoted.replaceAll(/\\(.)/g, '$1')
  return /;\s*filename\s*=\s*([^;\s"]+)/i.exec(disposition)?.[1] ?? null
}
