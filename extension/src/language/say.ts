// Texts in the language of the browser. `scripts/texts.mjs` generates them from the Fluent catalogues.
import type { BrowserApi } from '../browser/api'

export type Values = Readonly<Record<string, string | number>>

export interface Words {
  /** Tag of the language that the browser chose from the languages of the extension. */
  tag: string
  direction: 'ltr' | 'rtl'
  /** Formats a message. An unknown id is returned unchanged. */
  say(id: string, values?: Values): string
  /** Formats a number as the language writes it, with the digits 0 to 9. */
  number(value: number, fractionDigits: number): string
  date(at: number): string
}

/** Isolates a value, so that its direction does not reorder the sentence around it. */
const isolated = (text: string): string => `\u2068${text}\u2069`

const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/

export function wordsOf(i18n: BrowserApi['i18n']): Words {
  const tag = i18n.getMessage('language_tag') || 'en'
  const direction = tag === 'ar' ? 'rtl' : 'ltr'
  const plurals = new Intl.PluralRules(tag)
  const locale = new Intl.Locale(tag, { numberingSystem: 'latn' }).toString()
  const written = (value: string | number): string => {
    if (typeof value === 'number') return new Intl.NumberFormat(locale).format(value)
    return direction === 'rtl' || RIGHT_TO_LEFT.test(value) ? isolated(value) : value
  }
  return {
    tag,
    direction,
    say: (id, values = {}) => {
      const key = id.replaceAll('-', '_').replace('.', '__')
      const names = Object.keys(values).sort()
      const substitutions = names.map((name) => written(values[name]!))
      const variants = names.flatMap((name) => {
        const value = values[name]!
        return typeof value === 'number' ? [String(value), plurals.select(value)] : [value]
      })
      // Use only short words as variants: text from a page must not become part of a key.
      const keys = [key, ...[...variants.filter((one) => /^\w{1,12}$/.test(one)), 'other'].map((one) => `${key}__${one}`)]
      for (const one of keys) {
        const text = i18n.getMessage(one, substitutions)
        if (text !== '') return text
      }
      return id
    },
    number: (value, digits) =>
      new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value),
    date: (at) => new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(at),
  }
}
