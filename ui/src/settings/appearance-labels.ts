// Labels of the section about the appearance of the page, and the search in it. The texts are in `locales/*/settings.ftl`.
// [pure, except for the language]
import type { Theme } from '../components/theme.svelte'
import { say, spoken } from '../i18n/i18n.svelte'
import { isFound } from '../lib/text-search'

/** Height of the rows of the list. */
export type Density = 'comfortable' | 'compact'

export const appearanceWords = spoken({
  title: 'appearance',
  theme: { name: 'appearance-theme', about: 'appearance-theme.about' },
  themes: {
    system: 'setting-language.auto',
    light: 'appearance-theme.light',
    dark: 'appearance-theme.dark',
  } satisfies { [theme in Theme]: string },
  density: { name: 'appearance-density', about: 'appearance-density.about' },
  densities: {
    comfortable: 'appearance-density.comfortable',
    compact: 'appearance-density.compact',
  } satisfies { [density in Density]: string },
})

/** Whether the section matches the search of the settings. */
export function isAppearanceFound(search: string): boolean {
  const { title, theme, themes, density, densities } = appearanceWords
  const names = [...Object.values(themes), ...Object.values(densities)]
  return isFound(search, [title, theme.name, theme.about, density.name, density.about, ...names, say('synonyms-appearance')])
}
