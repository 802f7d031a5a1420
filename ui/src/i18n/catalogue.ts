// The sentences of one language, from its Fluent files, with English below it. [pure]
import { FluentBundle, FluentResource } from '@fluent/bundle'

import type { Language } from './languages'

export type Arguments = Readonly<Record<string, string | number>>

type Pattern = Parameters<FluentBundle['formatPattern']>[0]

/** Anything that is written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/

export class Catalogue {
  readonly language: Language
  readonly #bundle: FluentBundle
  readonly #below: Catalogue | null

  constructor(language: Language, sources: readonly string[], below: Catalogue | null = null) {
    this.language = language
    this.#below = below
    // From left to right only what goes the other way has to be kept apart, and `say` does that.
    this.#bundle = new FluentBundle(language.formats, { useIsolating: language.direction === 'rtl' })
    for (const source of sources) this.#bundle.addResource(new FluentResource(source))
  }

  /** `id` names a message, or one of its attributes as `message.attribute`. One that nobody has is shown as it is. */
  say(id: string, values: Arguments = {}): string {
    const pattern = this.pattern(id)
    if (pattern === null) return this.#below?.say(id, values) ?? id
    // A sentence with a gap is still better than none.
    const errors: Error[] = []
    return this.#bundle.formatPattern(pattern, this.#isolated(values), errors)
  }

  pattern(id: string): Pattern | null {
    const [message = '', attribute] = id.split('.')
    const found = this.#bundle.getMessage(message)
    return (attribute === undefined ? found?.value : found?.attributes[attribute]) ?? null
  }

  /** The message itself, where it has a value, and its attributes. */
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

/** Text of the other direction turns nothing around that stands beside it. */
function isolated(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? apart(text) : text
}

/** Its direction follows from itself alone. */
export function apart(text: string): string {
  return `\u2068${text}\u2069`
}
