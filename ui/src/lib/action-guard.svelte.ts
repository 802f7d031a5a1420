// Prevents that a double click carries out an action twice.
import { SvelteSet } from 'svelte/reactivity'

/** Milliseconds after an action in which a second click is a part of the first one. */
const DOUBLE_CLICK = 500

export class ActionGuard {
  readonly #busy = new SvelteSet<string>()

  /** Whether an action on this key is under way or has just ended. */
  isBusy(key: string): boolean {
    return this.#busy.has(key)
  }

  /** Carries out an action. Resolves to null without it if one on the same key is under way or has just ended. */
  async once<Answer>(key: string, act: () => Promise<Answer>): Promise<Answer | null> {
    if (this.#busy.has(key)) return null
    this.#busy.add(key)
    try {
      return await act()
    } finally {
      setTimeout(() => this.#busy.delete(key), DOUBLE_CLICK)
    }
  }
}
