// Keeps the focus in the sync views when the focused element disappears.

/** Focuses the title of the view of sync that is shown, so that Tab and Escape continue there. */
export function focusTitle(): void {
  document.querySelector<HTMLElement>('[data-testid="sync-title"], [data-testid="others-title"]')?.focus()
}

/** Moves the focus to the title if an item of a list disappears while one of its buttons has the focus. */
export class ListFocus {
  #before: readonly string[] = []

  /** Call after the items are rendered. Focuses the title if the item that had the focus disappeared. */
  update(keys: readonly string[]): void {
    const now = new Set(keys)
    const isLost = this.#before.some((key) => !now.has(key))
    this.#before = keys
    if (isLost && document.activeElement === document.body) focusTitle()
  }
}
