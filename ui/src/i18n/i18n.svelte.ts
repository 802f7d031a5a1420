// Language of the page. Every text reads this state, so a change of the language is visible immediately.
import { apart, type Arguments, Catalogue } from './catalogue'
import { type Language, languageOf } from './languages'

const FILES = import.meta.glob<string>(
  ['../../../locales/*/*.ftl', '!../../../locales/en/*', '!../../../locales/*/{shell,cli,help,extension}.ftl'],
  {
    query: '?raw',
    import: 'default',
  },
)
const ENGLISH_FILES = import.meta.glob<string>(
  ['../../../locales/en/*.ftl', '!../../../locales/en/{shell,cli,help,extension}.ftl'],
  {
    query: '?raw',
    import: 'default',
    eager: true,
  },
)

/** English catalogue, part of the page; fallback for messages that another language lacks. */
export const english = new Catalogue(languageOf('en', []), Object.values(ENGLISH_FILES))

let current = $state.raw(english)
let asked = 0
/** Messages by language that a newer engine sent, because this page does not contain them. */
const newer = new Map<string, string>()

export function say(id: string, values?: Arguments): string {
  return current.say(id, values)
}

/** Current catalogue. */
export function catalogue(): Catalogue {
  return current
}

export function language(): Language {
  return current.language
}

/** Joins facts with a separator, leaving out empty ones. */
export function list(...facts: (string | false | null | undefined)[]): string {
  const said = facts.filter((fact): fact is string => Boolean(fact))
  const isTurned = said.length > 1 && current.language.direction === 'rtl'
  return (isTurned ? said.map(apart) : said).join(' · ')
}

/** Switches to the language of a setting: `auto` or a tag. Rejects without a change if the language cannot be loaded. */
export async function speak(setting: string): Promise<void> {
  const turn = ++asked
  const wanted = languageOf(setting, globalThis.navigator?.languages ?? [])
  const { tag, formats } = current.language
  if (wanted.tag === tag && wanted.formats === formats) return
  const sources = await load(wanted.tag)
  // Drop the result if the language has changed in the meantime.
  if (turn === asked) current = new Catalogue(wanted, sources, english, newer.get(wanted.tag))
}

/** Adds sentences of a newer engine to the language `tag`, now and whenever the page returns to that language. */
export async function addSentences(tag: string, source: string): Promise<void> {
  newer.set(tag, source)
  const sources = await load(tag)
  if (current.language.tag === tag) current = new Catalogue(current.language, sources, english, source)
}

async function load(tag: string): Promise<string[]> {
  if (tag === 'en') return Object.values(ENGLISH_FILES)
  const files = Object.entries(FILES).filter(([path]) => path.includes(`/${tag}/`))
  return Promise.all(files.map(([, read]) => read()))
}

type Spoken<Ids> = {
  readonly [Name in keyof Ids]: Ids[Name] extends string
    ? string
    : Ids[Name] extends (...values: never[]) => unknown
      ? Ids[Name]
      : Spoken<Ids[Name]>
}

/** Returns `ids` with a getter in place of every message id. The getter formats the message in the current language. */
export function spoken<const Ids extends object>(ids: Ids): Spoken<Ids> {
  const words = {}
  for (const [name, value] of Object.entries(ids) as [string, unknown][]) {
    const nested = typeof value === 'object' && value !== null ? spoken(value) : value
    const get = typeof value === 'string' ? () => say(value) : () => nested
    Object.defineProperty(words, name, { enumerable: true, get })
  }
  return words as Spoken<Ids>
}
