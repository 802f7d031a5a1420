// Reports clicks of a person on a page to the extension. Runs in every page, after the person gave access to all sites.
//
// - Reads nothing of the page except the address of a link that is clicked with Alt, and receives no messages.
// - Pages can neither forge `isTrusted`, nor reach this script.
import { browser } from '../browser/door'

function report(event: MouseEvent): void {
  if (!event.isTrusted) return
  const link = event
    .composedPath()
    .find((node): node is HTMLAnchorElement => node instanceof HTMLAnchorElement && node.href !== '')
  const href = event.altKey ? (link?.href ?? null) : null
  void browser.runtime.sendMessage({ type: 'clicked', has_key: event.altKey, href }).catch(() => undefined)
  // Firefox ignores a click with Alt on a link, so the link is followed without the key.
  const isIgnored = event.altKey && event.button === 0 && link !== undefined && browser.runtime.getURL('').startsWith('moz-')
  if (!isIgnored) return
  event.preventDefault()
  event.stopImmediatePropagation()
  link.click()
}

addEventListener('click', report, { capture: true })
