// Entry of the background script: a service worker in Chromium, an event page in Firefox. Every listener is added at
// once, because the browser starts the script for an event and drops events without a listener.
import { isChromium } from './browser/api'
import { browser } from './browser/door'
import { HandOff, type World } from './handoff/handoff'
import { hostOf } from './host/host'
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

watchResponses(browser, world.heads)

if (isChromium(browser)) {
  browser.downloads.onDeterminingFilename!.addListener((item, suggest) => {
    // Chromium keeps the name that it chose. The name is known here, and not yet in `onCreated`.
    suggest()
    void handOff.consider(item)
  })
} else {
  browser.downloads.onCreated.addListener((item) => void handOff.consider(item))
}
// This listener starts a worker that was killed while a download was paused.
browser.downloads.onChanged.addListener(() => undefined)

void handOff.recover()
