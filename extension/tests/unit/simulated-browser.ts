// Simulated browser and simulated Ashore for unit tests. Tests can count the copies of a download in both. A worker can
// be killed at any call.
import { vi } from 'vitest'

import type { BrowserApi, Cookie, DownloadItem, Tab } from '../../src/browser/api'
import { HandOff } from '../../src/handoff/handoff'
import type { Host } from '../../src/host/host'
import type { OfferedDownload } from '../../src/host/protocol'
import type { BrowserRules } from '../../src/host/shared-rules'
import { Heads } from '../../src/responses/heads'
import { memoryOf } from '../../src/settings/memory'

export const ITEM: DownloadItem = {
  id: 7,
  url: 'https://files.test/disk.iso',
  referrer: 'https://page.test/list',
  filename: '/home/ada/disk.iso',
  totalBytes: 5_000_000,
  state: 'in_progress',
  incognito: false,
}

// Replace the locks of Node: a worker that is killed in a test would hold them for ever.
vi.stubGlobal('navigator', {})

export type Reply = 'take' | 'refuse' | 'fail' | 'missing' | 'take-and-fail' | 'take-and-silent' | 'hang' | 'garbage'

/** Ends a worker: its promise never settles, as in a process that was killed. */
const never = (): Promise<never> => new Promise(() => {})

export class Simulation {
  readonly log: string[] = []
  readonly items = new Map<number, DownloadItem>()
  /** Downloads that Ashore has accepted, by request id. */
  readonly held = new Map<string, OfferedDownload>()
  readonly stored = { local: {} as Record<string, unknown>, session: {} as Record<string, unknown> }
  reply: Reply = 'take'
  refusalCode = 'browser-not-same-file'
  /** Code of the refusal of `take-and-silent`. */
  silentCode = 'browser-ashore-silent'
  /** Rules of Ashore; null if it does not run. */
  rules: BrowserRules | null = null
  rulesRead = 0
  now = 1_000_000
  /** Runs before the answer of Ashore, for example to end the browser's download. */
  beforeAnswer: () => void = () => {}
  /** Number of calls after which the worker is killed. */
  callsLeft = Infinity
  limitPassed = false
  /** Whether Ashore runs when a download is to be dropped. */
  canRelease = true
  storageFails = false
  hasAccess = true
  /** Headers of the response of each download; null if `webRequest` reports none. */
  headers: Record<string, string> | null = null
  cookies: Cookie[] = []
  /** Tab that the responses belong to. */
  tab: Tab | null = { id: 1, url: 'https://page.test/list' }
  /** Name of the alarm that will start a worker. */
  alarm: string | null = null
  readonly heads = new Heads()
  #hung: (() => void)[] = []
  #life = 0

  constructor(readonly family: 'chromium' | 'firefox') {}

  /** Starts a worker. An earlier worker stops at its next call. */
  worker(): HandOff {
    this.#life += 1
    const browser = this.#browser(this.#life)
    return new HandOff({
      browser,
      user_agent: 'Test/1.0',
      host: this.#host(this.#life),
      heads: this.heads,
      memory: memoryOf(browser),
      now: () => this.now,
      after: () => (this.limitPassed ? Promise.resolve() : never()),
    })
  }

  /** Reports a response head for the download, as `webRequest` does with access to all sites. */
  seeHead(headers: Record<string, string> = {}, details: Partial<Parameters<Heads['onHead']>[0]> = {}): void {
    const responseHeaders = Object.entries({ 'content-type': 'application/octet-stream', ...headers }).map(([name, value]) => ({
      name,
      value,
    }))
    this.heads.onHead({
      requestId: '1',
      url: ITEM.url,
      method: 'GET',
      type: 'main_frame',
      tabId: 1,
      statusCode: 200,
      timeStamp: this.now,
      responseHeaders,
      ...details,
    })
  }

  begin(changes: Partial<DownloadItem> = {}): DownloadItem {
    const item = { ...ITEM, ...changes }
    this.items.set(item.id, item)
    if (this.headers !== null) this.seeHead(this.headers)
    return { ...item }
  }

  change(id: number, changes: Partial<DownloadItem>): void {
    const item = this.items.get(id)
    if (item !== undefined) this.items.set(id, { ...item, ...changes })
  }

  /** Releases the answers of Ashore that were held back. */
  releaseAnswers(): void {
    this.#hung.splice(0).forEach((release) => release())
  }

  /** Returns the copies in the browser and in Ashore that are complete or still arriving. */
  copies(): string[] {
    const inBrowser = [...this.items.values()].filter(({ state, paused }) => state !== 'interrupted' && paused !== true)
    return [...inBrowser.map(() => 'browser'), ...[...this.held.keys()].map(() => 'ashore')]
  }

  /**
   * Simulates a call of a worker. If the worker is killed at this call, the call takes effect, but its answer never arrives.
   */
  async #call<Result>(life: number, name: string, act: () => Result): Promise<Result> {
    if (life !== this.#life || this.callsLeft <= 0) return never()
    this.callsLeft -= 1
    this.log.push(name)
    const result = act()
    await Promise.resolve()
    return this.callsLeft <= 0 ? never() : result
  }

  #host(life: number): Host {
    return {
      greet: async () => null,
      offer: async () => null,
      rules: async () => {
        this.rulesRead += 1
        return this.rules
      },
      ask: async (ask, download, rules) => {
        const reply = this.reply
        const other = this.rules
        if (rules !== null && other !== null && JSON.stringify(rules) !== JSON.stringify(other)) {
          return this.#call(life, 'rules', () => ({ type: 'rules', ask, rules: other }))
        }
        return this.#call(life, `ask ${ask.split('/')[1]}`, () => {
          this.beforeAnswer()
          const wasHeld = this.held.has(ask)
          if (reply === 'hang' || reply.startsWith('take')) this.held.set(ask, download)
          if (reply === 'fail' || reply === 'take-and-fail') throw new Error('Native host has exited.')
          if (reply === 'missing') throw new Error('Specified native messaging host not found.')
          if (reply === 'garbage') return 'taken'
          if (reply === 'take-and-silent') return { type: 'declined', ask, code: this.silentCode, args: {}, text: 'No answer.' }
          if (reply === 'refuse') return { type: 'declined', ask, code: this.refusalCode, args: {}, text: 'Not the same file.' }
          const answer = { type: wasHeld ? 'already' : 'taken', ask, unique_id: 'g' }
          return reply === 'take' ? answer : new Promise((resolve) => this.#hung.push(() => resolve(answer)))
        })
      },
      letGo: async (ask) => {
        return this.#call(life, 'let_go', () => {
          if (this.canRelease) this.held.delete(ask)
          return this.canRelease
        })
      },
    }
  }

  #browser(life: number): BrowserApi {
    const call = <Result>(name: string, act: () => Result): Promise<Result> => this.#call(life, name, act)
    const known = (id: number): DownloadItem => {
      const item = this.items.get(id)
      if (item === undefined) throw new Error('unknown download')
      return item
    }
    const area = (values: Record<string, unknown>) => ({
      get: async (key: string | null) => structuredClone(key === null ? values : { [key]: values[key] }),
      set: (changes: Record<string, unknown>) =>
        call('set', () => {
          if (this.storageFails) throw new Error('The storage is full.')
          Object.assign(values, structuredClone(changes))
        }),
      remove: (key: string) => call('remove', () => void delete values[key]),
    })
    const downloads = {
      // The event exists for both browser families, because Firefox may add it one day.
      onDeterminingFilename: {},
      search: async ({ id }: { id: number }) =>
        life === this.#life ? [this.items.get(id)].filter((one) => one !== undefined) : never(),
      pause: (id: number) => call('pause', () => this.change(known(id).id, { paused: true })),
      resume: (id: number) =>
        call('resume', () => this.change(known(id).id, { state: 'in_progress', error: null, paused: false })),
      cancel: (id: number) =>
        call('cancel', () => {
          // Cancelling an interrupted download has no effect in Chromium, and does not change the error in Firefox.
          if (known(id).state === 'in_progress') this.change(id, { state: 'interrupted', error: 'USER_CANCELED', paused: false })
        }),
      erase: ({ id }: { id: number }) => call('erase', () => void this.items.delete(id)),
    }
    const permissions = { contains: async () => this.hasAccess }
    const alarms = {
      create: (name: string) => call('create alarm', () => void (this.alarm = name)),
      clear: () => call('clear alarm', () => void (this.alarm = null)),
    }
    const tabs = { get: async () => this.tab ?? Promise.reject(new Error('No tab.')) }
    const scheme = this.family === 'chromium' ? 'chrome-extension' : 'moz-extension'
    return {
      downloads,
      permissions,
      runtime: { getURL: (path: string) => `${scheme}://id/${path}` },
      tabs,
      alarms,
      cookies: { getAll: async () => this.cookies },
      storage: { local: area(this.stored.local), session: area(this.stored.session) },
    } as unknown as BrowserApi
  }
}

/** Waits until all promises have settled, except those that wait for a step of the test. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) await Promise.resolve()
}
