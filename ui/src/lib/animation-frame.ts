// Waits for a change to be painted.

/** Milliseconds within which a window with content is shown. */
const SHOWN = 500

/** Resolves once changes are on the screen; for a hidden page after `SHOWN` at the latest. */
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
