// Media files that a page names or that the browser received for its tab. [pure]
//
// - Kept in memory only, at most 200 per tab. Dropped when the tab shows another page.
import type { Head } from '../responses/heads'
import { mediaType } from '../handoff/rules'

export interface MediaFile {
  url: string
  name: string
  kind: 'video' | 'audio' | 'stream'
  /** Size in bytes; null if unknown. */
  size: number | null
}

const MOST = 200

/** Types of files that describe a stream by listing its parts. */
const STREAMS: ReadonlySet<string> = new Set([
  'application/vnd.apple.mpegurl',
  'application/x-mpegurl',
  'audio/mpegurl',
  'audio/x-mpegurl',
  'application/dash+xml',
])
/** Types of the parts of a stream. Such parts are not complete files. */
const PARTS: ReadonlySet<string> = new Set(['video/mp2t', 'video/iso.segment', 'audio/iso.segment'])

/** Returns the kind of a media file, found by its type or by the ending of its address; null for other files. */
export function kindOf(type: string | null, url: string): MediaFile['kind'] | null {
  const plain = mediaType(type ?? '')
  if (PARTS.has(plain)) return null
  const ending = /\.([a-z0-9]+)$/i.exec(pathOf(url))?.[1]?.toLowerCase() ?? ''
  if (STREAMS.has(plain) || ending === 'm3u8' || ending === 'mpd') return 'stream'
  const [major] = plain.split('/')
  return major === 'video' || major === 'audio' ? major : null
}

export class SeenMedia {
  readonly #byTab = new Map<number, Map<string, MediaFile>>()

  onHead(tab: number, resourceType: string, head: Head): void {
    if (tab < 0) return
    if (resourceType === 'main_frame') this.forget(tab)
    const kind = kindOf(head.content_type, head.url)
    if (kind === null) return
    const files = this.#byTab.get(tab) ?? new Map<string, MediaFile>()
    this.#byTab.set(tab, files)
    // A partial response states only the length of its part.
    const size = head.status === 206 ? null : head.size
    if (files.size < MOST || files.has(head.url))
      files.set(head.url, { url: head.url, name: head.name ?? nameOf(head.url), kind, size })
  }

  forget(tab: number): void {
    this.#byTab.delete(tab)
  }

  of(tab: number): MediaFile[] {
    return [...(this.#byTab.get(tab)?.values() ?? [])]
  }
}

/** Joins the files that the page names with the files that the browser received. Received files have more details. */
export function joined(named: readonly { url: string; type: string | null }[], seen: readonly MediaFile[]): MediaFile[] {
  const files = new Map(seen.map((file) => [file.url, file]))
  for (const { url, type } of named) {
    const kind = kindOf(type?.includes('/') ? type : `${type}/any`, url)
    if (kind !== null && !files.has(url)) files.set(url, { url, name: nameOf(url), kind, size: null })
  }
  return [...files.values()].slice(0, MOST)
}

/** Returns the last part of an address's path, decoded. Returns the host if the path is empty. */
export function nameOf(url: string): string {
  const last = pathOf(url).split('/').filter(Boolean).at(-1)
  if (last === undefined) return URL.canParse(url) ? new URL(url).host : url
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : '')
