// Registrations of the simulated engine: look-up, order and search.
import { refused } from './errors'
import { Haystack } from '../list/data/search-index'
import { type Place } from '../api/api'
import type { Pretended } from './registrations'

const MOST_FOUND = 10_000

export class PretendedList {
  readonly #all = new Map<string, Pretended>()
  /** Registrations, newest first, with their search index. Cached, because building the index blocks the page. */
  #ordered: { all: Pretended[]; words: Haystack } | null = null

  constructor(made: readonly Pretended[]) {
    for (const pretended of made) this.#all.set(pretended.registration.unique_id, pretended)
  }

  add(pretended: Pretended): void {
    this.#all.set(pretended.registration.unique_id, pretended)
    this.#ordered = null
  }

  remove(uniqueId: string): void {
    this.#all.delete(uniqueId)
    this.#ordered = null
  }

  /** Drops the cache after a change of title. */
  renamed(): void {
    this.#ordered = null
  }

  /** Throws a failure `unknown` if the id does not exist. */
  find(uniqueId: string): Pretended {
    const found = this.#all.get(uniqueId)
    if (found === undefined) throw refused('unknown', { id: uniqueId })
    return found
  }

  /** Returns the registration with this id, or all registrations if the id is null. */
  those(uniqueId: string | null): Pretended[] {
    return uniqueId === null ? this.all() : [this.find(uniqueId)]
  }

  all(): Pretended[] {
    return [...this.#all.values()]
  }

  newestFirst(): readonly Pretended[] {
    return this.#inOrder().all
  }

  /** Ids of registrations with `text` in their title or addresses. */
  search(text: string): string[] {
    const { all, words } = this.#inOrder()
    return Array.from(words.find(text.toLowerCase()).subarray(0, MOST_FOUND), (place) => all[place]!.registration.unique_id)
  }

  /** Rank that places a registration directly before another registration, or at either end of the queue. */
  rankAt(uniqueId: string, place: Place): number {
    const others = this.all()
      .map((one) => one.registration)
      .filter((one) => one.state !== 'settled' && one.unique_id !== uniqueId)
    const ranks = others.map((one) => one.rank)
    if (place === 'bottom') return Math.max(0, ...ranks) + 1
    if (typeof place === 'string') return Math.min(0, ...ranks) - 1
    const { rank } = this.find(place.before).registration
    const before = Math.max(rank - 2, ...ranks.filter((other) => other < rank))
    return (before + rank) / 2
  }

  #inOrder(): { all: Pretended[]; words: Haystack } {
    if (this.#ordered === null) {
      const all = this.all().sort((left, right) => right.registration.created - left.registration.created)
      const words = new Haystack(all.map(({ registration, urls }) => [registration.title, ...urls].join('\n').toLowerCase()))
      this.#ordered = { all, words }
    }
    return this.#ordered
  }
}
