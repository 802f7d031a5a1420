// Waits for a moment without input or work.

/** Wait in browsers without `requestIdleCallback`, such as WebKitGTK, in milliseconds. */
const PAUSE = 200
/** Longest wait for an idle moment, in milliseconds. */
const LONGEST = 5000

/** Resolves in an idle moment of the page. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout: LONGEST })
    else setTimeout(resolve, PAUSE)
  })
}
