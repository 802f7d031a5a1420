// Labels of the list of browsers, and the search in it. The texts are in `locales/*/settings.ftl`. [pure, except for the
// language]
import type { BrowserReport } from '../api/browsers-api'
import { say, spoken } from '../i18n/i18n.svelte'

export const browserWords = spoken({
  connected: 'browsers-connected',
  ofPackage: 'browsers-connected.package',
  notConnected: 'browsers-connected.none',
  empty: 'browsers-empty',
  extension: 'browsers-extension',
  connect: 'browsers-connect',
  disconnect: 'browsers-disconnect',
  connectNamed: (browser: string) => say('browsers-connect.label', { browser }),
  disconnectNamed: (browser: string) => say('browsers-disconnect.label', { browser }),
  check: 'browsers-check',
})

export const pairingWords = spoken({
  pair: 'browsers-pair',
  paired: 'browsers-paired',
  remove: 'remove',
  code: 'browsers-code',
  rest: (time: string) => say('browsers-code.rest', { time }),
  removeNamed: (browser: string) => say('browsers-paired.remove', { browser }),
  added: (browser: string) => say('browsers-paired.added', { browser }),
})

/** State of a connection in words. Call only for a browser without a fault. */
export function stateName({ state, is_of_package }: BrowserReport): string {
  if (state !== 'connected') return browserWords.notConnected
  return is_of_package ? browserWords.ofPackage : browserWords.connected
}

/** Button of a browser; null if the user cannot change the browser's connection here. */
export function buttonOf({ state, is_of_package, fault }: BrowserReport): 'connect' | 'disconnect' | null {
  if (state === 'foreign') return null
  // The manifest of the user takes precedence over that of a package, so connecting again repairs a broken package.
  if (state === 'not-connected' || fault !== null) return 'connect'
  return is_of_package ? null : 'disconnect'
}
