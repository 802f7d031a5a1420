// Messages of the engine in the language of the page. A message consists of a code, a variant and arguments. The
// catalogue contains the sentences. If a sentence is missing, the message comes from a newer engine, and the page
// requests the engine's sentences once.
import type { MessageArgument } from '../api/generated/MessageArgument'
import type { UserMessage } from '../api/generated/UserMessage'
import { apart, type Catalogue } from './catalogue'
import { addSentences, catalogue, english } from './i18n.svelte'
import { size } from './format'

/** Message with its English text; the same structure as `UserMessage` in the engine. */
export interface Message {
  code: string
  variant?: string | null
  args?: { readonly [name: string]: MessageArgument | undefined } | null
  text: string
}

/** Returns the Fluent source of the engine's sentences in a language. */
export type SentenceSource = (tag: string) => Promise<string>

let source: SentenceSource | null = null
const requested = new Set<string>()

/** Sets the engine as the source of sentences that this page lacks. */
export function requestSentencesFrom(next: SentenceSource): void {
  source = next
  requested.clear()
}

/** Id of the message's sentence in the catalogue. */
export function messageId({ code, variant }: Pick<Message, 'code' | 'variant'>): string {
  return variant ? `message-${code}.${variant}` : `message-${code}`
}

/** Whole text of the message, including how to solve the problem. */
export function sentence(message: Message): string {
  const current = catalogue()
  const rendered = render(current, message)
  if (rendered !== null) return rendered
  if (message.code !== '') requestSentences(current.language.tag)
  return current.language.direction === 'rtl' ? apart(message.text) : message.text
}

/**
 * First sentence in a form that can follow a colon: without a full stop, and in lower case if the language allows
 * lower case.
 */
export function clause(message: Message): string {
  const text = sentence(message)
  const first = /^.*?(?:[.!?؟।](?=[\s\u2069]|$)|[。！？])/u.exec(text)?.[0] ?? text
  const bare = first.replace(/[.!?؟।。！？]$/u, '')
  const { tag } = catalogue().language
  // German sentences keep their initial capital. In all languages, names and abbreviations keep their capitals.
  const keeps = tag === 'de' || !/^\p{Lu}[^\p{Lu}]/u.test(bare) || bare.startsWith('Ashore')
  return keeps ? bare : bare[0]!.toLocaleLowerCase() + bare.slice(1)
}

/**
 * Formats the sentence. Null if the catalogue lacks the sentence or the message lacks a value, because another
 * version created the message.
 */
function render(current: Catalogue, { code, variant, args }: Pick<Message, 'code' | 'variant' | 'args'>): string | null {
  const values: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(args ?? {})) {
    const rendered = value === undefined ? null : renderArgument(current, value)
    if (rendered !== null) values[name] = rendered
  }
  return current.complete(messageId({ code, variant }), values)
}

/** Formats a value of a message; null for a kind of value that only a newer engine knows. */
function renderArgument(current: Catalogue, value: MessageArgument): string | number | null {
  if (typeof value !== 'object') return value
  if ('bytes' in value) return size(value.bytes)
  if ('day' in value) return `${current.has(`day-${value.day}`) ? current.say(`day-${value.day}`) : value.day} ${value.time}`
  if ('code' in value) return render(current, value) ?? value.text
  return null
}

/** Requests the sentences of a newer engine, once for each language. The English text is shown until they arrive. */
function requestSentences(tag: string): void {
  if (source === null || requested.has(tag)) return
  requested.add(tag)
  source(tag).then(
    (sentences) => addSentences(tag, sentences),
    // Keep the English text: the engine cannot be reached, or it is too old for this request.
    () => undefined,
  )
}

/** Message of the engine with its English text, for the simulated engine. */
export function inEnglish(id: string, args: NonNullable<UserMessage['args']> = {}): UserMessage {
  const [code = '', variant] = id.split('.')
  return { code, ...(variant !== undefined && { variant }), args, text: render(english, { code, variant, args }) ?? id }
}
