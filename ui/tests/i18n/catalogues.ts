// Parses the Fluent files of the repository for tests.
import { type Attribute, type Entry, FluentParser, type Message, type Pattern, type Term, Visitor } from '@fluent/syntax'

const FILES = import.meta.glob<string>('../../../locales/*/*.ftl', { query: '?raw', import: 'default', eager: true })

export interface Said {
  /** Id in one of the forms `message`, `message.attribute` or `-term`. */
  id: string
  file: string
  pattern: Pattern
  /** Variables, including those of referenced messages. */
  variables: Set<string>
  /** Referenced messages and terms. */
  refers: Set<string>
}

export interface Parsed {
  tag: string
  /** Entries that do not parse. */
  junk: string[]
  /** Duplicate ids. */
  twice: string[]
  said: Map<string, Said>
}

const placeOf = (path: string): string[] => path.split('/').slice(-2)

/** Languages that have a folder. */
export const tags = (): string[] => [...new Set(Object.keys(FILES).map((path) => placeOf(path)[0]!))].sort()
export const filesOf = (tag: string): string[] =>
  Object.keys(FILES)
    .map(placeOf)
    .flatMap(([folder, file]) => (folder === tag ? [file!] : []))
    .sort()
export const sourceOf = (tag: string, file: string): string => FILES[`../../../locales/${tag}/${file}`] ?? ''

export function parse(tag: string): Parsed {
  const parsed: Parsed = { tag, junk: [], twice: [], said: new Map() }
  for (const file of filesOf(tag)) {
    for (const entry of new FluentParser().parse(sourceOf(tag, file)).body) add(parsed, file, entry)
  }
  for (const said of parsed.said.values()) for (const name of reached(parsed, said.refers)) said.variables.add(name)
  return parsed
}

function add(parsed: Parsed, file: string, entry: Entry): void {
  if (entry.type === 'Junk') parsed.junk.push(`${file}: ${(entry as { content: string }).content}`)
  if (entry.type !== 'Message' && entry.type !== 'Term') return
  const { id, value, attributes } = entry as Message | Term
  const name = entry.type === 'Term' ? `-${id.name}` : id.name
  const parts: [string, Pattern | null][] = [
    [name, value],
    ...attributes.map((one: Attribute): [string, Pattern] => [`${name}.${one.id.name}`, one.value]),
  ]
  for (const [whole, pattern] of parts) {
    if (pattern === null) continue
    if (parsed.said.has(whole)) parsed.twice.push(whole)
    parsed.said.set(whole, { id: whole, file, pattern, ...namesIn(pattern) })
  }
}

function namesIn(pattern: Pattern): Pick<Said, 'variables' | 'refers'> {
  const names = { variables: new Set<string>(), refers: new Set<string>() }
  class Names extends Visitor {
    override visitVariableReference(one: { id: { name: string } }): void {
      names.variables.add(one.id.name)
    }
    override visitMessageReference(one: { id: { name: string }; attribute?: { name: string } | null }): void {
      names.refers.add(one.attribute ? `${one.id.name}.${one.attribute.name}` : one.id.name)
    }
    override visitTermReference(one: { id: { name: string } }): void {
      names.refers.add(`-${one.id.name}`)
    }
  }
  new Names().visit(pattern)
  return names
}

function reached(parsed: Parsed, refers: Iterable<string>): string[] {
  return [...refers].flatMap((id) => {
    const said = parsed.said.get(id)
    return said === undefined ? [] : [...said.variables, ...reached(parsed, said.refers)]
  })
}
