// Simulated browsers. `?browsers=none` simulates a user without browsers. `?browsers=busy` simulates that other
// programs use all ports.
import type { BrowserChannelReport, BrowserReport, BrowsersApi, ShownCode } from '../api/browsers-api'
import { inEnglish } from '../i18n/engine-messages'
import type { MockAccess } from './own-server'

const PROGRAM = '/usr/bin/ashore-browser'

const browser = (name: string, title: string, others: Partial<BrowserReport> = {}): BrowserReport => ({
  name,
  title,
  state: 'not-connected',
  manifest: null,
  program: null,
  is_of_package: false,
  fault: null,
  ...others,
})

const CONNECTED = { state: 'connected', program: PROGRAM } as const
const BRAVE = '/home/robin/.config/BraveSoftware/Brave-Browser/NativeMessagingHosts/com.ashore.browser.json'

export class PretendedBrowsers implements BrowsersApi {
  readonly #access: Pick<MockAccess, 'answer' | 'parameters'>
  #all: BrowserReport[]
  #paired = ['Firefox']
  /** Time at which the shown code expires, in milliseconds. */
  #codeEnd: number | null = null

  constructor(access: Pick<MockAccess, 'answer' | 'parameters'>) {
    this.#access = access
    this.#all =
      access.parameters.get('browsers') === 'none'
        ? []
        : [
            browser('chromium', 'Chromium', { ...CONNECTED, is_of_package: true }),
            browser('chrome', 'Google Chrome', {
              ...CONNECTED,
              fault: inEnglish('browser-manifest.program', { path: PROGRAM }),
            }),
            browser('brave', 'Brave', {
              state: 'foreign',
              manifest: BRAVE,
              fault: inEnglish('browser-manifest.foreign', { path: BRAVE }),
            }),
            browser('firefox', 'Firefox'),
          ]
  }

  async browsers(): Promise<BrowserReport[]> {
    await this.#access.answer('browsers')
    return this.#all
  }

  async connectBrowser(name: string, isConnected: boolean): Promise<BrowserReport[]> {
    await this.#access.answer('connect-browser')
    const after = isConnected ? CONNECTED : ({ state: 'not-connected', program: null } as const)
    this.#all = this.#all.map((one) => (one.name === name ? { ...one, ...after, fault: null } : one))
    return this.#all
  }

  async browserChannel(): Promise<BrowserChannelReport> {
    await this.#access.answer('browser-channel')
    const isBusy = this.#access.parameters.get('browsers') === 'busy'
    return {
      listens: !isBusy,
      fault: isBusy ? inEnglish('browser-pairing.ports', { ports: '27346, 27347, 27348' }) : null,
      paired: this.#paired.map((name) => ({ name, seen_at: 1_790_000_000 })),
      code_seconds: this.#codeEnd === null ? null : Math.max(0, Math.ceil((this.#codeEnd - Date.now()) / 1000)),
    }
  }

  async pairBrowser(): Promise<ShownCode> {
    await this.#access.answer('pair-browser')
    this.#codeEnd = Date.now() + 300_000
    return { code: 'K7QX-2MPA', seconds: 300 }
  }

  async unpairBrowser(name: string): Promise<BrowserChannelReport> {
    this.#paired = this.#paired.filter((one) => one !== name)
    return this.browserChannel()
  }
}
