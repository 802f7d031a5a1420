// How text came into the Add dialog, and what follows from that. [pure]

/**
 * Handed over by another program; given to the window by the person; put into the field at once; typed; typed or handed over,
 * and the field was left.
 */
export type Entered = 'handed' | 'offered' | 'pasted' | 'typed' | 'left'

/** Who stops typing for so long may have written a whole link, milliseconds. */
const CLEAR_PAUSE = 1500

/** What an edit of the field was, by the word of the event that announces it. */
export function enteredBy(inputType: string): Entered {
  if (inputType === 'insertFromPaste' || inputType === 'insertFromDrop') return 'pasted'
  // Whoever begins another line is done with the one before it.
  return inputType === 'insertLineBreak' || inputType === 'insertParagraph' ? 'left' : 'typed'
}

/** How long servers are left alone, milliseconds. */
export function patience(how: Entered): number {
  return how === 'typed' ? CLEAR_PAUSE : 0
}

/**
 * Whether its server may be asked about a link then. Any page can hand one over, so nobody hears of it before the person goes
 * on with it; and of one that is being typed, any part may be all there is so far.
 */
export function mayBeAsked(url: string, how: Entered): boolean {
  if (how === 'handed') return false
  return how !== 'typed' || isPlainlyWhole(url)
}

/** Whether Enter adds it as it stands, since nobody has changed it. */
export function isReady(how: Entered): boolean {
  return how === 'offered' || how === 'handed'
}

/** A server's whole name, and a path that ends like a file's name. */
function isPlainlyWhole(url: string): boolean {
  let address: URL
  try {
    address = new URL(url)
  } catch {
    return false
  }
  const isHost = /^\[.+\]$|^localhost$|^\d+(?:\.\d+){3}$|\.[a-z][a-z0-9-]+$/i.test(address.hostname)
  // What follows the path is half itself as long as it is typed.
  return isHost && address.search === '' && address.hash === '' && /\/[^/]+\.(?=\w*[a-z])\w{2,8}$/i.test(address.pathname)
}
