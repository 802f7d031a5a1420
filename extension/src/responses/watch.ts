// Passes the browser's response heads to `Heads`. Without access to all sites, the browser reports no heads.
import { type BrowserApi, isChromium, isFirefox, type ResponseDetails } from '../browser/api'
import type { Head, Heads } from './heads'

/** Kinds of requests that can become downloads, or contain media. */
const TYPES = ['main_frame', 'sub_frame', 'object', 'media', 'xmlhttprequest', 'other']

export function watchResponses(
  browser: BrowserApi,
  heads: Heads,
  onHead: (head: Head, details: ResponseDetails) => void = () => {},
  onReceived: (request: string) => void = () => {},
): void {
  const filter = { urls: ['http://*/*', 'https://*/*'], types: TYPES }
  // The downloads of Firefox name the page even if the policy of the page hides it from the server.
  if (isFirefox(browser)) {
    browser.webRequest?.onSendHeaders?.addListener((details) => details.incognito === true || heads.onRequest(details), filter, [
      'requestHeaders',
    ])
  }
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
  // Only the downloads of Chromium are paused.
  if (isChromium(browser))
    browser.webRequest?.onCompleted?.addListener((details) => {
      heads.onCompleted(details)
      onReceived(details.requestId)
    }, filter)
}
