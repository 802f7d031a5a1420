// When what has changed is drawn.

/** Milliseconds in which a window is shown whose page has something to show. */
const SHOWN = 500

/**
 * Calls back before the next frame. A page that nobody sees has no frames, and is called back all the same: a window is shown
 * when its page has something to show.
 */
export function onFrame(callback: () => void): void {
  if (document.hidden) setTimeout(callback)
  else requestAnimationFrame(callback)
}

/** Until what has changed is on the screen; a page that nobody sees waits no longer than it takes to show one. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, SHOWN)
    requestAnimationFrame(() => requestAnimationFrame(() => {
      clearTimeout(timer)
      resolve()
    }))
  })
}
