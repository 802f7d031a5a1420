// Calls about browsers and their connection with Ashore.
import type { BrowserReport } from './generated/BrowserReport'

export type { BrowserReport }

export interface BrowsersApi {
  /** Browsers of the user. Each connection is tested. */
  browsers(): Promise<BrowserReport[]>
  /** Connects or disconnects a browser, and resolves to the browsers afterwards. */
  connectBrowser(name: string, isConnected: boolean): Promise<BrowserReport[]>
}

/** Calls through `ask`, which sends a command to the desktop program. */
export function browsersApi(ask: <T>(command: string, args?: Record<string, unknown>) => Promise<T>): BrowsersApi {
  return {
    browsers: () => ask('browsers'),
    connectBrowser: (name, isConnected) => ask('connect_browser', { name, isConnected }),
  }
}
