// Actions of the menu entries and the popup. They add one file, or open the Add dialog with the links of a page.
import type { MenuClick, Tab } from '../browser/api'
import { chosenOf } from '../handoff/offered'
import type { World } from '../handoff/handoff'
import { ANSWER_LIMIT, refusalOfError, UNCERTAIN } from '../host/host'
import { answerOf, MOST_LINK_BYTES, MOST_LINKS, type Refusal, SILENT } from '../host/protocol'
import { askId } from '../settings/memory'
import { hostNameOf } from '../settings/settings'
import { collectLinks } from './collect'
import { nameOf } from './media'

/** Refusal of a page that contains no links, or that the browser does not let an extension read. */
export const NO_LINKS: Refusal = { code: 'no-links', text: '' }
/** Refusal for the last links of a page, which did not fit into the offer. The other links were offered. */
export const LINKS_LEFT_OUT: Refusal = { code: 'links-left-out', text: '' }

/** Adds one file. Any address is allowed, because a person chose it. Returns null if Ashore has taken the file. */
export async function addFile(world: World, url: string, kind: 'link' | 'part', page: Tab): Promise<Refusal | null> {
  const ask = await askId(world.memory, `menu-${crypto.randomUUID()}`)
  const offered = await chosenOf(world, url, kind, page)
  const answered = world.host.ask(ask, offered, null).then(
    (message) => answerOf(message, ask),
    (error: unknown) => ({ type: 'declined', refusal: refusalOfError(error) }) as const,
  )
  const late = world.after(ANSWER_LIMIT).then(() => ({ type: 'declined', refusal: SILENT }) as const)
  const answer = await Promise.race([answered, late])
  if (answer.type !== 'declined') return null
  // Ashore may have taken the file nevertheless. It must drop the file, because the person sees a refusal. Ashore could
  // not recognise a second attempt, which would have a new id.
  if (answer.refusal === SILENT || UNCERTAIN.has(answer.refusal.code)) await world.host.letGo(ask)
  await complain(world, nameOf(url), page, answer.refusal)
  return answer.refusal
}

/** Opens the Add dialog with the links of a frame or its selection; nothing starts before a person confirms there. */
export async function addLinks(world: World, page: Tab, frame: number, isSelection: boolean): Promise<Refusal | null> {
  const target = { tabId: page.id ?? -1, frameIds: [frame] }
  const found = await world.browser.scripting
    .executeScript({ target, func: collectLinks, args: [isSelection, MOST_LINKS, MOST_LINK_BYTES] })
    .catch(() => [])
  const { links, is_whole } = found[0]?.result ?? { links: [], is_whole: true }
  const refused = links.length === 0 ? NO_LINKS : await world.host.offer(links)
  const refusal = refused ?? (is_whole ? null : LINKS_LEFT_OUT)
  if (refusal !== null) await complain(world, page.title ?? '', page, refusal)
  return refusal
}

/** Marks the extension's button. The popup of this button shows the reason. */
async function complain({ browser, memory, now }: World, name: string, page: Tab, refusal: Refusal): Promise<void> {
  await memory.lastKept.update(() => ({ name, site: hostNameOf(page.url) ?? '', at: now(), why: { refusal } }))
  await browser.action.setBadgeBackgroundColor({ color: '#b0261c' })
  await browser.action.setBadgeText({ text: '!' })
}

const WEB = ['http://*/*', 'https://*/*']

/** Menu entries, in their order. `targetUrlPatterns` hides an entry for addresses that Ashore cannot request. */
const ENTRIES = [
  { id: 'link', title: 'extension-menu.link', contexts: ['link'], targetUrlPatterns: WEB },
  { id: 'image', title: 'extension-menu.image', contexts: ['image'], targetUrlPatterns: WEB },
  { id: 'media', title: 'extension-menu.media', contexts: ['video', 'audio'], targetUrlPatterns: WEB },
  { id: 'selection', title: 'extension-menu.selection', contexts: ['selection'] },
  { id: 'page', title: 'extension-menu.page', contexts: ['page', 'frame', 'link', 'image'] },
]

export async function createMenus({ browser }: World, say: (id: string) => string): Promise<void> {
  await browser.contextMenus.removeAll()
  for (const entry of ENTRIES) browser.contextMenus.create({ ...entry, title: say(entry.title) })
}

export async function onMenu(world: World, click: MenuClick, tab: Tab | undefined): Promise<void> {
  if (tab === undefined || tab.incognito === true) return
  const address = click.menuItemId === 'link' ? click.linkUrl : click.srcUrl
  const isOne = ['link', 'image', 'media'].includes(String(click.menuItemId))
  if (!isOne) return void (await addLinks(world, tab, click.frameId ?? 0, click.menuItemId === 'selection'))
  const kind = click.menuItemId === 'link' ? 'link' : 'part'
  if (address !== undefined && hostNameOf(address) !== null) await addFile(world, address, kind, tab)
}
