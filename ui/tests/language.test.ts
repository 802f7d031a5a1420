import { expect, it } from 'vitest'

import { Catalogue } from '../src/words/catalogue'
import { languageOf } from '../src/words/languages'
import { spoken } from '../src/words/say.svelte'

const german = (...sources: string[]) => new Catalogue({ tag: 'en', formats: 'de', direction: 'ltr' }, sources)

it('the setting decides, else what the desktop asks for first and there is', () => {
  expect(languageOf('en', ['xx'])).toEqual({ tag: 'en', formats: 'en-u-nu-latn', direction: 'ltr' })
  expect(languageOf('auto', ['xx', 'en-GB', 'en']).formats).toBe('en-GB-u-nu-latn')
  expect(languageOf('auto', []).tag).toBe('en')
  expect(languageOf('toString', ['no such thing']).tag).toBe('en')
})

it('a sentence that a language lacks is said in the one below it, and one that nobody has is its name', () => {
  const above = new Catalogue({ tag: 'en', formats: 'de', direction: 'ltr' }, ['a = Ja'], german('a = Yes\nb = No, { $name }'))
  expect(above.say('a')).toBe('Ja')
  expect(above.say('b', { name: 'Ida' })).toBe('No, Ida')
  expect(above.say('c.d')).toBe('c.d')
})

it('numbers are written as the language writes them', () => {
  expect(german('n = { $count }').say('n', { count: 12345 })).toBe('12.345')
})

it('what runs the other way is kept apart, and everything is where the language itself runs from right to left', () => {
  const hebrew = 'שלום'
  expect(german('a = „{ $name }“').say('a', { name: hebrew })).toBe(`„\u2068${hebrew}\u2069“`)
  expect(german('a = „{ $name }“').say('a', { name: 'x' })).toBe('„x“')
  const arabic = new Catalogue({ tag: 'en', formats: 'ar-u-nu-latn', direction: 'rtl' }, ['a = من { $name }'])
  expect(arabic.say('a', { name: 'x' })).toBe('من \u2068x\u2069')
})

it('words are read anew every time, and functions stay what they are', () => {
  const words = spoken({ add: 'add', inside: { cancel: 'cancel' }, twice: (text: string) => text + text })
  expect([words.add, words.inside.cancel, words.twice('a'), Object.keys(words)]).toEqual(['Add', 'Cancel', 'aa', ['add', 'inside', 'twice']])
})
