// Calls in JSON-RPC 2.0 that wait for their answers. [pure]
import { Failure, type UserMessage } from '../api'

/** Message from the server: an answer, or a notification with a `method`. */
export interface Incoming {
  readonly id?: unknown
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly message?: string; readonly data?: UserMessage }
}

interface Pending {
  readonly text: string
  readonly resolve: (answer: unknown) => void
  readonly reject: (failure: Failure) => void
}

export class PendingCalls {
  readonly #pending = new Map<number, Pending>()
  #last = 0

  get size(): number {
    return this.#pending.size
  }

  /** Texts of all calls, in order. */
  get texts(): string[] {
    return [...this.#pending.values()].map(({ text }) => text)
  }

  /** Adds a call. Returns its text, and the promise of its answer. */
  add<Answer>(method: string, params?: unknown): { text: string; answer: Promise<Answer> } {
    const id = ++this.#last
    const text = JSON.stringify({ jsonrpc: '2.0', id, method, params })
    const answer = new Promise<Answer>((resolve, reject) => {
      this.#pending.set(id, { text, resolve: resolve as (answer: unknown) => void, reject })
    })
    return { text, answer }
  }

  /** Settles the call that `message` answers. */
  settle({ id, result, error }: Incoming): void {
    const pending = typeof id === 'number' ? this.#pending.get(id) : undefined
    if (pending === undefined) return
    this.#pending.delete(id as number)
    if (error === undefined) pending.resolve(result ?? null)
    else pending.reject(Failure.of(error.data ?? error.message ?? ''))
  }

  rejectAll(failure: () => Failure): void {
    const all = [...this.#pending.values()]
    this.#pending.clear()
    for (const { reject } of all) reject(failure())
  }
}

/** Parses a frame; null if it is not a message. */
export function read(frame: unknown): Incoming | null {
  try {
    const message: unknown = JSON.parse(String(frame))
    return typeof message === 'object' && message !== null ? message : null
  } catch {
    return null
  }
}
