// Passes the browser's response heads to `Heads`. Without access to all sites, the browser reports no heads.
import { type BrowserApi, isChromium, isFirefox, type ResponseDetails } from '../browser/api'
import type { Head, Heads } from './heads'

/** Kinds of requests that can become downloads, or contain media. */
const TYPES = ['main_frame', 'sub_frame', 'object', 'media', 'xmlhttprequest', 'other']

/** Starts to watch responses. Call the returned function after the browser has given access to all sites. */
export function watchResponses(
  browser: BrowserApi,
  heads: Heads,
  onHead: (head: Head, details: ResponseDetails) => void = () => {},
  onReceived: (request: string) => void = () => {},
): () => void {
  const { webRequest } = browser
  if (webRequest === undefined) return () => {}
  const filter = { urls: ['http://*/*', 'https://*/*'], types: TYPES }
  const onRequest = (details: ResponseDetails): void => {
    if (details.incognito !== true) heads.onRequest(details)
  }
  const onRedirect = (details: ResponseDetails): void => heads.onRedirect(details)
  const onHeaders = (details: ResponseDetails): void => {
    // Keep no data about private windows.
    if (details.incognito === true) return
    const head = heads.onHead(details)
    if (head !== null) onHead(head, details)
  }
  const onCompleted = ({ requestId }: Pick<ResponseDetails, 'requestId'>): void => {
    if (heads.onCompleted({ requestId })) onReceived(requestId)
  }
  const start = (): void => {
    // Read the `Referer` of the request. A download in Firefox states its page even if the page's policy hides the page
    // from the server.
    if (isFirefox(browser)) webRequest.onSendHeaders?.addListener(onRequest, filter, ['requestHeaders'])
    webRequest.onBeforeRedirect.addListener(onRedirect, filter)
    webRequest.onHeadersReceived.addListener(onHeaders, filter, ['responseHeaders'])
    // Only Chromium needs this event, because only its downloads are paused.
    if (isChromium(browser)) webRequest.onCompleted?.addListener(onCompleted, filter)
  }
  start()
  return () => {
    // Chromium never calls listeners that were added without access to all sites.
    webRequest.onSendHeaders?.removeListener(onRequest)
    webRequest.onBeforeRedirect.removeListener(onRedirect)
    webRequest.onHeadersReceived.removeListener(onHeaders)
    webRequest.onCompleted?.removeListener(onCompleted)
    start()
  }
}
