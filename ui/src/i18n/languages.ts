// Available languages, and the selection of one of them. [pure]
import { negotiateLanguages } from '@fluent/langneg'

/** Languages by tag, each with its native name, so that its speakers recognise it. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  'pt-BR': 'Português (Brasil)',
  ru: 'Русский',
  ar: 'العربية',
  hi: 'हिन्दी',
  'zh-CN': '简体中文',
  ja: '日本語',
} as const

export type Tag = keyof typeof LANGUAGES

export interface Language {
  tag: Tag
  /** Tag for numbers and dates: the same language with the user's region, such as `en-GB`. */
  formats: string
  direction: 'ltr' | 'rtl'
}

const FALLBACK: Tag = 'en'
const RIGHT_TO_LEFT: readonly Tag[] = ['ar']

/**
 * Chooses the language by the setting (`auto` or a tag) and by the desktop's languages in `wanted`, the preferred one first.
 */
export function languageOf(setting: string, wanted: readonly string[]): Language {
  const tag = isTag(setting) ? setting : best(wanted)
  const here = wanted.find((one) => best([one]) === tag && sameLanguage(one, tag)) ?? tag
  return { tag, formats: withPlainDigits(here), direction: RIGHT_TO_LEFT.includes(tag) ? 'rtl' : 'ltr' }
}

function isTag(text: string): text is Tag {
  return Object.hasOwn(LANGUAGES, text)
}

function best(wanted: readonly string[]): Tag {
  const [first] = negotiateLanguages([...wanted], Object.keys(LANGUAGES), { strategy: 'lookup', defaultLocale: FALLBACK })
  return (first ?? FALLBACK) as Tag
}

const sameLanguage = (one: string, other: string): boolean => one.split('-')[0]!.toLowerCase() === other.split('-')[0]

/** Forces Latin digits, because sizes and speeds appear beside addresses and file names with Latin digits. */
function withPlainDigits(tag: string): string {
  try {
    return new Intl.Locale(tag, { numberingSystem: 'latn' }).toString()
  } catch {
    return FALLBACK
  }
}
