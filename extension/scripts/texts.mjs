// Converts messages of the Fluent catalogues into the `messages.json` of the extension.
//
// - A message of `extension.ftl` is always converted; a message of another file only if the sources name it.
// - `messages.json` has no plural forms. A message with a choice becomes one entry per variant: `id__one`, `id__other`.
// - Variables become `$1`, `$2`, … in the order of their names. `src/language/say.ts` relies on both rules.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FluentParser } from '@fluent/syntax'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const locales = join(root, '../locales')

export const TAGS = readdirSync(locales, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort()

/** Messages, attributes and terms of a language by id, each with its file. */
function catalogueOf(tag) {
  const found = new Map()
  for (const file of readdirSync(join(locales, tag)).sort()) {
    for (const entry of new FluentParser().parse(readFileSync(join(locales, tag, file), 'utf8')).body) {
      if (entry.type !== 'Message' && entry.type !== 'Term') continue
      const id = entry.type === 'Term' ? `-${entry.id.name}` : entry.id.name
      if (entry.value) found.set(id, { file, pattern: entry.value })
      for (const { id: name, value } of entry.attributes) found.set(`${id}.${name.name}`, { file, pattern: value })
    }
  }
  return found
}

/** Text of all sources that can name a message. */
const sources = ['src', 'static']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|html)$/.test(entry.name))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
  )
  .join('\n')

const isNamed = (id) => sources.includes(`'${id}'`) || sources.includes(`"${id}"`)

/** Ids of the messages that the extension uses. */
export function idsOf(catalogue) {
  return [...catalogue]
    .filter(([id, { file }]) => !id.startsWith('-') && (file === 'extension.ftl' || isNamed(id)))
    .map(([id]) => id)
}

export const keyOf = (id, variant) => id.replaceAll('-', '_').replace('.', '__') + (variant === undefined ? '' : `__${variant}`)

/** Content of `messages.json` for one language. */
export function textsOf(tag) {
  const catalogue = catalogueOf(tag)
  const messages = { language_tag: { message: tag } }
  for (const id of idsOf(catalogue).sort()) {
    for (const [variant, text] of variantsOf(catalogue, id)) messages[keyOf(id, variant)] = entryOf(text)
  }
  return messages
}

/** Returns the variants of a message, each as parts: strings and variables. A message without a choice has one variant. */
function variantsOf(catalogue, id) {
  let variants = [[undefined, []]]
  const append = (part) => variants.forEach(([, parts]) => parts.push(part))
  const visit = (pattern) => {
    for (const element of pattern.elements) {
      if (element.type === 'TextElement') append(element.value)
      else visitExpression(element.expression)
    }
  }
  const visitExpression = (expression) => {
    if (expression.type === 'StringLiteral') append(expression.parse().value)
    else if (expression.type === 'NumberLiteral') append(expression.value)
    else if (expression.type === 'Placeable') visitExpression(expression.expression)
    else if (expression.type === 'VariableReference') append({ variable: expression.id.name })
    else if (expression.type === 'MessageReference' || expression.type === 'TermReference') {
      const name = expression.id.name + (expression.attribute ? `.${expression.attribute.name}` : '')
      visit(catalogue.get(expression.type === 'TermReference' ? `-${name}` : name).pattern)
    } else if (expression.type === 'SelectExpression') {
      if (variants.length > 1 || variants[0][0] !== undefined) throw new Error(`${id} chooses twice, which messages.json cannot.`)
      const before = variants[0][1]
      const chosen = expression.variants.map(({ key, value, default: isDefault }) => {
        variants = [[key.name ?? key.value, [...before]]]
        visit(value)
        return { variant: variants[0], isDefault }
      })
      // A value without its own variant gets the default variant. The key of the default is `other`, as for numbers.
      const fallback = chosen.find(({ isDefault }) => isDefault).variant
      variants = chosen.map(({ variant }) => variant)
      if (!variants.some(([key]) => key === 'other')) variants.push(['other', [...fallback[1]]])
    } else throw new Error(`${id} uses ${expression.type}, which messages.json cannot.`)
  }
  visit(catalogue.get(id).pattern)
  return variants
}

function entryOf(parts) {
  const names = [...new Set(parts.flatMap((part) => (typeof part === 'string' ? [] : [part.variable])))].sort()
  const message = parts.map((part) => (typeof part === 'string' ? part.replaceAll('$', '$$$$') : `$${part.variable}$`)).join('')
  const placeholders = Object.fromEntries(names.map((name, at) => [name, { content: `$${at + 1}` }]))
  return names.length === 0 ? { message } : { message, placeholders }
}
