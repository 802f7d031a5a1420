// Which languages there are, and which of them a person reads. [pure]
import { negotiateLanguages } from '@fluent/langneg'

/** By its tag, each as it calls itself: whoever looks for it may read no other. */
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
  /** For numbers and dates: the same language where the person is, such as `en-GB`. */
  formats: string
  direction: 'ltr' | 'rtl'
}

const FALLBACK: Tag = 'en'
const RIGHT_TO_LEFT: readonly Tag[] = ['ar']

/** By the setting, `auto` or a tag, and by what the desktop asks for, the most wanted first. */
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

/** Sizes and speeds stand beside addresses and file names, whose digits are these everywhere. */
function withPlainDigits(tag: string): string {
  try {
    return new Intl.Locale(tag, { numberingSystem: 'latn' }).toString()
  } catch {
    return FALLBACK
  }
}
