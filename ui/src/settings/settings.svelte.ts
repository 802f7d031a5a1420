// Settings as reported by the engine. A change is shown after the engine has confirmed it. A refusal is shown at the
// field of the setting, which keeps the typed text.
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

/** Storage key of the language for the next start of the page. */
export const REMEMBERED = 'ashore.language'

export class Settings {
  search = $state('')
  report = $state.raw<SettingsReport | null>(null)
  failure = $state.raw<Failure | null>(null)
  /** Features that the desktop lacks. */
  lacking = $state.raw<readonly Lacking[]>([])
  readonly shown = $derived<readonly Setting[]>(found(this.report?.settings ?? [], this.search))
  readonly #api: Api

  constructor(api: Api, downloads: Downloads, isLookedAt: () => boolean) {
    this.#api = api
    downloads.watch((event) => {
      // After lost events, read the settings only if they are shown. Otherwise, they are read when the user opens them.
      if (event.type === 'settings' || (event.type === 'lagged' && isLookedAt())) void this.read()
    })
  }

  /** Reads the settings and returns the problems of the settings file. */
  async troubles(): Promise<readonly string[]> {
    await this.read()
    return this.report?.troubles.map(sentence) ?? []
  }

  /** Value of a setting that is a number; `otherwise` while the settings have not been read. */
  number(key: SettingKey, otherwise: number): number {
    const value = this.report?.settings.find((setting) => setting.key === key)?.value
    return typeof value === 'number' ? value : otherwise
  }

  open(): void {
    this.search = ''
    void this.read()
    // If the request fails, assume that no feature is missing.
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

  /** Changes a setting; resolves to the failure if the engine refuses the change, otherwise to null. */
  async set(key: SettingKey, value: SettingValue | null): Promise<Failure | null> {
    try {
      await this.#api.set(key, value)
    } catch (thrown) {
      return Failure.of(thrown)
    }
    await this.read()
    return null
  }

  /** Applies the language setting to the page. */
  async #speak(): Promise<void> {
    const wanted = String(this.report?.settings.find((setting) => setting.key === 'language')?.value ?? 'auto')
    localStorage.setItem(REMEMBERED, wanted)
    await speak(wanted)
  }

  chooseFolder(): Promise<string | null> {
    return this.#api.chooseFolder()
  }

  /**
   * Lets the user choose a file and stores its path as the value of `key`. Resolves to the failure of a refused change,
   * otherwise to null.
   */
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
