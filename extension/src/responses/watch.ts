// Passes the browser's response heads to `Heads`. Without access to all sites, the browser reports no heads.
import type { BrowserApi, ResponseDetails } from '../browser/api'
import type { Head, Heads } from './heads'

/** Kinds of requests that can become downloads, or contain media. */
const TYPES = ['main_frame', 'sub_frame', 'object', 'media', 'xmlhttprequest', 'other']

export function watchResponses(
  browser: BrowserApi,
  heads: Heads,
  onHead: (head: Head, details: ResponseDetails) => void = () => {},
): void {
  const filter = { urls: ['http://*/*', 'https://*/*'], types: TYPES }
  browser.webRequest?.onBeforeRedirect.addListener((details) => heads.onRedirect(details), filter)
  browser.webRequest?.onHeadersReceived.addListener(
    (details) => {
      // Keep no data about private windows.
      if (details.incognito === true) return
      const head = heads.onHead(details)
      if (head !== null) onHead(head, details)
    },
    filter,
    ['responseHeaders'],
  )
}
