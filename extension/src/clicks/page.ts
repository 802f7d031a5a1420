// Reports clicks of a person on a page to the extension. Runs in every page, after the person gave access to all sites.
//
// - Reads nothing of the page except the address of the clicked link, changes nothing in it, and receives no messages.
// - Pages can neither forge `isTrusted`, nor reach this script.
import { browser } from '../browser/door'

function report(event: MouseEvent): void {
  if (!event.isTrusted) return
  const link = event
    .composedPath()
    .find((node): node is HTMLAnchorElement => node instanceof HTMLAnchorElement && node.href !== '')
  void browser.runtime.sendMessage({ type: 'clicked', has_key: event.altKey, href: link?.href ?? null }).catch(() => undefined)
  // Firefox ignores a click with Alt on a link, so the link is followed without the key.
  const isIgnored = event.altKey && event.button === 0 && link !== undefined && browser.runtime.getURL('').startsWith('moz-')
  if (!isIgnored) return
  event.preventDefault()
  event.stopImmediatePropagation()
  link.click()
}

addEventListener('click', report, { capture: true })
