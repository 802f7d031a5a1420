// Copies text to the clipboard, even text that must be fetched first.

/** Copies `text`; resolves to false if the desktop denies access to the clipboard. Rejects only if `text` rejects. */
export async function copy(text: Promise<string>): Promise<boolean> {
  // Clipboard access needs a recent click, which would be too old after the fetch. So pass the promise to the clipboard
  // immediately, without waiting for the text.
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
