// All settings as the engine has them. A change is shown when the engine says that it holds, and what it refuses is said
// at its field; what was typed stays there.
import {
  type Api,
  Failure,
  type Lacking,
  type Setting,
  type SettingKey,
  type SettingsReport,
  type SettingValue,
} from '../api/api'
import { found } from './setting-labels'
import { speak } from '../i18n/i18n.svelte'
import { sentence } from '../i18n/engine-messages'
import type { Downloads } from '../list/data/downloads.svelte'

/** Where the page keeps the language for its next beginning. */
export const REMEMBERED = 'ashore.language'

export class Settings {
  search = $state('')
  report = $state.raw<SettingsReport | null>(null)
  failure = $state.raw<Failure | null>(null)
  /** What the desktop does not have. */
  lacking = $state.raw<readonly Lacking[]>([])
  readonly shown = $derived<readonly Setting[]>(found(this.report?.settings ?? [], this.search))
  readonly #api: Api

  constructor(api: Api, downloads: Downloads, isLookedAt: () => boolean) {
    this.#api = api
    downloads.watch((event) => {
      // Whoever opens them reads them anyway.
      if (event.type === 'settings' || (event.type === 'lagged' && isLookedAt())) void this.read()
    })
  }

  /** What the settings file says and nobody follows; read once the page is there. */
  async troubles(): Promise<readonly string[]> {
    await this.read()
    return this.report?.troubles.map(({ text }) => sentence({ code: 'invalid', text })) ?? []
  }

  open(): void {
    this.search = ''
    void this.read()
    // Without an answer nothing is said: it may be there.
    this.#api.lacking().then(
      (lacking) => (this.lacking = lacking),
      () => undefined,
    )
  }

  async read(): Promise<void> {
    try {
      this.report = await this.#api.settings()
      this.failure = null
      await this.#speak()
    } catch (thrown) {
      this.failure = Failure.of(thrown)
    }
  }

  /** Why it was refused; null when it holds. */
  async set(key: SettingKey, value: SettingValue | null): Promise<Failure | null> {
    try {
      await this.#api.set(key, value)
    } catch (thrown) {
      return Failure.of(thrown)
    }
    await this.read()
    return null
  }

  /** The page's language is a setting like others. */
  async #speak(): Promise<void> {
    const wanted = String(this.report?.settings.find((setting) => setting.key === 'language')?.value ?? 'auto')
    localStorage.setItem(REMEMBERED, wanted)
    await speak(wanted)
  }

  chooseFolder(): Promise<string | null> {
    return this.#api.chooseFolder()
  }

  /** Why it was refused; null when it holds, or nobody chose. */
  async chooseFile(key: SettingKey): Promise<Failure | null> {
    try {
      if (!(await this.#api.chooseFile(key))) return null
    } catch (thrown) {
      return Failure.of(thrown)
    }
    await this.read()
    return null
  }
}
