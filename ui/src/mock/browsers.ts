// Simulated browsers. `?browsers=none` simulates a user without browsers.
import type { BrowserReport, BrowsersApi } from '../api/browsers-api'
import { inEnglish } from '../i18n/engine-messages'
import type { Door } from './own-server'

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
  readonly #door: Pick<Door, 'answer' | 'parameters'>
  #all: BrowserReport[]

  constructor(door: Pick<Door, 'answer' | 'parameters'>) {
    this.#door = door
    this.#all =
      door.parameters.get('browsers') === 'none'
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
    await this.#door.answer('browsers')
    return this.#all
  }

  async connectBrowser(name: string, isConnected: boolean): Promise<BrowserReport[]> {
    await this.#door.answer('connect-browser')
    const after = isConnected ? CONNECTED : ({ state: 'not-connected', program: null } as const)
    this.#all = this.#all.map((one) => (one.name === name ? { ...one, ...after, fault: null } : one))
    return this.#all
  }
}
