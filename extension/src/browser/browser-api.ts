// Returns the WebExtension interface of the real browser. Chromium and Firefox name the interface differently.
import type { BrowserApi } from './api'

interface Names {
  browser?: BrowserApi
  chrome?: BrowserApi
}

const names = globalThis as unknown as Names

export const browser: BrowserApi = (names.browser?.runtime ? names.browser : names.chrome)!
