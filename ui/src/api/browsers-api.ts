// Calls about browsers and their connection with Ashore.
import type { BrowserChannelReport } from './generated/BrowserChannelReport'
import type { BrowserReport } from './generated/BrowserReport'
import type { ShownCode } from './generated/ShownCode'

export type { BrowserChannelReport, BrowserReport, ShownCode }

export interface BrowsersApi {
  /** Browsers of the user. Each connection is tested. */
  browsers(): Promise<BrowserReport[]>
  /** Connects or disconnects a browser, and resolves to the updated list of browsers. */
  connectBrowser(name: string, isConnected: boolean): Promise<BrowserReport[]>
  /** State of the channel of paired browsers. */
  browserChannel(): Promise<BrowserChannelReport>
  /** Makes a code that pairs a browser. Rejects if the channel is off. */
  pairBrowser(): Promise<ShownCode>
  /** Removes a paired browser, and resolves to the state of the channel. */
  unpairBrowser(name: string): Promise<BrowserChannelReport>
}

/** Implements these calls with `ask`, which sends a command to the desktop program. */
export function browsersApi(ask: <T>(command: string, args?: Record<string, unknown>) => Promise<T>): BrowsersApi {
  return {
    browsers: () => ask('browsers'),
    connectBrowser: (name, isConnected) => ask('connect_browser', { name, isConnected }),
    browserChannel: () => ask('browser_channel'),
    pairBrowser: () => ask('pair_browser'),
    unpairBrowser: (name) => ask('unpair_browser', { name }),
  }
}
