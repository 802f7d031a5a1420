// Environment of a page in a browser, for `api/http.ts`.
import { version } from '../../package.json'
import type { HttpWorld } from '../api/http'
import type { SocketLike } from '../api/remote/socket'
import { sharedLinks } from './shared-links'

export function browserWorld(): HttpWorld {
  return {
    base: new URL('./', location.href),
    version,
    storage: localStorage,
    tab: sessionStorage,
    fetch: (address, init) => fetch(address, { cache: 'no-store', ...init }),
    openSocket: (address) => new WebSocket(address) as SocketLike,
    now: () => Date.now(),
    random: () => Math.random(),
    after(milliseconds, act) {
      const timer = setTimeout(act, milliseconds)
      return () => clearTimeout(timer)
    },
    reload: () => location.reload(),
    download(address) {
      const link = document.createElement('a')
      link.href = address.href
      // The server determines the file name.
      link.download = ''
      link.click()
    },
    chooseFile,
    sharedLinks() {
      const { links, rest } = sharedLinks(location.search)
      if (links.length > 0) history.replaceState(null, '', `${location.pathname}${rest}`)
      return links
    },
    watchVisibility(listener) {
      const look = (): void => listener(document.visibilityState === 'visible')
      document.addEventListener('visibilitychange', look)
      look()
    },
    watchNetwork: (listener) => addEventListener('online', listener),
    watchUnload(listener) {
      addEventListener('pagehide', listener)
      return () => removeEventListener('pagehide', listener)
    },
  }
}

function chooseFile(): Promise<Blob | null> {
  return new Promise((resolve) => {
    const field = document.createElement('input')
    field.type = 'file'
    field.onchange = () => resolve(field.files?.[0] ?? null)
    field.oncancel = () => resolve(null)
    field.click()
  })
}
