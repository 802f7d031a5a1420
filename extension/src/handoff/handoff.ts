// Hands downloads of the browser over to Ashore. The browser keeps its download until Ashore has the file.
//
// - The pair (download, id of the request) is stored before Ashore is asked. If the worker is killed, the next worker
//   continues from there.
// - Chromium's download is paused while Ashore is asked; its request stays open. Firefox would close the connection, so
//   its download is not paused.
// - Paused downloads are stored permanently, because an update of the extension clears the pairs. While a download is
//   paused, an alarm starts a new worker if necessary.
// - Ashore is asked only once for each download. After a refusal, the pair is deleted and later events of the download
//   are ignored.
import type { DownloadItem } from '../browser/api'
import { isChromium } from '../browser/api'
import { Stored } from '../browser/stored'
import { ANSWER_LIMIT, type Host, refusalOfError, UNCERTAIN } from '../host/host'
import { type Answer, answerOf, SILENT } from '../host/protocol'
import type { Head, Heads } from '../responses/heads'
import { askId, type LastKept, type Memory } from '../settings/memory'
import { hostNameOf, sharedRules, withRules } from '../settings/settings'
import { shareSettings } from '../settings/shared'
import { afterRefusal, afterTaken, leftUntil } from '../settings/site-record'
import { type Activity, countHandOff, isBypassed, NO_ACTIVITY, sourcesOf } from './click-limit'
import { afterCancel, afterFailedRelease, countsTaken, isWaiting, nextStep, ownState, type Pair, pairsOf } from './decisions'
import { addressOfTab, type Agent, offeredOf } from './offered'
import { addressOf, baseName, isDangerous, type KeepReason, reasonToKeep, siteOf, sitesOf } from './rules'

/** Surroundings that the hand-off needs; tests simulate all of them. */
export interface World extends Agent {
  host: Host
  heads: Heads
  memory: Memory
  now: () => number
  /** Resolves after the given number of milliseconds. */
  after: (milliseconds: number) => Promise<void>
}

const HEAD_LIMIT = 2_000
/**
 * Minimum time between two requests for Ashore's rules, in milliseconds. The rules are requested only when the current rules
 * leave a download to the browser.
 */
const SHARE_PERIOD = 60_000
/** Reasons to leave a download to the browser that come from Ashore's rules. */
const OF_RULES: ReadonlySet<KeepReason> = new Set(['menu-only', 'bypass', 'site', 'ending', 'small'])
const MOST_OPEN = 32
const ALARM = 'paused'
/** The shortest period of an alarm is 30 s. */
const PERIOD = { periodInMinutes: 0.5 }
/**
 * Maximum number of steps of a hand-off. A normal hand-off needs fewer. The limit ends the loop if the browser ignores a
 * call.
 */
const MOST_STEPS = 8

export class HandOff {
  readonly #world: World
  readonly #pairs: Stored<Readonly<Record<string, Pair>>>
  readonly #activity: Stored<Activity>
  /** Ids of the requests to Ashore, for the downloads that the extension paused. */
  readonly #paused: Stored<Readonly<Record<string, string>>>
  /** Whether this worker is trying again to drop downloads in Ashore after failed attempts. */
  #isReleasing = false
  /** Downloads that this worker is deciding about or handing over. */
  readonly #open = new Set<number>()
  /** Downloads for which Ashore answered the request with changed rules. */
  readonly #outdated = new Set<number>()
  /** Downloads that are counted as handed over. */
  readonly #counted = new Set<number>()
  #sharedAt = -Infinity

  constructor(world: World) {
    this.#world = world
    const { local, session } = world.browser.storage
    this.#pairs = new Stored(session, 'pairs', pairsOf)
    this.#activity = new Stored(session, 'activity', (stored) => (stored ?? NO_ACTIVITY) as Activity)
    this.#paused = new Stored(local, 'paused', (stored) => (stored ?? {}) as Record<string, string>)
  }

  get activity(): Stored<Activity> {
    return this.#activity
  }

  /** Decides about a new download of the browser, and hands it over if the rules and Ashore agree. */
  async consider(item: DownloadItem): Promise<void> {
    if (this.#open.has(item.id)) return
    this.#open.add(item.id)
    try {
      const head = await this.#head(item)
      // If the rules of Ashore changed again during the second decision, the browser keeps the download.
      if (await this.#decide(item, head)) await this.#decide(item, head)
    } catch (error) {
      // The browser or its storage failed. Resume the download, because the person would never get a download that
      // stays paused.
      await this.#resume(item.id).catch(() => undefined)
      throw error
    } finally {
      this.#open.delete(item.id)
      this.#counted.delete(item.id)
    }
  }

  /** Returns whether Ashore sent changed rules. If so, the decision must be made again. */
  async #decide(item: DownloadItem, head: Head | null): Promise<boolean> {
    const { memory, now } = this.#world
    const [settings, records, activity] = await Promise.all([memory.settings.get(), memory.records.get(), this.#activity.get()])
    const addresses = [item.url, addressOf(item), head?.first_url ?? item.url]
    const reason = reasonToKeep(item, {
      settings,
      head,
      has_access: head !== null || (await this.#hasAccess()),
      is_refused_site: sitesOf(item, head).some((site) => leftUntil(records, site, now()) !== null),
      is_bypassed: settings.has_bypass_key && isBypassed(activity, addresses, now()),
    })
    if (reason !== null && OF_RULES.has(reason) && (await this.#share())) return true
    const keep = (rule: KeepReason): Promise<false> => this.#keep(item, { rule }).then(() => false)
    if (reason !== null || head === null) return keep(reason ?? 'no-head')
    if (!(await this.#permits(item, head))) return keep('too-many')
    // A small file may be complete by now. If so, there is nothing to hand over.
    const latest = await this.#item(item.id)
    if (!countsTaken(ownState(latest))) return false
    if (latest !== undefined && isDangerous(latest)) return keep('danger')
    const ask = await askId(memory, String(item.id))
    const { request } = head
    const offered = await offeredOf(this.#world, item, head)
    await this.#store(item.id, { ask, phase: 'asking', site: siteOf(item), request, offered })
    await this.#run(item.id)
    return this.#outdated.delete(item.id)
  }

  /** Returns whether Ashore sent changed rules. Requests them at most once per `SHARE_PERIOD`. */
  async #share(): Promise<boolean> {
    const { host, memory, now, after } = this.#world
    if (now() - this.#sharedAt < SHARE_PERIOD) return false
    this.#sharedAt = now()
    return Promise.race([shareSettings(memory, host), after(ANSWER_LIMIT).then(() => false)])
  }

  /** Records that the browser received the whole response of a download, for a worker that starts later. */
  async onReceived(request: string): Promise<void> {
    await this.#pairs.update((pairs) => {
      const found = Object.entries(pairs).find(([, pair]) => pair.request === request)
      return found === undefined ? pairs : { ...pairs, [found[0]]: { ...found[1], is_received: true } }
    })
  }

  /**
   * Continues the hand-offs of a worker that was killed. If the stored pair of a download is lost, the download continues in
   * the browser.
   */
  async recover(): Promise<void> {
    const [pairs, paused] = await Promise.all([this.#pairs.get(), this.#paused.get()])
    const stored = [...new Set([...Object.keys(pairs), ...Object.keys(paused)])].map(Number)
    const isLate = (id: number): boolean => pairs[id]?.failed_since !== undefined
    const left = stored.filter((id) => !isLate(id))
    const released = this.#releaseLate(stored.filter(isLate))
    const continueOne = (id: number): Promise<void> =>
      pairs[id] === undefined ? this.#continueInBrowser(id, paused[id]!) : this.#run(id)
    await Promise.all(
      left.map(async (id) => {
        if (this.#open.has(id)) return
        this.#open.add(id)
        await continueOne(id)
          .catch(() => this.#resume(id))
          // The storage failed again. The next start of the worker retries.
          .catch(() => undefined)
          .finally(() => this.#open.delete(id))
      }),
    )
    await released
    // Clear the alarm here too: a worker can be killed before it clears the alarm.
    if (this.#open.size === 0) await this.#clearAlarm(await this.#paused.get())
  }

  /** Tries again to drop downloads in Ashore, one after another, because each attempt starts the host. */
  async #releaseLate(ids: readonly number[]): Promise<void> {
    if (this.#isReleasing) return
    this.#isReleasing = true
    for (const id of ids) await this.#run(id).catch(() => undefined)
    this.#isReleasing = false
  }

  async #continueInBrowser(id: number, ask: string): Promise<void> {
    const { host } = this.#world
    const item = await this.#item(id)
    await this.#resume(id, isWaiting(item))
    // Ashore may have accepted the file although the stored pair (download and request) is lost.
    if (isWaiting(item) && (await this.#state(id)) === 'running') await host.letGo(ask)
  }

  /** Response head of the download. Firefox reports some heads after the download that they belong to. */
  async #head(item: DownloadItem): Promise<Head | null> {
    const { browser, heads, now, after } = this.#world
    const address = addressOf(item)
    const start = Date.parse(item.startTime ?? '') || now()
    const known = heads.take(address, start)
    if (known !== null || isChromium(browser) || item.incognito === true || hostNameOf(address) === null) return known
    return (await this.#hasAccess()) ? heads.wait(address, start, after(HEAD_LIMIT)) : null
  }

  #hasAccess(): Promise<boolean> {
    return this.#world.browser.permissions.contains({ origins: ['<all_urls>'] })
  }

  /** Returns whether one more download may be handed over now. If so, counts it once. */
  async #permits(item: DownloadItem, head: Head): Promise<boolean> {
    if (this.#counted.has(item.id)) return true
    if (this.#open.size > MOST_OPEN) return false
    const { tab } = head
    // A page can hide its address from `referrer`, but not from the initiator and the tab.
    const pages = [item.referrer, head.initiator, await addressOfTab(this.#world.browser, tab)]
    const isKnown = pages.some((page) => hostNameOf(page) !== null)
    const sources = sourcesOf(tab, isKnown ? pages : [addressOf(item)])
    let permitted = false
    await this.#activity.update((activity) => {
      const counted = countHandOff(activity, sources, this.#world.now())
      permitted = counted !== null
      return counted ?? activity
    })
    if (permitted) this.#counted.add(item.id)
    return permitted
  }

  async #run(id: number): Promise<void> {
    const { browser } = this.#world
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const pair = (await this.#pairs.get())[id]
      if (pair === undefined) return
      const state = await this.#state(id)
      switch (nextStep(pair.phase, state)) {
        case 'ask':
          if (await this.#ask(id, pair)) continue
          return
        case 'cancel':
          // If the response ends after this check, the download is cancelled nevertheless.
          if (state === 'running' && (pair.is_received || this.#world.heads.isReceived(pair.request)))
            return this.#leaveReceived(id, pair)
          await browser.downloads.cancel(id).catch(() => undefined)
          if (afterCancel(await this.#state(id)) !== 'erase') continue
          return this.#erase(id)
        case 'erase':
          return this.#erase(id)
        case 'let-go':
          return this.#release(id, pair)
        case 'forget':
          return this.#forget(id)
      }
    }
  }

  /**
   * Lets the browser finish a paused download whose response it has received. Chromium must not cancel it: the
   * call would also cancel another download that began after the end of the response.
   */
  async #leaveReceived(id: number, pair: Pair): Promise<void> {
    await this.#resume(id)
    const item = await this.#item(id)
    if (item !== undefined) await this.#keep(item, { rule: 'received' })
    await this.#release(id, pair)
  }

  async #erase(id: number): Promise<void> {
    await this.#world.browser.downloads.erase({ id }).catch(() => undefined)
    await this.#forget(id)
  }

  /** Returns whether another step follows. */
  async #ask(id: number, pair: Pair): Promise<boolean> {
    const { browser, host, memory, after } = this.#world
    if (isChromium(browser)) await this.#pause(id, pair.ask)
    const settings = await memory.settings.get()
    const answered: Promise<Answer> = host.ask(pair.ask, pair.offered, sharedRules(settings)).then(
      (message) => answerOf(message, pair.ask),
      (error: unknown) => ({ type: 'declined', refusal: refusalOfError(error) }),
    )
    const answer = await Promise.race([answered, after(ANSWER_LIMIT).then(() => null)])
    if (answer?.type === 'taken') {
      const item = await this.#item(id)
      const isKept = item !== undefined && isDangerous(item)
      if (isKept) {
        // Check again: Chromium determines whether a file is dangerous only after it has determined the name.
        await this.#resume(id)
        await this.#keep(item, { rule: 'danger' })
      }
      if (isKept || !countsTaken(ownState(item))) {
        await this.#release(id, pair)
        return false
      }
      await this.#store(id, { ...pair, phase: 'taken' })
      await memory.records.update((records) => afterTaken(records, pair.site))
      return true
    }
    // Resume before storing the refusal. If the worker is killed between the two steps, Ashore is asked again. In the
    // other order, the download would stay paused.
    await this.#resume(id)
    if (answer?.type === 'rules') {
      await this.#forget(id)
      await memory.settings.update((now) => withRules(now, settings, answer.rules))
      this.#outdated.add(id)
      return false
    }
    // Ashore may have taken the file although its answer was lost. In that case, store the phase `refused`: the next
    // step of such a pair drops the file in Ashore.
    const isCertain = answer !== null && !UNCERTAIN.has(answer.refusal.code)
    if (isCertain) await this.#forget(id)
    else await this.#store(id, { ...pair, phase: 'refused' })
    const refusal = answer?.refusal ?? SILENT
    await memory.records.update((records) => afterRefusal(records, pair.site, refusal, this.#world.now()))
    await this.#remember({ name: pair.offered.name ?? '', site: pair.site, at: this.#world.now(), why: { refusal } })
    // Wait for the late answer: until then, the host cannot drop the download that it is asked about.
    if (answer === null) await answered
    return !isCertain
  }

  /** Drops the download in Ashore. If that fails, the next start of the worker tries again. */
  async #release(id: number, pair: Pair): Promise<void> {
    const next = (await this.#world.host.letGo(pair.ask)) ? null : afterFailedRelease(pair, this.#world.now())
    await (next === null ? this.#forget(id) : this.#store(id, next))
  }

  async #pause(id: number, ask: string): Promise<void> {
    const { alarms, downloads } = this.#world.browser
    await this.#paused.update((paused) => ({ ...paused, [id]: ask }))
    await alarms.create(ALARM, PERIOD).catch(() => undefined)
    await downloads.pause(id).catch(() => undefined)
  }

  /** Ends the pause of a download; `isWaiting` is false if the browser's download has ended. */
  async #resume(id: number, isWaiting = true): Promise<void> {
    const { browser } = this.#world
    if (!isChromium(browser)) return
    if (isWaiting) await browser.downloads.resume(id).catch(() => undefined)
    const left = await this.#paused.update((paused) => {
      const { [id]: ask, ...others } = paused
      return ask === undefined ? paused : others
    })
    await this.#clearAlarm(left)
  }

  async #clearAlarm(paused: Readonly<Record<string, string>>): Promise<void> {
    if (Object.keys(paused).length === 0) await this.#world.browser.alarms.clear(ALARM).catch(() => undefined)
  }

  async #item(id: number): Promise<DownloadItem | undefined> {
    return (await this.#world.browser.downloads.search({ id }))[0]
  }

  async #state(id: number): Promise<ReturnType<typeof ownState>> {
    return ownState(await this.#item(id))
  }

  async #store(id: number, pair: Pair): Promise<void> {
    await this.#pairs.update((pairs) => {
      // The end of the response may have been stored since `pair` was read.
      const is_received = pairs[id]?.is_received === true || this.#world.heads.isReceived(pair.request)
      return { ...pairs, [id]: { ...pair, is_received } }
    })
  }

  async #forget(id: number): Promise<void> {
    await this.#pairs.update(({ [id]: _, ...others }) => others)
    await this.#resume(id, false)
  }

  async #keep(item: DownloadItem, why: { rule: KeepReason }): Promise<void> {
    // Store no data about private windows.
    if (why.rule === 'private') return
    await this.#remember({ name: baseName(item.filename) ?? '', site: siteOf(item), at: this.#world.now(), why })
  }

  async #remember(kept: LastKept): Promise<void> {
    await this.#world.memory.lastKept.update(() => kept)
  }
}
