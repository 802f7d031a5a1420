// Parts that all three pages use: the browser, its language, and the data that the extension stores.
import { browser } from '../browser/browser-api'
import type { PairingState } from '../host/channel'
import { hostOf } from '../host/host'
import type { Refusal } from '../host/protocol'
import { formatsOf } from '../language/format'
import { wordsOf } from '../language/say'
import { memoryOf } from '../settings/memory'

export { browser }
export const words = wordsOf(browser.i18n)
export const { say } = words
export const formats = formatsOf(words)
export const memory = memoryOf(browser)
export const host = hostOf(browser)

document.documentElement.lang = words.tag
document.documentElement.dir = words.direction

/** Sentences for the rules of the extension, and for refusals that the host could not word itself. */
const REASONS: Readonly<Record<string, string>> = {
  type: 'extension-why.type',
  ending: 'extension-why.ending',
  small: 'extension-why.small',
  method: 'extension-why.method',
  encoded: 'extension-why.encoded',
  danger: 'extension-why.danger',
  scheme: 'extension-why.scheme',
  extension: 'extension-why.extension',
  'menu-only': 'extension-why.menu-only',
  bypass: 'extension-why.bypass',
  site: 'extension-why.site',
  'site-refused': 'extension-why.site-refused',
  'no-access': 'extension-why.no-access',
  'no-head': 'extension-why.no-head',
  'too-many': 'extension-why.too-many',
  received: 'extension-why.received',
  'host-missing': 'extension-why.host',
  'host-failed': 'extension-why.failed',
  'host-silent': 'extension-why.silent',
  'wrong-code': 'extension-pair.wrong',
  'no-ashore': 'extension-pair.absent',
  'no-links': 'extension-why.no-links',
  'links-left-out': 'extension-why.links-left-out',
}

export function reasonText(why: { rule: string } | { refusal: Refusal }): string {
  if ('refusal' in why && why.refusal.text !== '') return why.refusal.text
  return say(REASONS['rule' in why ? why.rule : why.refusal.code] ?? 'extension-why.unknown')
}

/** Advice for the case that neither a native host nor a paired Ashore has answered the greeting. */
export function absentText(pairing: PairingState): string {
  if (pairing === null) return say('extension-state.missing-cure')
  return 'removed' in pairing ? reasonText({ refusal: pairing.removed }) : say('extension-pair.closed')
}
