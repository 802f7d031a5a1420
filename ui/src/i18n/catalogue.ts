// Messages of one language from its Fluent files, with a fallback catalogue. [pure]
import { FluentBundle, FluentResource } from '@fluent/bundle'

import type { Language } from './languages'

export type Arguments = Readonly<Record<string, string | number>>

type Pattern = Parameters<FluentBundle['formatPattern']>[0]

/** Matches any right-to-left character. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/

export class Catalogue {
  readonly language: Language
  readonly #bundle: FluentBundle
  readonly #below: Catalogue | null

  /** `newer` contains the sentences of a newer engine, which replace those in `sources`. */
  constructor(language: Language, sources: readonly string[], below: Catalogue | null = null, newer: string | null = null) {
    this.language = language
    this.#below = below
    // In left-to-right languages, only right-to-left values need isolation, which `say` adds.
    this.#bundle = new FluentBundle(language.formats, { useIsolating: language.direction === 'rtl' })
    for (const source of sources) this.#bundle.addResource(new FluentResource(source))
    if (newer !== null) this.#bundle.addResource(new FluentResource(newer), { allowOverrides: true })
  }

  /** Formats message `id` or an attribute `message.attribute`. An unknown id is returned unchanged. */
  say(id: string, values: Arguments = {}): string {
    const pattern = this.pattern(id)
    if (pattern === null) return this.#below?.say(id, values) ?? id
    // Collect errors instead of throwing: a sentence with a missing value is better than no sentence.
    const errors: Error[] = []
    return this.#bundle.formatPattern(pattern, this.#isolated(values), errors)
  }

  /** Formats the message; null if no language has the message, or if a placeholder has no value. */
  complete(id: string, values: Arguments): string | null {
    const pattern = this.pattern(id)
    if (pattern === null) return this.#below?.complete(id, values) ?? null
    const errors: Error[] = []
    const text = this.#bundle.formatPattern(pattern, this.#isolated(values), errors)
    return errors.length === 0 ? text : null
  }

  pattern(id: string): Pattern | null {
    const [message = '', attribute] = id.split('.')
    const found = this.#bundle.getMessage(message)
    return (attribute === undefined ? found?.value : found?.attributes[attribute]) ?? null
  }

  /** Whether the sentence exists in this language or in the English fallback. */
  has(id: string): boolean {
    return this.pattern(id) !== null || (this.#below?.has(id) ?? false)
  }

  /** Ids of the message itself, if it has a value, and of its attributes. */
  idsOf(message: string): string[] {
    const found = this.#bundle.getMessage(message)
    if (found === undefined) return []
    return [
      ...(found.value === null ? [] : [message]),
      ...Object.keys(found.attributes).map((attribute) => `${message}.${attribute}`),
    ]
  }

  #isolated(values: Arguments): Arguments {
    if (this.language.direction === 'rtl') return values
    return Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? isolated(value) : value]),
    )
  }
}

/** Isolates right-to-left text, so that it does not reorder its surroundings. */
function isolated(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? apart(text) : text
}

/** Isolates `text`, so that its direction is determined by its own content. */
export function apart(text: string): string {
  return `\u2068${text}\u2069`
}
