// Simulated power action after all downloads have finished. `?afterwards=sleep&seconds=42` starts with a countdown.
import type { Afterwards, PowerActionKind, Unsubscribe } from '../api/api'

export class PretendedPowerAction {
  readonly #answer: (verb: string) => Promise<void>
  readonly #listeners = new Set<(now: Afterwards) => void>()
  #now: Afterwards

  constructor(parameters: URLSearchParams, answer: (verb: string) => Promise<void>) {
    this.#answer = answer
    const left = parameters.get('seconds')
    this.#now = {
      then: (parameters.get('afterwards') ?? 'nothing') as PowerActionKind,
      seconds: left === null ? null : Number(left),
    }
  }

  async follow(listener: (now: Afterwards) => void): Promise<Unsubscribe> {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async read(): Promise<Afterwards> {
    return this.#now
  }

  async choose(then: PowerActionKind): Promise<void> {
    await this.#answer('afterwards')
    this.#now = { then, seconds: null }
    for (const listener of this.#listeners) listener(this.#now)
  }
}
