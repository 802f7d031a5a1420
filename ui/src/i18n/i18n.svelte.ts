// The language that the page speaks. Everything that says something reads it, so that another one shows at once.
import { apart, type Arguments, Catalogue } from './catalogue'
import { type Language, languageOf } from './languages'

const FILES = import.meta.glob<string>(['../../../locales/*/*.ftl', '!../../../locales/en/*', '!../../../locales/*/shell.ftl'], {
  query: '?raw',
  import: 'default',
})
const ENGLISH_FILES = import.meta.glob<string>(['../../../locales/en/*.ftl', '!../../../locales/en/shell.ftl'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Always there: what it says is in the page, and others that lack a sentence have its. */
export const english = new Catalogue(languageOf('en', []), Object.values(ENGLISH_FILES))

let current = $state.raw(english)
let asked = 0

export function say(id: string, values?: Arguments): string {
  return current.say(id, values)
}

/** The catalogue of now. */
export function catalogue(): Catalogue {
  return current
}

export function language(): Language {
  return current.language
}

/** Facts beside each other. */
export function list(...facts: (string | false | null | undefined)[]): string {
  const said = facts.filter((fact): fact is string => Boolean(fact))
  const isTurned = said.length > 1 && current.language.direction === 'rtl'
  return (isTurned ? said.map(apart) : said).join(' · ')
}

/** Changes to the language of a setting: `auto`, or a tag. One that cannot be loaded changes nothing. */
export async function speak(setting: string): Promise<void> {
  const turn = ++asked
  const wanted = languageOf(setting, globalThis.navigator?.languages ?? [])
  const { tag, formats } = current.language
  if (wanted.tag === tag && wanted.formats === formats) return
  const sources = wanted.tag === 'en' ? Object.values(ENGLISH_FILES) : await load(wanted.tag)
  // Somebody chose yet another one meanwhile.
  if (turn === asked) current = new Catalogue(wanted, sources, english)
}

function load(tag: string): Promise<string[]> {
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

/** The same object, but every id in it is what it says in the language of the moment it is read. */
export function spoken<const Ids extends object>(ids: Ids): Spoken<Ids> {
  const words = {}
  for (const [name, value] of Object.entries(ids) as [string, unknown][]) {
    const nested = typeof value === 'object' && value !== null ? spoken(value) : value
    const get = typeof value === 'string' ? () => say(value) : () => nested
    Object.defineProperty(words, name, { enumerable: true, get })
  }
  return words as Spoken<Ids>
}
