// Sources of the text in the Add dialog, and the times at which its links may be probed. [pure]

/**
 * Source of the text:
 * - `handed`: handed over by another program
 * - `offered`: given to the window by the user
 * - `pasted`: pasted or dropped into the field
 * - `typed`: typed
 * - `left`: typed or handed over, and the field has lost focus since
 */
export type Entered = 'handed' | 'offered' | 'pasted' | 'typed' | 'left'

/** Pause in typing after which a link may be complete, in milliseconds. */
const CLEAR_PAUSE = 1500

/** Maps the `inputType` of a `beforeinput` event to a source. */
export function enteredBy(inputType: string): Entered {
  if (inputType === 'insertFromPaste' || inputType === 'insertFromDrop') return 'pasted'
  // A new line completes the previous line.
  return inputType === 'insertLineBreak' || inputType === 'insertParagraph' ? 'left' : 'typed'
}

/** Delay before servers are probed, in milliseconds. */
export function patience(how: Entered): number {
  return how === 'typed' ? CLEAR_PAUSE : 0
}

/**
 * Whether the server of `url` may be probed. Any web page can hand over a link, so such a link requires the consent of the
 * user. A link that the user is still typing may be incomplete, so such a link must at least look complete.
 */
export function mayBeAsked(url: string, how: Entered): boolean {
  if (how === 'handed') return false
  return how !== 'typed' || isPlainlyWhole(url)
}

/** Whether Enter submits the text: the text was handed over or offered and has not been edited since. */
export function isReady(how: Entered): boolean {
  return how === 'offered' || how === 'handed'
}

/** Whether the URL has a full host name and a path that ends in a file extension. */
function isPlainlyWhole(url: string): boolean {
  let address: URL
  try {
    address = new URL(url)
  } catch {
    return false
  }
  const isHost = /^\[.+\]$|^localhost$|^\d+(?:\.\d+){3}$|\.[a-z][a-z0-9-]+$/i.test(address.hostname)
  // Reject a query or fragment, because it may be incomplete until the user leaves the field.
  return isHost && address.search === '' && address.hash === '' && /\/[^/]+\.(?=\w*[a-z])\w{2,8}$/i.test(address.pathname)
}
