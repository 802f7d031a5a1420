// Puts text on the clipboard, also where the text has to be fetched first.

/** False when the desktop does not allow it. Rejects only as `text` does. */
export async function copy(text: Promise<string>): Promise<boolean> {
  // Allowed only in answer to a click, and a web view forgets the click while the text is fetched: so the promise of
  // the text is handed over at once.
  try {
    const blob = text.then((words) => new Blob([words], { type: 'text/plain' }))
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    return true
  } catch {
    return copyBySelection(await text)
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.className = 'sr-only'
  field.value = text
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  return isCopied
}
