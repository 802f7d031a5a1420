// State that all views share, created once per page, and the user's actions. A failed action shows a notice. An action
// counts as done only when an event confirms it.
import { getContext, setContext } from 'svelte'

import { type Added, type Api, Failure, type FileId, type Look, type Registration, type SignIn } from '../api/api'
import { carry, dropped } from '../list/drag'
import { hasOneFile, isSettled, isStill, isUnstartedSend, senderId, type Step } from '../i18n/phase'
import { downloadedAgain } from '../list/data/again'
import { readCommands } from '../list/data/command-list'
import { type FileSources, readSources } from '../list/data/file-sources'
import { bySooner, putInto } from '../list/data/queue-order'
import { settingWords } from '../settings/setting-labels'
import { each, possible, type Refused, toggling } from '../list/data/bulk-actions'
import { words } from '../i18n/labels'
import { copy } from '../components/clipboard'
import { Afterwards } from '../power-action/power-action.svelte'
import { Copied } from '../add/clipboard-offer.svelte'
import { Details } from '../details/details.svelte'
import { Draft } from '../add/draft.svelte'
import { Downloads } from '../list/data/downloads.svelte'
import { Files } from '../list/data/files.svelte'
import { Notices } from './notices.svelte'
import { Recovered } from './recovery.svelte'
import { Removals } from '../list/data/removals.svelte'
import { Settings } from '../settings/settings.svelte'
import { Shown } from '../list/data/visible.svelte'
import { Speeds } from '../details/speeds'
import { Statistics } from '../statistics/statistics.svelte'
import { Sync } from '../sync/sync.svelte'
import { syncLinkAmong } from '../sync/sync-link'
import { syncWords } from '../sync/sync-labels'

export interface MenuRequest {
  uniqueId: string
  anchor: HTMLElement | { getBoundingClientRect: () => DOMRect }
}

/** View beside the sidebar. */
export type View = 'list' | 'settings' | 'statistics' | 'sync' | 'others'

export interface RemoveRequest {
  ids: readonly string[]
  files: boolean
}

export interface RelinkRequest {
  uniqueId: string
  /** Index of the file whose link is replaced. */
  index: number
}

export interface LimitRequest {
  /** Id of the download whose speed limit is edited; null for the total limit. */
  uniqueId: string | null
  /** Current speed limit, in bytes per second. */
  limit: number | null
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
  readonly copied: Copied
  readonly afterwards: Afterwards
  readonly settings: Settings
  readonly statistics: Statistics
  readonly removals: Removals
  readonly recovered: Recovered
  readonly sync: Sync
  view = $state<View>('list')
  menu = $state.raw<MenuRequest | null>(null)
  removing = $state.raw<RemoveRequest | null>(null)
  cancelling = $state.raw<readonly string[] | null>(null)
  relinking = $state.raw<RelinkRequest | null>(null)
  limiting = $state.raw<LimitRequest | null>(null)
  /** Id of the download whose server requires sign-in. */
  signingIn = $state.raw<string | null>(null)

  /** Title that the user is editing. Stored here, because the row of the download may be replaced in the meantime. */
  renaming = $state<{ uniqueId: string; typed: string } | null>(null)
  showsKeys = $state(false)
  /** Resolves when the state of sync has been read for the first time. */
  #readingSync: Promise<void> = Promise.resolve()

  constructor(api: Api) {
    this.api = api
    this.downloads = new Downloads(api)
    this.shown = new Shown(api, this.downloads)
    this.files = new Files(api, this.downloads)
    this.settings = new Settings(api, this.downloads, () => this.view === 'settings')
    this.statistics = new Statistics(api, this.downloads)
    this.removals = new Removals({
      hide: (ids) => this.downloads.hide(ids),
      bringBack: (ids) => this.downloads.bringBack(ids),
      isStill: (id) => {
        const row = this.downloads.hidden(id)
        return row && isStill(row.registration)
      },
      askIsStill: async (id) => isStill(await api.show(id)),
      remove: (id, files) => api.remove(id, files),
      failed: (refused, of) => this.#refuse(refused, of),
      keep: localStorage,
    })
    this.recovered = new Recovered({
      api,
      watch: (listener) => this.downloads.watch(listener),
      failed: (thrown) => this.notices.fail(thrown),
      keep: localStorage,
    })
    this.sync = new Sync({
      api: api.sync,
      watch: (listener) => api.can.sync && this.downloads.watch(listener),
      failed: (thrown) => this.notices.fail(thrown),
      turnedOn: (how) => how === 'joined' && this.notices.say(syncWords.joined),
    })
    this.details = new Details(api, this.downloads, this.shown)
    this.speeds = new Speeds(this.downloads)
    const learn = (added: Added): void => this.#learn(added)
    const failed = (thrown: unknown): void => this.notices.fail(thrown)
    const sent = (titles: readonly string[], device: string): void => this.#saySent(titles, device)
    this.draft = new Draft(api, { learn, failed, sent, keep: localStorage })
    this.downloads.watch(({ type }) => type === 'lagged' && this.draft.readAgain())
    this.afterwards = new Afterwards(api, failed)
    this.copied = new Copied(api, { learn, decide: (text) => this.draft.offer([text]), failed })
  }

  /** Whether a dialog is open or a title is being edited. */
  get isAsking(): boolean {
    return this.draft.isOpen || this.renaming !== null || this.asksOther
  }

  /** Whether a dialog other than the Add dialog is open; meanwhile, incoming links cannot be added. */
  get asksOther(): boolean {
    return (
      this.showsKeys ||
      this.sync.asking !== null ||
      [this.removing, this.cancelling, this.relinking, this.limiting, this.signingIn].some((asked) => asked !== null)
    )
  }

  async start(): Promise<void> {
    void this.removals.start()
    if (this.api.can.sync) this.#readingSync = this.sync.read()
    this.draft.comeBack()
    const reading = this.downloads.start()
    try {
      await this.api.leaving(() => {
        this.shown.leave()
        return Promise.all([this.draft.leave(), this.removals.carryOutAll()])
      })
      await this.api.links((links) => this.#take(links))
      // Wait until the list has been read, because only a download in the list can be selected.
      await this.api.looks((look) => void reading.then(() => this.#look(look)))
      await this.api.copied((text) => void this.copied.consider(text))
      await this.api.troubles((failure) => this.notices.fail(failure))
      await this.afterwards.start()
      this.#take(await this.api.takeLinks())
      for (const failure of await this.api.takeTroubles()) this.notices.fail(failure)
      const copied = await this.api.takeCopied()
      if (copied !== null) void this.copied.consider(copied)
      const look = await this.api.takeLook()
      if (look !== null) void reading.then(() => this.#look(look))
    } catch (thrown) {
      this.notices.fail(thrown)
    }
    await reading
    this.shown.comeBack()
    void this.recovered.read()
    const [first, ...others] = await this.settings.troubles()
    if (first !== undefined) this.notices.fail(new Failure('settings', settingWords.notFollowed(first, others.length)))
  }

  /** Switches to `view`; if `view` is already shown, switches back to the list. */
  toggleView(view: View): void {
    this.view = this.view === view ? 'list' : view
    if (this.view !== 'settings') return
    this.settings.open()
    // Dismiss the notices, because the settings show the same problems in full.
    this.notices.dismissAll()
  }

  /** Adds pasted text. If the text contains a link for sync, opens the view of sync with this link filled in. */
  paste(text: string): void {
    this.draft.offer(this.#takeSyncLink([text]))
  }

  /** Adds dropped files or text. */
  offer(data: DataTransfer): void {
    this.#try(async () => {
      const texts = await dropped(data)
      this.draft.offer(this.#takeSyncLink(texts.filter((text) => text !== null)))
      if (texts.includes(null)) throw new Failure('too-large', words.listTooLarge)
    })
  }

  /**
   * Handles dragging a row out of the window. Drags the file at `path`, or all files of the set if `path` is null.
   * If the row is selected, drags the files of the whole selection.
   */
  carry(data: DataTransfer, [uniqueId, index]: FileId, path: string | null): void {
    carry(data, path)
    const isChosen = this.shown.chosen.has(uniqueId)
    const ids = isChosen ? this.shown.chosenInOrder : [uniqueId]
    this.#try(async () => {
      if (path !== null && !isChosen) return this.api.carry([[uniqueId, index]])
      // Clear the files of the previous drag until the new files are known.
      await this.api.carry([])
      const files = await Promise.all(this.registrations(ids).map((one) => this.files.there(one)))
      await this.api.carry(files.flat())
    })
  }

  take(step: Step, uniqueId: string): void {
    switch (step) {
      case 'pause':
        return this.pause([uniqueId])
      case 'start':
        return this.startNow([uniqueId])
      case 'resume':
        return this.resume([uniqueId])
      case 'resume-all':
        // Resume the download itself only if it is paused. If it is not paused, it waits because all downloads are paused.
        return this.resume(possible(this.registrations([uniqueId])).resume)
      case 'retry':
        return this.retry([uniqueId])
      case 'anyway':
        return this.#try(() => this.api.goAnyway(uniqueId))
      case 'space':
        return this.#try(() => this.api.showFolder(uniqueId))
      case 'sign-in':
        this.signingIn = uniqueId
        return
      case 'relink':
        this.relinking = { uniqueId, index: 0 }
        return
      case 'folder':
        return this.putElsewhere(uniqueId)
      case 'open':
      case 'save':
        return this.open(uniqueId, 0)
      case 'files':
        return this.shown.toggle(uniqueId)
      case 'show':
        return this.showInFolder(uniqueId)
      case 'remove':
        return this.remove([uniqueId])
    }
  }

  pause(ids: readonly string[]): void {
    this.#each(ids, (id) => this.api.pause(id))
  }

  /** Starts queued downloads. If no slot is free, the engine stops the last running ones of the queue and keeps their bytes. */
  startNow(ids: readonly string[]): void {
    this.#each(ids, (id) => this.api.move(id, 'now'))
  }

  /** Resumes downloads. While everything is paused, also resumes everything, because otherwise none of them could start. */
  resume(ids: readonly string[]): void {
    if (this.downloads.totals.paused) this.#try(() => this.api.resume(null))
    this.#resumeEach(ids)
  }

  /** Gives a file another link; rejects if the engine refuses the link. */
  async relink({ uniqueId, index }: RelinkRequest, url: string): Promise<void> {
    await this.api.relink(uniqueId, index, url, null)
    if (this.downloads.peek(uniqueId)?.registration.state === 'paused') this.#resumeEach([uniqueId])
  }

  /** Opens the page of a download in the browser, where a click continues the download; rejects if it does not open. */
  async openPage({ uniqueId }: RelinkRequest): Promise<void> {
    await this.api.openPage(uniqueId)
  }

  /** Address that requires sign-in; the first such address if the download has several files. */
  async askedAt(uniqueId: string): Promise<string | null> {
    for (let from = 0; ;) {
      const page = await this.api.records(uniqueId, from, 1000)
      const asked = page.find(({ status }) => status === 401)
      if (asked !== undefined) return asked.url_chain.at(-1) ?? asked.url
      if (page.length === 0) return null
      from += page.length
    }
  }

  /** Sends a sign-in to the engine and retries the download; rejects if the engine refuses the sign-in. */
  async signIn(uniqueId: string, url: string, signIn: SignIn, isLasting: boolean): Promise<void> {
    await this.api.signIn(url, signIn, isLasting)
    this.retry([uniqueId])
  }

  /** Asks for another folder, and moves the files of the download there. */
  putElsewhere(uniqueId: string): void {
    this.#try(async () => {
      const folder = await this.api.chooseFolder()
      if (folder !== null) await this.api.putInto(uniqueId, folder)
    })
  }

  retry(ids: readonly string[]): void {
    this.#each(ids, (id) => this.api.retry(id))
  }

  cancel(ids: readonly string[]): void {
    this.#each(ids, (id) => this.api.abort(id))
  }

  beginRenaming(uniqueId: string): void {
    const row = this.downloads.peek(uniqueId)
    if (row !== undefined) this.renaming = { uniqueId, typed: row.registration.title }
  }

  /** Ends the editing and saves the title if `isKept`; an empty title changes nothing. */
  endRenaming(isKept: boolean): void {
    const { renaming } = this
    this.renaming = null
    if (renaming === null || !isKept) return
    const { uniqueId } = renaming
    const title = renaming.typed.trim()
    const before = this.downloads.peek(uniqueId)?.registration.title
    if (title !== '' && title !== before) this.#try(() => this.api.rename(uniqueId, title))
  }

  /** Pauses running and waiting downloads; if there are none, resumes paused downloads. */
  togglePause(ids: readonly string[]): void {
    const wanted = toggling(possible(this.registrations(ids)))
    if (wanted !== null) this[wanted.verb](wanted.ids)
  }

  open(uniqueId: string, index: number): void {
    this.#try(() => this.api.open(uniqueId, index))
  }

  /** Shows a file in its folder: the file with this index, or the first complete file if there is no index. */
  showInFolder(uniqueId: string, index?: number): void {
    this.#try(async () => this.api.showInFolder(uniqueId, index ?? (await this.#firstThere(uniqueId))))
  }

  toTheTop(ids: readonly string[]): void {
    this.#move(ids, 'top')
  }

  toTheEnd(ids: readonly string[]): void {
    this.#move(ids, 'bottom')
  }

  /** Moves the `moved` ids into the gap before position `gap` of `ids`. The array `ids` is in queue order. */
  putInto(ids: readonly string[], moved: readonly string[], gap: number): void {
    const place = putInto(ids, moved, gap)
    if (place === null) return
    this.#try(async () => {
      for (const id of moved) await this.api.move(id, place)
    })
  }

  /** Sets the total limit in bytes per second; null removes the limit. */
  limit(bytesPerSecond: number | null): void {
    this.#try(() => this.api.limit(null, bytesPerSecond))
  }

  /** Opens the dialog for the limit of one download, or for the total limit if the id is null. */
  askLimit(uniqueId: string | null): void {
    this.#try(async () => {
      if (uniqueId === null) {
        this.limiting = { uniqueId, limit: this.downloads.totals.speed_limit }
        return
      }
      const own = (await this.api.limits()).find(({ scope }) => scope.type === 'registration' && scope.unique_id === uniqueId)
      this.limiting = { uniqueId, limit: own?.bytes_per_second ?? null }
    })
  }

  toggleEverything(): void {
    const pause = !this.downloads.totals.paused
    this.#try(() => (pause ? this.api.pause(null) : this.api.resume(null)))
  }

  /**
   * Removes settled downloads immediately, with undo. Asks for confirmation first if bytes would be lost or files
   * deleted.
   */
  remove(ids: readonly string[], files = false): void {
    const registrations = this.registrations(ids)
    if (files || !registrations.every(isSettled)) this.removing = { ids, files }
    else if (registrations.length > 0) this.removals.remove(ids, registrations[0]!.title)
  }

  /**
   * Removes downloads after the user has confirmed. Running downloads are paused until the removal. Undo restores
   * the downloads and their files.
   */
  removeAsked({ ids, files }: RemoveRequest): void {
    const registrations = this.registrations(ids)
    if (registrations.length === 0) return
    const moving = possible(registrations).pause
    this.removals.remove(
      registrations.map(({ unique_id }) => unique_id),
      registrations[0]!.title,
      files,
      moving,
    )
    this.pause(moving)
  }

  takeBack(): void {
    const removal = this.removals.takeBack()
    if (removal === null) return
    this.#resumeEach(removal.moving)
    this.shown.choose(removal.ids)
    if (removal.ids[0] !== undefined && this.shown.has(removal.ids[0])) this.shown.wanted = removal.ids[0]
    this.notices.say(words.backAgain(removal.ids.length, removal.title))
  }

  closeWindow(): void {
    this.#try(() => this.api.closeWindow())
  }

  quit(): void {
    this.#try(() => this.api.quit())
  }

  /** Trusts the machine that sent `registration`, and starts all downloads that it has sent, unless the user declines. */
  async startAlways({ owner }: Registration): Promise<void> {
    if (!(await this.sync.trust(senderId(owner), true))) return
    const sent = this.registrations(this.downloads.order()).filter((one) => one.owner === owner && isUnstartedSend(one))
    this.#resumeEach(sent.map(({ unique_id }) => unique_id))
  }

  /** Opens the dialog that sends downloads to another machine. */
  askSend(ids: readonly string[]): void {
    const registrations = this.registrations(ids)
    if (registrations.length > 0) this.sync.asking = { what: 'send', registrations }
  }

  send(registrations: readonly Registration[], device: string): void {
    const ids = registrations.map(({ unique_id }) => unique_id)
    void each(ids, (id) => this.api.sync.send(id, device)).then((refused) => {
      this.#refuse(refused, ids.length)
      const sent = registrations.filter(({ unique_id: id }) => !refused.some((one) => one.id === id))
      this.#saySent(
        sent.map(({ title }) => title),
        device,
      )
    })
  }

  #saySent(titles: readonly string[], device: string): void {
    const machine = this.sync.device(device)?.name ?? device
    if (titles.length === 1) this.notices.say(syncWords.send.sent(titles[0]!, machine))
    else if (titles.length > 1) this.notices.say(syncWords.send.sentMany(titles.length, machine))
  }

  copyLinks(ids: readonly string[]): void {
    this.#try(async () => {
      const links = this.#linksOf(ids)
      if (!(await copy(links.then((urls) => urls.join('\n'))))) throw new Failure('clipboard', words.notCopied)
      this.notices.say(words.copied((await links).length))
    })
  }

  /** Copies the cURL commands that fetch the files of these downloads. */
  copyCommands(ids: readonly string[]): void {
    this.#try(async () => {
      const commands = readCommands(this.registrations(ids), (id) => this.#sourcesOf(id))
      const text = commands.then(({ lines }) => lines.join('\n'))
      if (!(await copy(text))) throw new Failure('clipboard', words.details.notCopied)
      const { hidden } = await commands
      this.notices.say(hidden.length === 0 ? words.commandCopied : words.commandCopiedWithout(hidden.join(', ')))
    })
  }

  /** Adds the links of a download again, as a new download. */
  downloadAgain(registration: Registration): void {
    this.#try(async () => {
      const { files, hidden } = await this.#sourcesOf(registration.unique_id)
      this.#learn(await this.api.add(downloadedAgain(registration, files, crypto.randomUUID())))
      if (hidden.length > 0) this.notices.say(words.againWithout(registration.title, hidden.join(', ')))
    })
  }

  #learn(added: Added): void {
    if (added.how === 'ignored') return
    const { how, ...registration } = added
    this.downloads.learn(registration)
    this.shown.show(registration.unique_id)
    // Dismiss the offer of copied links, because the user may have just added them.
    this.copied.dismiss()
    if (how === 'moved') this.notices.say(words.wasWaiting(registration.title))
    if (how === 'running') this.notices.say(words.wasRunning(registration.title))
  }

  /** Handles links from outside the page. An empty text means that the user wants to add a download. */
  #take(links: readonly string[]): void {
    if (links.length > 0 && links.join('').trim() === '') this.draft.open()
    else this.draft.offer(this.#takeSyncLink(links), 'handed')
  }

  /**
   * Opens the view of sync if the texts contain a link for sync. Any page can hand over a link, so nothing is submitted.
   * Returns the texts without the link.
   */
  #takeSyncLink(texts: readonly string[]): readonly string[] {
    const among = this.api.can.sync ? syncLinkAmong(texts) : null
    if (among === null) return texts
    const { found, others } = among
    this.view = 'sync'
    void this.#readingSync.then(() => {
      if (this.sync.isOn) this.notices.fail(new Failure('wrong-state', syncWords.link.alreadyOn, { variant: 'syncing' }))
      else this.sync.setUp.fillIn(found)
    })
    return others
  }

  #look({ unique_id, is_close }: Look): void {
    if (this.downloads.peek(unique_id) === undefined) return
    this.view = 'list'
    this.shown.show(unique_id)
    if (is_close) this.details.open('activity')
  }

  /** Current registrations with these ids; ids that do not exist are skipped. */
  registrations(ids: readonly string[]): Registration[] {
    return ids.map((id) => this.downloads.peek(id)?.registration).filter((registration) => registration !== undefined)
  }

  async #linksOf(ids: readonly string[]): Promise<string[]> {
    const links: string[] = []
    for (const id of ids) for (const { url } of await this.files.all(id)) links.push(url)
    return links
  }

  async #sourcesOf(id: string): Promise<FileSources> {
    return readSources(this.api, id, await this.files.all(id))
  }

  /** Moves downloads to the top or the bottom of the queue. Their order among each other stays the same. */
  #move(ids: readonly string[], place: 'top' | 'bottom'): void {
    const inTurn = this.registrations(ids).reverse().sort(bySooner)
    const title = inTurn[0]?.title ?? ''
    this.#try(async () => {
      for (const { unique_id } of place === 'top' ? inTurn.reverse() : inTurn) await this.api.move(unique_id, place)
      if (ids.length > 1) this.notices.say(place === 'top' ? words.areNext(ids.length) : words.areLast(ids.length))
      else this.notices.say(place === 'top' ? words.isNext(title) : words.isLast(title))
    })
  }

  async #firstThere(uniqueId: string): Promise<number> {
    const registration = this.downloads.peek(uniqueId)?.registration
    if (registration === undefined || hasOneFile(registration)) return 0
    for (let from = 0; from < registration.requests;) {
      const page = await this.api.records(uniqueId, from, 1000)
      const there = page.find((record) => record.path !== null)
      if (there !== undefined) return there.index
      if (page.length === 0) break
      from += page.length
    }
    return 0
  }

  #resumeEach(ids: readonly string[]): void {
    this.#each(ids, (id) => this.api.resume(id))
  }

  #each(ids: readonly string[], verb: (id: string) => Promise<unknown>): void {
    void each(ids, verb).then((refused) => this.#refuse(refused, ids.length))
  }

  #refuse(refused: readonly Refused[], of: number): void {
    const first = refused[0]?.failure
    if (first === undefined) return
    this.notices.fail(of === 1 ? first : new Failure(first.code, words.notForAll(refused.length, of, words.sentence(first))))
  }

  #try(verb: () => Promise<unknown>): void {
    verb().catch((thrown: unknown) => this.notices.fail(thrown))
  }
}

const KEY = Symbol('app')
export const provideApp = (app: App): App => setContext(KEY, app)
export const useApp = (): App => getContext<App>(KEY)
