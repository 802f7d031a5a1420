// Prevents a double click from performing an action twice.
import { SvelteSet } from 'svelte/reactivity'

/** Time after an action, in milliseconds, within which a second click is part of the same double click. */
const DOUBLE_CLICK = 500

export class ActionGuard {
  readonly #busy = new SvelteSet<string>()

  /** Whether an action with this key is under way or has just ended. */
  isBusy(key: string): boolean {
    return this.#busy.has(key)
  }

  /** Carries out an action. If an action with the same key is under way or has just ended, does nothing and resolves to null. */
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
