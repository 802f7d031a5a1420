// Everything the views share, made once for a page, with the verbs a person can give. Verbs that fail say so in a
// notice; nothing is assumed to have happened before an event says so.
import { getContext, setContext } from 'svelte'

import { type Api, Failure } from '../api/api'
import { hasOneFile, isSettled, type Step } from '../lib/phase'
import { putInto } from '../lib/queue'
import { words } from '../lib/words'
import { copy } from '../parts/clipboard'
import { Details } from './details.svelte'
import { Draft } from './draft.svelte'
import { Downloads } from './downloads.svelte'
import { Files } from './files.svelte'
import { Notices } from './notices.svelte'
import { Shown } from './shown.svelte'
import { Speeds } from './speeds'

export interface MenuRequest {
  uniqueId: string
  anchor: HTMLElement | { getBoundingClientRect: () => DOMRect }
}

export interface RemoveRequest {
  uniqueId: string
  files: boolean
}

export class App {
  readonly api: Api
  readonly downloads: Downloads
  readonly shown: Shown
  readonly files: Files
  readonly details: Details
  readonly speeds: Speeds
  readonly notices = new Notices()
  readonly draft: Draft
  menu = $state.raw<MenuRequest | null>(null)
  removing = $state.raw<RemoveRequest | null>(null)
  cancelling = $state.raw<string | null>(null)

  constructor(api: Api) {
    this.api = api
    this.downloads = new Downloads(api)
    this.shown = new Shown(api, this.downloads)
    this.files = new Files(api, this.downloads)
    this.details = new Details(api, this.downloads, this.shown)
    this.speeds = new Speeds(this.downloads)
    this.draft = new Draft(api, (added) => {
      if (added.how === 'ignored') return
      const { how, ...registration } = added
      this.downloads.learn(registration)
      this.shown.show(registration.unique_id)
      if (how === 'moved') this.notices.say(words.wasWaiting(registration.title))
      if (how === 'running') this.notices.say(words.wasRunning(registration.title))
    })
  }

  async start(): Promise<void> {
    const reading = this.downloads.start()
    try {
      await this.api.links((links) => this.draft.offer(links))
      this.draft.offer(await this.api.takeLinks())
    } catch (thrown) {
      this.notices.fail(thrown)
    }
    await reading
  }

  take(step: Step, uniqueId: string): void {
    switch (step) {
      case 'pause':
        return this.#try(() => this.api.pause(uniqueId))
      case 'resume':
        return this.#try(() => this.api.resume(uniqueId))
      case 'resume-all':
        return this.#try(() => this.api.resume(null))
      case 'retry':
        return this.#try(() => this.api.retry(uniqueId))
      case 'open':
        return this.open(uniqueId, 0)
      case 'show':
        return this.showInFolder(uniqueId)
      case 'remove':
        this.removing = { uniqueId, files: false }
    }
  }

  open(uniqueId: string, index: number): void {
    this.#try(() => this.api.open(uniqueId, index))
  }

  /** Without an index: the first file that is there. */
  showInFolder(uniqueId: string, index?: number): void {
    this.#try(async () => this.api.showInFolder(uniqueId, index ?? (await this.#firstThere(uniqueId))))
  }

  toTheTop(uniqueId: string): void {
    const title = this.downloads.peek(uniqueId)?.registration.title ?? ''
    this.#try(async () => {
      await this.api.move(uniqueId, 'top')
      this.notices.say(words.isNext(title))
    })
  }

  /** Puts one of `ids`, which are in the order in which they will go on, into the gap before position `gap`. */
  putInto(ids: readonly string[], uniqueId: string, gap: number): void {
    const place = putInto(ids, uniqueId, gap)
    if (place !== null) this.#try(() => this.api.move(uniqueId, place))
  }

  toTheEnd(uniqueId: string): void {
    const title = this.downloads.peek(uniqueId)?.registration.title ?? ''
    this.#try(async () => {
      await this.api.move(uniqueId, 'bottom')
      this.notices.say(words.isLast(title))
    })
  }

  /** Pauses what runs or waits, resumes what is paused. */
  togglePause(uniqueId: string): void {
    const registration = this.downloads.peek(uniqueId)?.registration
    if (registration === undefined || isSettled(registration)) return
    this.take(registration.state === 'paused' ? 'resume' : 'pause', uniqueId)
  }

  toggleEverything(): void {
    const pause = !this.downloads.totals.paused
    this.#try(() => (pause ? this.api.pause(null) : this.api.resume(null)))
  }

  cancel(uniqueId: string): void {
    this.#try(() => this.api.abort(uniqueId))
  }

  remove({ uniqueId, files }: RemoveRequest): void {
    this.#try(() => this.api.remove(uniqueId, files))
  }

  copyLinks(uniqueId: string): void {
    this.#try(async () => {
      const links = this.files.all(uniqueId).then((records) => records.map((record) => record.url))
      if (!(await copy(links.then((urls) => urls.join('\n'))))) throw new Failure('clipboard', words.notCopied)
      this.notices.say(words.copied((await links).length))
    })
  }

  async #firstThere(uniqueId: string): Promise<number> {
    const registration = this.downloads.peek(uniqueId)?.registration
    if (registration === undefined || hasOneFile(registration)) return 0
    for (let from = 0; from < registration.requests; ) {
      const page = await this.api.records(uniqueId, from, 1000)
      const there = page.find((record) => record.path !== null)
      if (there !== undefined) return there.index
      if (page.length === 0) break
      from += page.length
    }
    return 0
  }

  #try(verb: () => Promise<unknown>): void {
    verb().catch((thrown: unknown) => this.notices.fail(thrown))
  }
}

const KEY = Symbol('app')
export const provideApp = (app: App): App => setContext(KEY, app)
export const useApp = (): App => getContext<App>(KEY)
