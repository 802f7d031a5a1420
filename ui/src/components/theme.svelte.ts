// Colour scheme of the page: that of the system, or the one that the user has chosen on this device.

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEPT = 'ashore.theme'

const themeOf = (text: string | null): Theme => THEMES.find((theme) => theme === text) ?? 'system'

class ThemeChoice {
  #now = $state<Theme>('system')

  /** Applies the remembered choice, or `forced` if it is not null. Call this before the page is drawn. */
  start(forced: string | null): void {
    this.#apply(themeOf(forced ?? localStorage.getItem(KEPT)))
  }

  get now(): Theme {
    return this.#now
  }

  /** Chooses a theme and remembers it. */
  set now(theme: Theme) {
    localStorage.setItem(KEPT, theme)
    this.#apply(theme)
  }

  #apply(theme: Theme): void {
    this.#now = theme
    // The style sheet follows the system if the attribute is missing.
    if (theme === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
  }
}

export const theme = new ThemeChoice()
