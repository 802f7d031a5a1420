// Describes a download of the browser for Ashore.
import type { BrowserApi, DownloadItem } from '../browser/api'
import type { OfferedDownload } from '../host/protocol'
import { type CookieContext, cookieLine } from '../responses/cookie-line'
import type { Head } from '../responses/heads'
import { hostNameOf } from '../settings/settings'
import { addressOf, offeredName, sizeOf } from './rules'

/** The browser, and its `User-Agent` header. */
export interface Agent {
  browser: BrowserApi
  user_agent: string
}

export async function offeredOf({ browser, user_agent }: Agent, item: DownloadItem, head: Head): Promise<OfferedDownload> {
  const url = addressOf(item)
  const referrer = head.referrer === undefined ? item.referrer || null : head.referrer
  const first = head.first_url
  const top = await addressOfTab(browser, head.tab)
  const context = { url, type: head.type, initiator: head.initiator, top }
  return {
    url,
    first_url: first === url ? null : first,
    name: offeredName(item, head),
    content_type: head.content_type ?? (item.mime || null),
    size: sizeOf(item, head),
    etag: head.etag,
    last_modified: head.last_modified,
    content_encoding: head.content_encoding,
    referrer,
    user_agent,
    cookies: await cookiesOf(browser, context, item.cookieStoreId),
    title: null,
    page: pageOf(top, referrer, [url, first]),
    was_clicked: false,
  }
}

/**
 * Describes a link, picture or media file that a person chose. Its response is not known yet. A chosen link is treated like
 * a click on the link. A chosen picture or media file is treated as a part of the page.
 */
export async function chosenOf(
  { browser, user_agent }: Agent,
  url: string,
  kind: 'link' | 'part',
  page: { url?: string | undefined; title?: string | undefined; cookieStoreId?: string | undefined },
): Promise<OfferedDownload> {
  const referrer = page.url ?? null
  const context = { url, type: kind === 'link' ? 'main_frame' : 'other', initiator: referrer ?? 'null', top: referrer }
  return {
    url,
    first_url: null,
    name: null,
    content_type: null,
    size: null,
    etag: null,
    last_modified: null,
    content_encoding: null,
    referrer,
    user_agent,
    cookies: await cookiesOf(browser, context, page.cookieStoreId),
    title: page.title || null,
    page: referrer,
    was_clicked: true,
  }
}

/**
 * Address of the page that contains the link. This is the page that the tab shows. If a new tab shows no page, the referrer
 * is the best address, although a site can shorten it.
 */
export function pageOf(top: string | null, referrer: string | null, files: readonly string[]): string | null {
  const isPage = (address: string | null): boolean => hostNameOf(address) !== null && !files.includes(address!)
  return [top, referrer].find(isPage) ?? null
}

/** Cookies for the address. Null if the permission is missing, because a download without cookies is better than none. */
async function cookiesOf(browser: BrowserApi, context: CookieContext, store?: string): Promise<string | null> {
  if (browser.cookies === undefined) return null
  try {
    // An empty partition key requests the cookies of all partitions, not only those without one.
    const query = { url: context.url, partitionKey: {}, ...(store !== undefined && { storeId: store }) }
    return cookieLine(await browser.cookies.getAll(query), context)
  } catch {
    return null
  }
}

/** Address of the page in a tab; null if the tab has closed, or if the request has no tab. */
export async function addressOfTab(browser: BrowserApi, tab: number): Promise<string | null> {
  if (tab < 0) return null
  return (await browser.tabs.get(tab).catch(() => null))?.url ?? null
}
