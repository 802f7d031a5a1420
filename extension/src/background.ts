// Entry point of the background script: a service worker in Chromium, an event page in Firefox. All listeners are added
// synchronously, because the browser starts the script for an event and drops events without a listener.
import { isChromium, type Sender, type Tab } from './browser/api'
import { browser } from './browser/browser-api'
import { onClicked, watchClicks } from './clicks/clicks'
import { HandOff, type World } from './handoff/handoff'
import { hostOf } from './host/host'
import { wordsOf } from './language/say'
import { addFile, addLinks, createMenus, onMenu } from './links/actions'
import { collectMedia } from './links/collect'
import { joined, SeenMedia } from './links/media'
import { Heads } from './responses/heads'
import { watchResponses } from './responses/watch'
import { memoryOf } from './settings/memory'

const world: World = {
  browser,
  user_agent: navigator.userAgent,
  host: hostOf(browser),
  heads: new Heads(),
  memory: memoryOf(browser),
  now: () => Date.now(),
  after: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
}
const handOff = new HandOff(world)
const media = new SeenMedia()

const watchAgain = watchResponses(
  browser,
  world.heads,
  (head, { tabId, type }) => media.onHead(tabId, type, head),
  (request) => void handOff.onReceived(request).catch(() => undefined),
)
browser.tabs.onRemoved.addListener((tabId) => media.forget(tabId))

if (isChromium(browser)) {
  browser.downloads.onDeterminingFilename!.addListener((item, suggest) => {
    // `suggest()` without a name keeps Chromium's own name. The event `onCreated` would be too early, because the name
    // is not known at that time.
    suggest()
    void handOff.consider(item)
  })
} else {
  browser.downloads.onCreated.addListener((item) => void handOff.consider(item))
}
// If the worker was killed while a download was paused, either of these events starts the worker again.
browser.downloads.onChanged.addListener(() => undefined)
browser.alarms.onAlarm.addListener(() => void handOff.recover())

browser.contextMenus.onClicked.addListener((click, tab) => void onMenu(world, click, tab))
browser.permissions.onAdded.addListener(() => {
  watchAgain()
  void watchClicks(browser)
})
browser.permissions.onRemoved.addListener(() => void watchClicks(browser))

browser.runtime.onInstalled.addListener(({ reason }) => {
  void prepare()
  if (reason === 'install') void browser.tabs.create({ url: browser.runtime.getURL('welcome.html') })
})
// The language of the browser may have changed since the last start.
browser.runtime.onStartup.addListener(() => void prepare())

async function prepare(): Promise<void> {
  await Promise.all([createMenus(world, wordsOf(browser.i18n).say), watchClicks(browser)])
}

browser.runtime.onMessage.addListener((message, sender, respond) => {
  if (sender.id !== browser.runtime.id) return
  const { type } = message as { type?: unknown }
  if (type === 'clicked') return void onClicked(handOff.activity, message, sender, world.now())
  // Accept all other messages only from pages of the extension, because content scripts run beside a page's code.
  if (!isOwnPage(sender)) return
  void answerTo(message as PopupMessage).then(respond)
  return true
})

const isOwnPage = ({ url }: Sender): boolean => url?.startsWith(browser.runtime.getURL('')) === true

type PopupMessage = { type: 'media' | 'links'; tab: Tab } | { type: 'add'; tab: Tab; url: string }

async function answerTo(message: PopupMessage): Promise<unknown> {
  const { type, tab } = message
  if (type === 'add') return addFile(world, message.url, 'part', tab)
  if (type === 'links') return addLinks(world, tab, 0, false)
  const target = { tabId: tab.id ?? -1, allFrames: true }
  const found = await browser.scripting.executeScript({ target, func: collectMedia }).catch(() => [])
  const named = found.flatMap(({ result }) => result ?? [])
  return joined(named, media.of(tab.id ?? -1))
}

// Content scripts share a process with pages, and must not be able to read the token of a pairing.
void browser.storage.local.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' }).catch(() => undefined)
void handOff.recover()
void watchClicks(browser)
