// Decides whether a download of the browser is offered to Ashore. [pure]
//
// - In case of doubt, the browser keeps the download.
import type { DownloadItem } from '../browser/api'
import type { Head } from '../responses/heads'
import { hostNameOf, isWithin, type Settings } from '../settings/settings'

/** Reason to leave a download to the browser without asking Ashore. */
export type KeepReason =
  | 'private'
  | 'scheme'
  | 'extension'
  | 'menu-only'
  | 'bypass'
  | 'site'
  | 'site-refused'
  | 'no-access'
  /** The browser did not report a response, for example because the page itself created the file. */
  | 'no-head'
  | 'method'
  | 'encoded'
  | 'danger'
  | 'type'
  | 'ending'
  | 'small'
  /** The site has reached the limit for hand-offs that were not caused by a click. */
  | 'too-many'
  /** The browser received the whole file before Ashore answered. */
  | 'received'

export interface Circumstances {
  settings: Settings
  /** Response head. Null if the browser did not report the response. Without access to all sites, it never does. */
  head: Head | null
  has_access: boolean
  /** Whether downloads from this site stay in the browser because of earlier refusals. */
  is_refused_site: boolean
  /** Whether the person held the bypass key down for this download. */
  is_bypassed: boolean
}

/** Content types of pages, scripts, styles and browser extensions. People do not download such files. */
const TYPES: ReadonlySet<string> = new Set([
  'text/html',
  'application/xhtml+xml',
  'text/css',
  'text/javascript',
  'application/javascript',
  'application/x-javascript',
  'application/ecmascript',
  'application/x-xpinstall',
  'application/x-chrome-extension',
])

/** Reason why the download stays in the browser; null if it is offered to Ashore. */
export function reasonToKeep(item: DownloadItem, circumstances: Circumstances): KeepReason | null {
  const { settings, head } = circumstances
  if (item.incognito === true || item.cookieStoreId === 'firefox-private') return 'private'
  const address = addressOf(item)
  if (hostNameOf(address) === null) return 'scheme'
  if (item.byExtensionId !== undefined && item.byExtensionId !== '') return 'extension'
  if (settings.mode === 'menu') return 'menu-only'
  if (circumstances.is_bypassed) return 'bypass'
  if (sitesOf(item, head).some((site) => settings.sites.some((listed) => isWithin(site, listed)))) return 'site'
  if (circumstances.is_refused_site) return 'site-refused'
  // Without a response head, the request method is unknown. Ashore must not repeat a submitted form as a GET.
  if (head === null) return circumstances.has_access ? 'no-head' : 'no-access'
  if (head.method !== 'GET') return 'method'
  // The browser received an encoded body, but Ashore requests the body without an encoding. The two bodies differ in
  // their size and their validator.
  if (head.content_encoding !== null) return 'encoded'
  if (isDangerous(item)) return 'danger'
  if (TYPES.has(mediaType(head.content_type ?? item.mime ?? ''))) return 'type'
  if (settings.endings.includes(endingOf(baseName(item.filename) ?? head.name ?? new URL(address).pathname))) return 'ending'
  const size = sizeOf(item, head)
  return size !== null && size < settings.least_size ? 'small' : null
}

/** Whether the browser warns about the file. The person then decides in the browser whether to keep it. */
export const isDangerous = ({ danger }: DownloadItem): boolean =>
  danger !== undefined && danger !== 'safe' && danger !== 'accepted'

/** Address of the file after redirects. */
export const addressOf = (item: DownloadItem): string => item.finalUrl ?? item.url

/** Sites that the rules about sites are compared with: the site of the page and the site of the file. */
export function sitesOf(item: DownloadItem, head: Head | null): string[] {
  const sites = [item.referrer, addressOf(item), head?.first_url].map((address) => hostNameOf(address))
  return [...new Set(sites.filter((site): site is string => site !== null))]
}

/**
 * Site under which hand-offs and refusals are counted: the site of the page, or the site of the file if the page is unknown.
 */
export const siteOf = (item: DownloadItem): string => hostNameOf(item.referrer) ?? hostNameOf(addressOf(item)) ?? ''

/** Size in bytes; null if neither the browser nor the response states it. */
export function sizeOf(item: DownloadItem, head: Head | null): number | null {
  const known = [item.totalBytes, item.fileSize ?? -1, head?.size ?? -1].find((size) => size > 0)
  return known ?? (head?.size === 0 ? 0 : null)
}

export const mediaType = (contentType: string): string => contentType.split(';')[0]!.trim().toLowerCase()

/**
 * File name in the offer to Ashore. The name in the response takes precedence, because Firefox adds a number to its own name
 * if that name is already in use on the disk.
 */
export function offeredName(item: DownloadItem, head: Head | null): string | null {
  const name = baseName(head?.name ?? '') ?? baseName(item.filename)
  // Remove these characters: Ashore shows the name as the title of the download, where they could hide the real name.
  return name?.replaceAll(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '') || null
}

/** Returns the part of a path after the last slash or backslash; null if this part is empty. */
export function baseName(path: string): string | null {
  const name = path.split(/[/\\]/).at(-1) ?? ''
  return name === '' ? null : name
}

const endingOf = (name: string): string => /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
