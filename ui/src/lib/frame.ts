// When what has changed is drawn.

/**
 * Calls back before the next frame. A page that nobody sees has no frames, and is called back all the same: a window is shown
 * when its page has something to show.
 */
export function onFrame(callback: () => void): void {
  if (document.hidden) setTimeout(callback)
  else requestAnimationFrame(callback)
}
