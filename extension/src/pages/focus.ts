// Keeps the focus when the sections of a page are replaced. This can happen while a person types, because a change
// takes effect at once and an answer of Ashore can arrive at any time.

/** The control that has the focus, and its place: the number of its section, and its number in this section. */
export interface FocusedControl {
  readonly control: HTMLElement
  readonly section: number
  readonly place: number
}

const controlsOf = (section: Element): HTMLElement[] => [...section.querySelectorAll<HTMLElement>('input, button')]

export function focusedIn(page: HTMLElement): FocusedControl | null {
  const sections = [...page.children]
  const section = sections.findIndex((one) => one.contains(document.activeElement))
  if (section === -1) return null
  const controls = controlsOf(sections[section]!)
  const place = controls.findIndex((one) => one === document.activeElement)
  return place === -1 ? null : { control: controls[place]!, section, place }
}

/**
 * Moves the focus, and any text that is not stored yet, to the control that replaced the focused one. If no control replaced
 * it, the focus moves to the control that is now in the same place, such as the button that removes the next site.
 */
export function continueIn(page: HTMLElement, { control: before, section, place }: FocusedControl): void {
  const controls = controlsOf(page.children[section]!)
  const label = before.getAttribute('aria-label')
  const same = label === null ? undefined : controls.find((one) => one.getAttribute('aria-label') === label)
  const after = same ?? controls[Math.min(place, controls.length - 1)]
  if (after === undefined) return
  after.focus()
  if (!(before instanceof HTMLInputElement) || !(after instanceof HTMLInputElement) || after !== same) return
  if (before.value !== before.defaultValue) after.value = before.value
  // A number field has no selection.
  if (before.type === 'text') after.setSelectionRange(before.selectionStart, before.selectionEnd)
}
