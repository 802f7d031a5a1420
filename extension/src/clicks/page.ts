// Reports clicks of a person on a page to the extension. Runs in every page after the person has given access to all
// sites.
//
// - Reads only the address of a link that is clicked with Alt, and receives no messages.
// - Pages can neither forge `isTrusted`, nor access this script.
// - Only Firefox gives the settings to this script. In Chromium, content scripts have no access to the storage.
import { isFirefox } from '../browser/api'
import { browser } from '../browser/browser-api'
import { settingsOf } from '../settings/settings'

/** Whether a click with Alt on a link is followed. False until the settings are known. */
let followsKey = false

function report(event: MouseEvent): void {
  if (!event.isTrusted) return
  const link = event
    .composedPath()
    .find((node): node is HTMLAnchorElement => node instanceof HTMLAnchorElement && node.href !== '')
  const href = event.altKey ? (link?.href ?? null) : null
  void browser.runtime.sendMessage({ type: 'clicked', has_key: event.altKey, href }).catch(() => undefined)
  // Firefox ignores an Alt click on a link. So suppress this click and repeat it without Alt.
  if (!followsKey || !event.altKey || event.button !== 0 || link === undefined) return
  event.preventDefault()
  event.stopImmediatePropagation()
  link.click()
}

/**
 * Determines whether this script handles a click with the key.
 *
 * If no download would be handed over even without the key, the click is left to the page and the browser.
 */
function onSettings(stored: unknown): void {
  const { has_bypass_key, mode } = settingsOf(stored)
  followsKey = has_bypass_key && mode === 'automatic'
}

addEventListener('click', report, { capture: true })
if (isFirefox(browser)) {
  browser.storage.onChanged.addListener(({ settings }, area) => {
    if (area === 'local' && settings !== undefined) onSettings(settings.newValue)
  })
  void browser.storage.local.get('settings').then(({ settings }) => onSettings(settings))
}
