// When what has changed is drawn.

/** Milliseconds in which a window is shown whose page has something to show. */
const SHOWN = 500

/** Until what has changed is on the screen; a page that nobody sees waits no longer than it takes to show one. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, SHOWN)
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        clearTimeout(timer)
        resolve()
      }),
    )
  })
}
