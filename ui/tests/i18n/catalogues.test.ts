import { type SelectExpression, Visitor } from '@fluent/syntax'
import { describe, expect, it } from 'vitest'

import { KEY_GROUPS, KEY_LINES } from '../../src/keyboard/key-labels'
import { words } from '../../src/i18n/labels'
import { SETTING_WORDS, settingWords } from '../../src/settings/setting-labels'
import { syncWords } from '../../src/sync/sync-labels'
import { LANGUAGES, languageOf } from '../../src/i18n/languages'
import { Catalogue } from '../../src/i18n/catalogue'
import { english } from '../../src/i18n/i18n.svelte'
import { OF_OPERATIONS } from '../../src/mock/errors'
import { filesOf, parse, type Said, sourceOf, tags } from './catalogues'

/** Messages that a row shows for a failed or waiting download. Refused commands have other messages. */
const STATES = new RegExp(
  `^message-(${[
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

/** Joins the sources that may use messages into one text, without line comments. */
const joined = (files: Record<string, string>): string =>
  Object.values(files)
    .join('\n')
    .replace(/^\s*\/\/.*$/gm, '')

const page = joined(
  import.meta.glob<string>(['../../src/**/*.{ts,svelte}', '!**/generated/**'], { query: '?raw', import: 'default', eager: true }),
)
/** The sources of the extension refer to the messages of its manifest in the form of `messages.json`. */
const extension = joined(
  import.meta.glob<string>(['../../../extension/src/**/*.ts', '../../../extension/manifest.json'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
)
const isSaidByExtension = (id: string): boolean =>
  extension.includes(`'${id}'`) || extension.includes(`__MSG_${id.replaceAll('-', '_')}__`)
const shell = joined(
  import.meta.glob<string>('../../../crates/{desktop,cli,messages}/**/*.rs', { query: '?raw', import: 'default', eager: true }),
)
const RUST = import.meta.glob<string>(
  ['../../../crates/{engine,transfer,sync,rpc,browser,remote,desktop,cli,messages}/src/**/*.rs', '!**/tests/**', '!**/*tests.rs'],
  { query: '?raw', import: 'default', eager: true },
)
const rust = joined(RUST)
const withoutTests = joined(
  Object.fromEntries(
    Object.entries(RUST).map(([path, source]) => [path, source.split(/#\[cfg\(test\)\]\n(?:pub(?:\([^)]*\))? )?mod tests/)[0]!]),
  ),
)

it('every language has a folder, and no other folder exists', () => {
  expect(tags()).toEqual([...TAGS].sort())
})

describe.each(TAGS)('%s', (tag) => {
  const { junk, twice, said } = parsed.get(tag)!

  it('the catalogue parses without errors or duplicate ids', () => {
    expect(junk).toEqual([])
    expect(twice).toEqual([])
    expect(filesOf(tag)).toEqual(filesOf('en'))
  })

  it('the catalogue has the same messages in the same files as the English catalogue', () => {
    const placesOf = (those: Map<string, Said>): string[] =>
      [...those.values()]
        .filter(({ id }) => !id.startsWith('-'))
        .map(({ id, file }) => `${file} ${id}`)
        .sort()
    expect(placesOf(said)).toEqual(placesOf(inEnglish.said))
  })

  it('each message uses the same variables as its English version', () => {
    for (const { id, variables } of said.values()) {
      if (!id.startsWith('-'))
        expect([id, ...[...variables].sort()]).toEqual([id, ...[...(inEnglish.said.get(id)?.variables ?? [])].sort()])
    }
  })

  it('messages refer only to existing messages', () => {
    for (const { id, refers } of said.values())
      for (const other of refers) expect(said.has(other), `${id} refers to ${other}`).toBe(true)
  })

  it('messages have exactly the plural forms of the language', () => {
    const categories = [...new Intl.PluralRules(tag).resolvedOptions().pluralCategories].sort()
    for (const { id, pattern } of said.values()) {
      for (const keys of choicesIn(pattern)) {
        // Ignore variants for exact numbers, which are permitted in addition to the plural forms.
        const forms = keys.filter((key) => !/^\d+$/.test(key))
        if (!forms.every((key) => ['zero', 'one', 'two', 'few', 'many', 'other'].includes(key))) continue
        expect([id, ...forms.sort()]).toEqual([id, ...categories])
      }
    }
  })

  it('status messages of downloads mention no command or settings key', () => {
    for (const { id, pattern } of said.values()) {
      if (STATES.test(id) && !OF_OPERATIONS.test(id))
        expect(`${id}: ${textOf(pattern)}`).not.toMatch(/`|= "|ca-certificate|total-timeout-seconds|local-for-programs/)
    }
  })

  it('messages of sync mention no command, because window and command line show them', () => {
    for (const { id, pattern } of said.values()) {
      if (/^message-(sync-|wrong-state\.syncing$)/.test(id)) expect(`${id}: ${textOf(pattern)}`).not.toContain('`')
    }
  })

  it('the catalogue contains no exclamation marks or tags', () => {
    for (const { id, pattern } of said.values()) expect(id + textOf(pattern)).not.toMatch(/[!！¡<>]/)
  })
})

const referred = new Set([...inEnglish.said.values()].flatMap(({ refers }) => [...refers]))

describe('every message', () => {
  it('every message is used by the page or the shell', () => {
    for (const { id, file } of inEnglish.said.values()) {
      // Skip engine messages, which are selected by their code. Another test compares them with the engine.
      if (file === 'messages.ftl' && /^(message|day)-/.test(id)) continue
      // Skip the help, whose ids are derived from the subcommands and arguments. A test of the command line compares
      // these.
      if (file === 'help.ftl') continue
      const isSaid = referred.has(id) || page.includes(`'${id}'`) || shell.includes(`"${id}"`) || isSaidByExtension(id)
      expect(isSaid, `${file}: ${id} is not said anywhere`).toBe(true)
    }
  })

  it('every message that the page uses exists, and the page passes exactly its variables', () => {
    const calls = [...page.matchAll(/\bsay\(\s*'([^']+)'(?:,\s*\{([^}]*)\})?/g)]
    expect(calls.length).toBeGreaterThan(100)
    for (const [call, id = '', given = ''] of calls) {
      // Ignore the arguments of nested calls.
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

  it('every message to which a label object refers exists', () => {
    const walk = (words: object): string[] =>
      Object.values(words).flatMap((value) =>
        typeof value === 'string' ? [value] : typeof value === 'object' && value !== null ? walk(value) : [],
      )
    for (const word of walk({ words, settingWords, SETTING_WORDS, syncWords, KEY_GROUPS, KEY_LINES })) {
      // Look up the pattern. A translation lookup would return an unknown id unchanged.
      expect(english.pattern(word), word).toBeNull()
      expect(word).not.toMatch(/^[a-z]+(-[a-z]+)+(\.[a-z-]+)?$/)
    }
  })

  it('every message that the shell uses exists', () => {
    for (const [, id = ''] of shell.matchAll(/\b(?:say|words)!\(\s*"([a-z][\w.-]*)"/g))
      expect(inEnglish.said.has(id), `${id} is no message`).toBe(true)
  })
})

describe('the messages of the engine', () => {
  const messages = [...inEnglish.said.values()].filter(({ file, id }) => file === 'messages.ftl' && id.startsWith('message-'))

  it('every message of the engine is created by at least one program', () => {
    for (const { id } of messages) {
      const name = id.slice('message-'.length)
      const variant = name.split('.')[1]
      // Search for the variant too, because a few messages are selected only by their variant.
      const isMade =
        referred.has(id) ||
        page.includes(`'${name}'`) ||
        rust.includes(`"${name}"`) ||
        (variant !== undefined && rust.includes(`"${variant}"`))
      expect(isMade, `no program makes ${name}`).toBe(true)
    }
  })
})

describe('text of a catalogue', () => {
  const all = new Catalogue(
    languageOf('en', []),
    filesOf('en').map((file) => sourceOf('en', file)),
  )
  /** Minimum number of words of a whole text. Shorter labels also occur as words of names and formats. */
  const WHOLE = 3
  /** Minimum number of words of a part between variables. Shorter parts also occur as phrases in other sentences. */
  const PART = 4
  const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
  /** Parts of the texts, split at the variables. Contains only parts long enough to be recognised in the source code. */
  const pieces = [...inEnglish.said.values()]
    .filter(({ id }) => !id.startsWith('-'))
    .flatMap(({ id, variables }) => {
      const text = all.say(id, Object.fromEntries([...variables].map((name) => [name, '\u0000'])))
      return text
        .split('\u0000')
        .map(plain)
        .filter((piece, _, all) => piece.split(' ').length >= (all.length === 1 ? WHOLE : PART))
        .map((piece) => ({ id, piece }))
    })

  it('the texts of the catalogue are not duplicated in the source code', () => {
    // Compare only string literals and the texts of components, because comments may use the same words.
    const unescaped = (source: string): string =>
      source
        .replaceAll(/\\\n\s*/g, '')
        .replaceAll('\\"', "'")
        .replaceAll(/\/\*.*?\*\/|<!--.*?-->/gs, '')
    const literals = [
      ...[...unescaped(withoutTests).matchAll(/"([^"\n]*)"/g)].map(([, text = '']) => text),
      ...[...unescaped(page).matchAll(/'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`|>([^<>{}]+)</g)].map((found) => found.slice(1).join('')),
    ].map(plain)
    const sources = literals.filter((text) => text.split(' ').length >= WHOLE).join('\n')
    expect(pieces.length).toBeGreaterThan(800)
    const twice = pieces.filter(({ piece }) => sources.includes(piece))
    expect(twice).toEqual([])
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
