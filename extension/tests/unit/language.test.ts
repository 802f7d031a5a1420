import { readFileSync, readdirSync } from 'node:fs'
import { FluentBundle, FluentResource } from '@fluent/bundle'
import { describe, expect, it } from 'vitest'

import table from '../../../locales/numbers.json'
// @ts-expect-error The build is written in JavaScript.
import { keyOf, TAGS, textsOf } from '../../scripts/texts.mjs'
import { formatsOf } from '../../src/language/format'
import { wordsOf } from '../../src/language/say'

type Texts = Record<string, { message: string; placeholders?: Record<string, { content: string }> }>

const LOCALES = '../locales'
const tags = TAGS as string[]
const texts = new Map(tags.map((tag) => [tag, (textsOf as (tag: string) => Texts)(tag)]))

/** Imitates the browser's `i18n.getMessage`: replaces `$name$` by its placeholder, and the placeholder by a substitution. */
function browserOf(tag: string) {
  return {
    getMessage: (key: string, substitutions: string[] = []): string => {
      const entry = texts.get(tag)![key]
      if (entry === undefined) return ''
      return entry.message.replace(/\$\$|\$(\w+)\$/g, (_, name?: string) => {
        if (name === undefined) return '$'
        return substitutions[Number(entry.placeholders![name]!.content.slice(1)) - 1]!
      })
    },
  }
}

function bundleOf(tag: string): FluentBundle {
  const bundle = new FluentBundle(new Intl.Locale(tag, { numberingSystem: 'latn' }).toString(), { useIsolating: false })
  for (const file of readdirSync(`${LOCALES}/${tag}`)) {
    bundle.addResource(new FluentResource(readFileSync(`${LOCALES}/${tag}/${file}`, 'utf8')), { allowOverrides: true })
  }
  return bundle
}

/** Calls of `say` in the sources, with the names of their values. */
const calls = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .flatMap((path) => [...readFileSync(`src/${path}`, 'utf8').matchAll(/\bsay\(\s*'([^']+)'(?:,\s*\{([^}]*)\})?/g)])
  .map(([, id = '', given = '']) => ({ id, names: [...given.matchAll(/(?:^|,)\s*(\w+)/g)].map(([, name]) => name!) }))

const plain = (text: string): string => text.replaceAll(/[\u2066-\u2069]/g, '')

describe.each(tags)('texts in %s', (tag) => {
  const { say } = wordsOf(browserOf(tag))
  const bundle = bundleOf(tag)

  it('each_message_is_found_in_the_catalogue', () => {
    expect(calls.length).toBeGreaterThan(40)
    for (const { id, names } of calls) {
      const [message = '', attribute] = id.split('.')
      const found = bundle.getMessage(message)
      const pattern = attribute === undefined ? found?.value : found?.attributes[attribute]
      expect(pattern, id).toBeTruthy()
      for (const value of [0, 1, 2, 5, 11, 21, 100]) {
        const values = Object.fromEntries(
          names.map((name) => [name, /days|hours|minutes|seconds/.test(name) ? value : `v${value}`]),
        )
        expect(plain(say(id, values)), id).toBe(bundle.formatPattern(pattern!, values, []))
      }
    }
  })

  it('name_and_description_are_short_enough_for_extension_stores', () => {
    expect(say('extension-name').length).toBeLessThanOrEqual(75)
    expect(say('extension-description').length).toBeLessThanOrEqual(132)
  })

  it('each_language_has_the_same_keys', () => {
    // Ignore plural suffixes: a language without plural forms has one entry for all numbers.
    const bare = (keys: string[]) =>
      [...new Set(keys.map((key) => key.replace(/__(zero|one|two|few|many|other|\d+)$/, '')))].sort()
    expect(bare(Object.keys(texts.get(tag)!))).toEqual(bare(Object.keys(texts.get('en')!)))
  })
})

it('sentences_of_the_extension_do_not_occur_in_another_catalogue', () => {
  const own = new Set([...readFileSync(`${LOCALES}/en/extension.ftl`, 'utf8').matchAll(/= (\S.*)$/gm)].map(([, text]) => text))
  const others = readdirSync(`${LOCALES}/en`).filter((file) => file !== 'extension.ftl')
  for (const file of others) {
    for (const [, text = ''] of readFileSync(`${LOCALES}/en/${file}`, 'utf8').matchAll(/= (\S.*)$/gm)) {
      // Skip shorter texts: they are labels that appear inside other texts.
      if (text.split(' ').length < 3) continue
      expect(own.has(text), `${file}: ${text}`).toBe(false)
    }
  }
})

it('hyphens_and_dots_in_a_message_id_become_underscores_and_an_unknown_id_is_kept', () => {
  expect((keyOf as (id: string) => string)('a-b.c-d')).toBe('a_b__c_d')
  expect(wordsOf(browserOf('en')).say('no-such-message')).toBe('no-such-message')
})

it('value_that_comes_from_a_page_cannot_select_a_different_message', () => {
  const asked: string[] = []
  const spy = { getMessage: (key: string) => (asked.push(key), '') }
  wordsOf(spy).say('extension-kept', { name: '../../evil name' })
  expect(asked).toEqual(['language_tag', 'extension_kept', 'extension_kept__other'])
})

it('arabic_text_is_right_to_left_with_isolated_values', () => {
  const words = wordsOf(browserOf('ar'))
  expect(words.direction).toBe('rtl')
  expect(words.say('extension-kept', { name: 'a.iso' })).toContain('\u2068a.iso\u2069')
})

it('sizes_and_speeds_and_times_are_written_as_in_the_window', () => {
  const formats = formatsOf(wordsOf(browserOf('en')))
  for (const [bytes, said] of table.size) expect(formats.size(Number(bytes))).toBe(said)
  for (const [done, whole, said] of table.part) expect(formats.part(Number(done), Number(whole))).toBe(said)
  for (const [bytes, said] of table.rate) expect(formats.rate(Number(bytes))).toBe(said)
  for (const [seconds, said] of table.span) expect(formats.span(Number(seconds))).toBe(said)
})
