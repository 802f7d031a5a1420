// Receives the clicks that `page.ts` reports. Adds that script to pages while the extension has access to all sites.
import type { BrowserApi, Sender } from '../browser/api'
import type { Stored } from '../browser/stored'
import { type Activity, withClick } from '../handoff/click-limit'

const ID = 'clicks'
export const ALL_SITES = { origins: ['<all_urls>'] }

let last: Promise<void> = Promise.resolve()

/** Adds or removes the script. Changes run one after the other, because two events can request them at the same time. */
export function watchClicks(browser: BrowserApi): Promise<void> {
  last = last.then(() => change(browser)).catch(() => undefined)
  return last
}

async function change(browser: BrowserApi): Promise<void> {
  const hasAccess = await browser.permissions.contains(ALL_SITES)
  const isWatched = (await browser.scripting.getRegisteredContentScripts({ ids: [ID] })).length > 0
  if (hasAccess === isWatched) return
  if (!hasAccess) return browser.scripting.unregisterContentScripts({ ids: [ID] })
  await browser.scripting.registerContentScripts([
    { id: ID, js: ['page.js'], matches: ['<all_urls>'], allFrames: true, runAt: 'document_start', persistAcrossSessions: true },
  ])
}

/** Stores a reported click. Nothing about a private window is stored. */
export async function onClicked(activity: Stored<Activity>, message: unknown, sender: Sender, now: number): Promise<void> {
  const { has_key, href } = message as { has_key?: unknown; href?: unknown }
  if (sender.tab === undefined || sender.tab.incognito === true) return
  const click = { at: now, has_key: has_key === true, href: typeof href === 'string' ? href.slice(0, 8192) : null }
  await activity.update((before) => withClick(before, click))
}
