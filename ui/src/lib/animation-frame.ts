// Waits until a change has been painted.

/** Maximum wait for a paint, in milliseconds; the shell shows a window with content within this time. */
const SHOWN = 500

/** Resolves as soon as changes are painted. If the page is hidden, resolves after `SHOWN` milliseconds. */
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
