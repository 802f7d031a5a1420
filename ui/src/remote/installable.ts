// Makes the page installable as an app, where the browser allows that: only over HTTPS or from this computer. The
// window does not need the manifest, so the document refers to it only after this call.

export function installable(): void {
  if (!window.isSecureContext) return
  const head = (rel: string, href: string): void =>
    document.head.append(Object.assign(document.createElement('link'), { rel, href }))
  head('manifest', './manifest.webmanifest')
  head('apple-touch-icon', './icons/256x256.png')
  // Without a service worker, the page works, but it does not open while the server is down.
  void keepFiles().catch(() => undefined)
}

/**
 * Registers the service worker. A new service worker has not seen the files that are already loaded. So these files are read
 * again through it, from the cache of the browser.
 */
async function keepFiles(): Promise<void> {
  const workers = navigator.serviceWorker
  if (workers === undefined) return
  const isNew = workers.controller === null
  if (isNew) workers.addEventListener('controllerchange', readAgain, { once: true })
  await workers.register('./service-worker.js')
}

function readAgain(): void {
  const assets = new URL('./assets/', location.href).href
  for (const { name } of performance.getEntriesByType('resource')) if (name.startsWith(assets)) void fetch(name)
}
