import { type SelectExpression, Visitor } from '@fluent/syntax'
import { describe, expect, it } from 'vitest'

import { KEY_GROUPS, KEY_LINES } from '../../src/keyboard/key-labels'
import { words } from '../../src/i18n/labels'
import { SETTING_WORDS, settingWords } from '../../src/settings/setting-labels'
import { LANGUAGES } from '../../src/i18n/languages'
import { english } from '../../src/i18n/i18n.svelte'
import { filesOf, parse, type Said, tags } from './catalogues'

/** What a row says of a download that failed or waits. What refuses an order has other ends. */
const STATES = new RegExp(
  `^trouble-(${[
    'bad-status',
    'certificate-untrusted',
    'total-timeout',
    'private-address',
    'quota-reached',
    'paused',
    'metered',
    'battery',
    'in-use',
    'hours',
    'quota',
    'disk',
    'disk-full',
    'target',
    'offline',
    'captive-portal',
    'asleep',
    'host-busy',
    'host-unreachable',
  ].join('|')})(\\.|$)`,
)

const TAGS = Object.keys(LANGUAGES)
const parsed = new Map(TAGS.map((tag) => [tag, parse(tag)]))
const inEnglish = parsed.get('en')!

/** Sources that may say something, in one, without comments. */
const joined = (files: Record<string, string>): string =>
  Object.values(files)
    .join('\n')
    .replace(/^\s*\/\/.*$/gm, '')

const page = joined(import.meta.glob<string>('../../src/**/*.{ts,svelte}', { query: '?raw', import: 'default', eager: true }))
const shell = joined(
  import.meta.glob<string>('../../../crates/desktop/**/*.rs', { query: '?raw', import: 'default', eager: true }),
)
const engine = joined(
  import.meta.glob<string>('../../../crates/{engine,rpc,transfer}/**/*.rs', { query: '?raw', import: 'default', eager: true }),
)

it('there is a folder for every language, and one for no other', () => {
  expect(tags()).toEqual([...TAGS].sort())
})

describe.each(TAGS)('%s', (tag) => {
  const { junk, twice, said } = parsed.get(tag)!

  it('is read whole, and says nothing twice', () => {
    expect(junk).toEqual([])
    expect(twice).toEqual([])
    expect(filesOf(tag)).toEqual(filesOf('en'))
  })

  it('has every sentence that English has, in the same file, and no other', () => {
    const placesOf = (those: Map<string, Said>): string[] =>
      [...those.values()]
        .filter(({ id }) => !id.startsWith('-'))
        .map(({ id, file }) => `${file} ${id}`)
        .sort()
    expect(placesOf(said)).toEqual(placesOf(inEnglish.said))
  })

  it('fills the same gaps', () => {
    for (const { id, variables } of said.values()) {
      if (!id.startsWith('-'))
        expect([id, ...[...variables].sort()]).toEqual([id, ...[...(inEnglish.said.get(id)?.variables ?? [])].sort()])
    }
  })

  it('refers only to what is there', () => {
    for (const { id, refers } of said.values())
      for (const other of refers) expect(said.has(other), `${id} refers to ${other}`).toBe(true)
  })

  it('has every plural form of the language, and no other', () => {
    const categories = [...new Intl.PluralRules(tag).resolvedOptions().pluralCategories].sort()
    for (const { id, pattern } of said.values()) {
      for (const keys of choicesIn(pattern)) {
        // Beside them, a number may have a sentence of its own.
        const forms = keys.filter((key) => !/^\d+$/.test(key))
        if (!forms.every((key) => ['zero', 'one', 'two', 'few', 'many', 'other'].includes(key))) continue
        expect([id, ...forms.sort()]).toEqual([id, ...categories])
      }
    }
  })

  it('sends nobody to a command line or into a file where a download says how it is', () => {
    for (const { id, pattern } of said.values()) {
      if (STATES.test(id))
        expect(`${id}: ${textOf(pattern)}`).not.toMatch(/`|= "|ca-certificate|total-timeout-seconds|local-for-programs/)
    }
  })

  it('is calm, and has no tags', () => {
    for (const { id, pattern } of said.values()) expect(id + textOf(pattern)).not.toMatch(/[!！¡<>]/)
  })
})

describe('every sentence', () => {
  const referred = new Set([...inEnglish.said.values()].flatMap(({ refers }) => [...refers]))

  it('is said by the page or by the shell', () => {
    for (const { id, file } of inEnglish.said.values()) {
      // Those of the engine are found by their code; another test holds them against it.
      if (file === 'troubles.ftl' && id.startsWith('trouble-')) continue
      const isSaid = referred.has(id) || page.includes(`'${id}'`) || shell.includes(`"${id}"`)
      expect(isSaid, `${file}: ${id} is not said anywhere`).toBe(true)
    }
  })

  it('that the page says is there, with the values that it takes', () => {
    const calls = [...page.matchAll(/\bsay\(\s*'([^']+)'(?:,\s*\{([^}]*)\})?/g)]
    expect(calls.length).toBeGreaterThan(100)
    for (const [call, id = '', given = ''] of calls) {
      // What a call takes is its own affair.
      const names = given
        .replaceAll(/\([^()]*\)/g, '')
        .split(',')
        .map((one) => one.split(':')[0]!.trim())
        .filter((one) => /^\w+$/.test(one))
      const wanted = inEnglish.said.get(id)
      expect(wanted, `${id} is no message`).toBeDefined()
      expect(names.sort(), call).toEqual([...wanted!.variables].sort())
    }
  })

  it('that the window has a word for is there', () => {
    const walk = (words: object): string[] =>
      Object.values(words).flatMap((value) =>
        typeof value === 'string' ? [value] : typeof value === 'object' && value !== null ? walk(value) : [],
      )
    for (const word of walk({ words, settingWords, SETTING_WORDS, KEY_GROUPS, KEY_LINES })) {
      // An id that nobody has is shown as it is.
      expect(english.pattern(word), word).toBeNull()
      expect(word).not.toMatch(/^[a-z]+(-[a-z]+)+(\.[a-z-]+)?$/)
    }
  })

  it('of the shell is there', () => {
    for (const [, id = ''] of shell.matchAll(/(?<!\.)\bsay\(\s*"([^"]+)"/g))
      expect(inEnglish.said.has(id), `${id} is no message`).toBe(true)
  })
})

describe('the sentences of the engine', () => {
  // Written over two lines, with its quotes, and with what one of them puts together.
  const written = (engine + shell)
    .replaceAll(/\\\n\s*/g, '')
    .replaceAll('\\"', '"')
    .replaceAll('{till}', ' until {until}')
  const rust = written.replaceAll('{more}', '') + written.replaceAll('{more}', ', and this needs {} more')

  it('are recognised by what it really says', () => {
    for (const { id, variables, file } of inEnglish.said.values()) {
      if (file !== 'troubles.ftl' || !id.startsWith('trouble-')) continue
      const text = english.say(id, Object.fromEntries([...variables].map((name) => [name, '\u0000'])))
      for (const piece of text.split('\u0000')) {
        if (piece.length < 4) continue
        expect(rust.includes(piece), `${id}: nobody says “${piece}”`).toBe(true)
      }
    }
  })
})

function choicesIn(pattern: Said['pattern']): string[][] {
  const found: string[][] = []
  class Choices extends Visitor {
    override visitSelectExpression(one: SelectExpression): void {
      found.push(one.variants.map(({ key }) => (key.type === 'Identifier' ? key.name : key.value)))
      this.genericVisit(one)
    }
  }
  new Choices().visit(pattern)
  return found
}

function textOf(pattern: Said['pattern']): string {
  let text = ''
  class Text extends Visitor {
    override visitTextElement(one: { value: string }): void {
      text += one.value
    }
  }
  new Text().visit(pattern)
  return text
}
