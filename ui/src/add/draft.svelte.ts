// Draft of the Add dialog. Closing the dialog empties the draft. An open draft is saved only when the page unloads.
import {
  type Added,
  type Api,
  Failure,
  type ExistingLinks,
  type KnownFile,
  type NewRegistration,
  type NewRequest,
  type UnderstoodLine,
} from '../api/api'
import { along, type Input, type Options, type Place, placeOf, type Repeat } from './input'
import type { Entered } from './input-source'
import { FOLDER_SETTING } from '../settings/folders'
import { keyOf, readHeaders, twice, unfinished } from './duplicates'
import { type LeftDraft, openLinks, readDraft, withoutSecrets } from '../list/data/saved-view'
import { nameOf, readChecksum, without } from './links'
import { type AddCall, Adding } from './adding.svelte'
import { each } from '../list/data/bulk-actions'
import { words } from '../i18n/labels'
import { Findings } from './probe.svelte'

/** Delay between the last keystroke and parsing, in milliseconds. */
const PAUSE = 80
/** Minimum number of calls at which the dialog closes at once and a job adds the links in the background. */
const MANY_CALLS = 9
const LEFT = 'ashore.draft'

interface DraftCallbacks {
  /** Called with every registration as it is added. */
  learn: (added: Added) => void
  /** Called with a failure that is unrelated to adding the links. */
  failed: (thrown: unknown) => void
  /** Called after links were sent to another machine. `titles` are the titles of the sent links. */
  sent?: (titles: readonly string[], device: string) => void
  keep: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}

export class Draft {
  /** Lines parsed by the engine; updated shortly after the text changes. */
  lines = $state.raw<readonly UnderstoodLine[]>([])
  title = $state('')
  checksum = $state('')
  /** Headers for all requests, as `Name: value` lines. */
  headers = $state('')
  /** Cookies for every server of the links, as `name=value; other=value` or as lines of a cookies.txt. */
  cookies = $state('')
  user = $state('')
  password = $state('')
  /** Whether sign-in and cookies are stored permanently. */
  isKept = $state(false)
  each = $state<'set' | 'each'>('set')
  start = $state<'now' | 'first' | 'later'>('now')
  isSending = $state(false)
  /** Name of the chosen machine. */
  deviceName = $state('')
  failure = $state.raw<{ text: string; place: Place } | null>(null)
  /** Source of the latest change to the text. */
  how: Entered = 'typed'
  readonly findings: Findings
  /** Jobs that add links. A job of many calls continues after the dialog has closed. */
  readonly adding = new Adding()

  /** Lines whose links the user has not excluded. */
  readonly wanted = $derived.by(() => this.lines.filter((line) => !this.isExcluded(line)))
  /** Requests of the wanted lines. A single request gets the file name that the user typed. */
  readonly requests = $derived.by((): NewRequest[] => {
    const [only, ...others] = this.wanted.flatMap((line) => line.requests)
    if (only === undefined) return []
    const name = this.name.trim()
    return others.length === 0 && name !== '' ? [{ ...only, name }] : [only, ...others]
  })
  readonly count = $derived(this.requests.length)
  readonly unfinished = $derived.by(() => unfinished(this.findings.known, this.count))
  readonly twice = $derived.by(() => twice(this.findings.known))
  /** Possible actions for links that are already in the list; empty if the user has no choice. */
  readonly repeats = $derived.by((): readonly Repeat[] => {
    // Another machine downloads the links, so this machine's list does not matter.
    if (this.device !== null) return []
    const goesOn = this.unfinished.length > 0
    const isTwice = this.count > 1 && this.twice.size > 0
    if (!goesOn && !isTwice) return []
    const goOn = goesOn ? (['go-on'] as const) : []
    // A running download may be another file of the same path, so it gets a new link only if the user chooses this.
    if (this.unfinished.every(({ registration }) => registration.state === 'running'))
      return [...(isTwice ? ['skip' as const] : []), 'again', ...goOn]
    return [...goOn, ...(isTwice ? ['skip' as const] : []), 'again']
  })
  /** Unfinished files in the list that will continue with these links; empty unless the action is `go-on`. */
  readonly going = $derived.by((): readonly KnownFile[] => (this.repeat === 'go-on' ? this.unfinished : []))
  /** Positions of the links that are skipped. */
  readonly #left = $derived.by((): ReadonlySet<number> => {
    if (this.repeat === 'again' || this.device !== null) return new Set()
    const going = new Set(this.going.map(({ link }) => link))
    return new Set([...this.twice].filter((link) => !going.has(link)))
  })
  /** Number of links that would be added or would continue an unfinished file. */
  readonly sending = $derived(this.count - this.#left.size)

  /** Keys of the lines that the user has excluded. */
  #excluded = $state.raw<ReadonlySet<string>>(new Set())
  #isOpen = $state(false)
  /** Whether `send` runs and has sent no link yet. Emptying the draft sets this to false, which cancels `send`. */
  #isWaiting = false
  #device = $state<string | null>(null)
  #text = $state('')
  #name = $state('')
  #folder = $state('')
  #repeat = $state<Repeat | null>(null)
  #reading: ReturnType<typeof setTimeout> | null = null
  /** Maps each request with the headers of the form to the same request without these headers. */
  readonly #plain = new WeakMap<NewRequest, NewRequest>()
  /** Whether the engine could not parse the current text. */
  #isUnread = false
  /** Input of the jobs in the background, with the links that they have added so far. */
  readonly #jobs = new Map<Input, ReadonlySet<NewRequest>>()
  readonly #api: Api
  readonly #callbacks: DraftCallbacks

  constructor(api: Api, callbacks: DraftCallbacks) {
    this.#api = api
    this.#callbacks = callbacks
    // Probe a link only if this machine will fetch it as a new download. A probe could use up a single-use link that an
    // unfinished file or another machine needs.
    this.findings = new Findings(
      api,
      (place) => this.device === null && !this.going.some(({ link }) => link === place),
      (url) => this.#introduce(url),
    )
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  set isOpen(isOpen: boolean) {
    if (isOpen === this.#isOpen) return
    this.#isOpen = isOpen
    if (isOpen) this.#follow()
    // While links are sent, only `send` empties the draft, because refused links must stay in it.
    else if (!this.isSending || this.#isWaiting) this.#empty()
  }

  /** Chooses the machine that downloads the links. The name of the machine is kept, in case the machine leaves the list. */
  choose(target: { device: string; name: string } | null): void {
    this.deviceName = target?.name ?? ''
    this.device = target?.device ?? null
  }

  /** Machine that downloads the links; null for this machine. */
  get device(): string | null {
    return this.#device
  }

  set device(device: string | null) {
    this.#device = device
    // Release the stored responses, which another machine cannot use.
    this.findings.end()
    this.#follow()
  }

  get text(): string {
    return this.#text
  }

  set text(text: string) {
    this.#text = text
    this.#readSoon()
  }

  isExcluded({ requests: [first] }: UnderstoodLine): boolean {
    return first !== undefined && this.#excluded.has(this.#keyOf(first))
  }

  /** Excludes the links of a line from the links to add, or includes them again. */
  exclude({ requests: [first] }: UnderstoodLine, isExcluded: boolean): void {
    if (first === undefined) return
    const excluded = new Set(this.#excluded)
    if (isExcluded) excluded.add(this.#keyOf(first))
    else excluded.delete(this.#keyOf(first))
    this.#excluded = excluded
    this.#follow()
  }

  /** File name chosen for a single link. */
  get name(): string {
    return this.#name
  }

  set name(name: string) {
    this.#name = name
    if (this.#isOpen) this.findings.moved(this.requests, this.folder.trim())
  }

  /** Target folder; empty selects the folder that is set for this category. */
  get folder(): string {
    return this.#folder
  }

  set folder(folder: string) {
    this.#folder = folder
    if (this.#isOpen) this.findings.moved(this.requests, folder.trim())
  }

  /** Action for links that are already in the list; `again` if the user has no choice. */
  get repeat(): Repeat {
    const [usual] = this.repeats
    if (this.#repeat !== null && this.repeats.includes(this.#repeat)) return this.#repeat
    // If all pasted links are already in the list, the user wants to add them again.
    return usual === undefined || (usual === 'skip' && this.twice.size === this.count) ? 'again' : usual
  }

  set repeat(repeat: Repeat) {
    this.#repeat = repeat
    this.#follow()
  }

  open(): void {
    this.isOpen = true
  }

  /** Saves links and options for the next page before this page unloads. Credentials and headers are not saved. */
  async leave(): Promise<void> {
    if (this.#reading !== null) await this.#read()
    // Save the links that the jobs in the background have not added yet.
    const drafts = [...this.#jobs].map(([input, added]) => saved(openLinks(input.wanted, added), input))
    if (this.#isOpen) drafts.push(saved(withoutSecrets(this.text, this.lines), this))
    const written = drafts.filter(({ text }) => text.trim() !== '')
    if (written.length === 0) this.#callbacks.keep.removeItem(LEFT)
    else this.#callbacks.keep.setItem(LEFT, JSON.stringify(written))
  }

  /** Restores the draft of the previous page. No server is contacted before the user continues with the draft. */
  comeBack(): void {
    const { text, ...options } = readDraft(this.#callbacks.keep.getItem(LEFT))
    if (text === '') return
    Object.assign(this, options)
    this.how = 'handed'
    this.text = text
    this.isOpen = true
  }

  /** Appends links received from outside to the end of the existing text. */
  offer(texts: readonly string[], how: 'handed' | 'offered' = 'offered'): void {
    const text = texts.join('\n').trim()
    if (text === '') return
    this.failure = null
    const isAlone = this.text.trim() === ''
    // If the open dialog already has text, treat the offered text as pasted, because the user is already editing.
    this.how = how === 'offered' && !isAlone && this.#isOpen ? 'pasted' : how
    this.text = isAlone ? text : `${this.text.trimEnd()}\n${text}`
    this.isOpen = true
  }

  /** Parses the links again if the engine could not be reached before. */
  readAgain(): void {
    if (!this.#isUnread) return
    this.failure = null
    this.#readSoon()
  }

  /** Handles a blur of the links field: the user has finished typing, or has accepted links from other programs. */
  leaveField(): void {
    if (this.how !== 'typed' && this.how !== 'handed') return
    this.how = 'left'
    if (this.#reading === null) this.#follow()
  }

  async chooseFolder(): Promise<void> {
    try {
      this.folder = (await this.#api.chooseFolder()) ?? this.folder
      if (this.failure?.place === 'folder') this.failure = null
    } catch (thrown) {
      this.failure = { text: words.sentence(Failure.of(thrown)), place: 'folder' }
    }
  }

  /**
   * Probes again after headers, sign-in or cookies changed. With other cookies the account may differ, so all
   * earlier responses are stale.
   */
  async changed(what: 'sign-in' | 'cookies' | 'headers'): Promise<void> {
    if (this.text.trim() === '') return
    await this.#read()
    if (this.count === 0) return
    try {
      await this.#signIn()
      this.findings.again(this.wanted, this.folder.trim(), what === 'cookies')
    } catch (thrown) {
      this.#fail(thrown)
    }
  }

  /** Adds the links. Closing the dialog before the first link is sent cancels this. Closing it later only hides it. */
  async send(): Promise<void> {
    if (this.isSending) return
    this.isSending = true
    this.failure = null
    this.#isWaiting = true
    try {
      if (this.#reading !== null || this.headers !== '') await this.#read()
      await this.findings.answered()
      if (!this.#isWaiting) return
      this.#isWaiting = false
      const checksum = this.#checksum()
      if (checksum === null) this.failure = { text: words.checksumTrouble, place: 'checksum' }
      else if (this.sending > 0 && this.failure === null) await this.#send(checksum)
    } finally {
      this.isSending = this.#isWaiting = false
      // Open the dialog again to show the links that were refused after it was closed.
      if (this.failure !== null) this.isOpen = true
      this.#follow()
    }
  }

  async #send(checksum: string | undefined): Promise<void> {
    const going = this.going.flatMap((old) => {
      const request = this.requests[old.link]
      return request === undefined ? [] : [{ old, request }]
    })
    const others = new Set([...this.#left, ...going.map(({ old }) => old.link)])
    const all = this.requests.filter((_, place) => !others.has(place))
    const groups = this.each === 'each' ? all.map((request) => [request]) : all.length > 0 ? [all] : []
    // Each group is added at the top of the queue, so send the groups in reverse order.
    if (this.start === 'first') groups.reverse()
    const { device } = this
    try {
      if (device === null) await this.#signIn()
    } catch (thrown) {
      return this.#fail(thrown)
    }
    const calls: AddCall[] = [
      ...going.map(({ old, request }) => ({ requests: [request], send: () => this.#goOn(old, request) })),
      ...groups.map((requests) => {
        // Read the input now, because the dialog may be used for other links while a job runs in the background.
        const registration = this.#registration(requests, checksum)
        const title = this.#setTitle()
        const send = (): Promise<Added | null> =>
          device === null ? this.#api.add(registration) : this.#sendTo(device, title, requests, checksum)
        return { requests, send }
      }),
    ]
    const titles = (added: ReadonlySet<NewRequest>): string[] =>
      groups.filter((requests) => requests.every((request) => added.has(request))).map((requests) => this.#titleOf(requests))
    const [input, lines, { known }] = [this.#input(), this.lines, this.findings]
    // A call behind another job may have to wait for a long time, so it also runs in the background.
    const isInBackground = calls.length >= MANY_CALLS || this.adding.total > 0
    const { added, refused } = this.adding.run(calls, (registration) => {
      // In the background, select only the first registration. Selecting each would disturb the user.
      if (!isInBackground || added.size === 1) this.#callbacks.learn(registration)
    })
    if (isInBackground) {
      this.#jobs.set(input, added)
      this.#finish(device === null ? all : [])
    }
    const end = refused.then(([first]) => {
      this.#jobs.delete(input)
      if (device !== null && added.size > 0) this.#callbacks.sent?.(titles(added), device)
      if (first === undefined) {
        if (isInBackground) return
        // The user may have entered other links in the meantime.
        if (this.text === input.text || !this.#isOpen) return this.#finish(device === null ? all : [])
        if (device === null) this.#rememberFolder(input.folder, known)
      }
      if (isInBackground) this.#restore(input, added)
      // Remove the added links from the text, so that another attempt does not add them again.
      else if (added.size > 0) this.text = without(input.text, lines, added, this.text)
      if (first === undefined) return
      const why = words.sentence(first.failure)
      const said = added.size > 0 ? words.addDialog.partly(added.size, going.length + all.length - added.size, why) : why
      this.failure = { text: said, place: placeOf(first.failure.code) }
    })
    if (!isInBackground) await end
  }

  #input(): Input {
    const { text, wanted } = this
    return { text, wanted, excluded: this.#excluded, chosen: this.#repeat, ...this.#options() }
  }

  #options(): Options {
    const { title, name, checksum, folder, headers, cookies, user, password, isKept, each, start, device, deviceName } = this
    return { title, name, checksum, folder, headers, cookies, user, password, isKept, each, start, device, deviceName }
  }

  /** Puts the links that a job in the background could not add into the dialog. */
  #restore({ text, wanted, excluded, chosen, ...options }: Input, added: ReadonlySet<NewRequest>): void {
    const isUsed = this.#isOpen
    this.offer([without(text, wanted, added)])
    this.#excluded = new Set([...this.#excluded, ...excluded])
    if (isUsed) return
    this.#repeat = chosen
    Object.assign(this, options)
  }

  #fail(thrown: unknown): void {
    const failure = thrown instanceof NoCookies ? thrown.failure : Failure.of(thrown)
    this.failure = { text: words.sentence(failure), place: thrown instanceof NoCookies ? 'cookies' : placeOf(failure.code) }
  }

  /** Replaces the link of the unfinished file, which keeps its received bytes. */
  async #goOn({ registration: { unique_id, state }, index }: KnownFile, request: NewRequest): Promise<Added> {
    await this.#api.relink(unique_id, index, request.url, request.headers ?? null)
    if (state === 'paused') await this.#api.resume(unique_id)
    return { how: 'new', ...(await this.#api.show(unique_id)) }
  }

  #readSoon(): void {
    if (this.#reading !== null) clearTimeout(this.#reading)
    this.#reading = setTimeout(() => void this.#read(), PAUSE)
  }

  async #read(): Promise<void> {
    if (this.#reading !== null) clearTimeout(this.#reading)
    this.#reading = null
    const [text, read] = [this.#text, readHeaders(this.headers)]
    if (typeof read === 'number') this.failure = { text: words.addDialog.headerTrouble(read), place: 'headers' }
    const headers = typeof read === 'number' ? [] : read
    try {
      const lines = text.trim() === '' ? [] : await this.#api.understand(text)
      // The text has changed in the meantime and will be parsed again.
      if (text !== this.#text) return
      this.#isUnread = false
      this.lines =
        headers.length === 0
          ? lines
          : lines.map((line) => ({ ...line, requests: line.requests.map((request) => this.#along(request, headers)) }))
      const keys = new Set(lines.flatMap(({ requests: [first] }) => (first === undefined ? [] : [keyOf(first)])))
      this.#excluded = new Set([...this.#excluded].filter((key) => keys.has(key)))
      this.#follow()
    } catch (thrown) {
      // The failure belongs to an earlier text.
      if (text !== this.#text) return
      this.#isUnread = true
      this.failure = { text: words.sentence(Failure.of(thrown)), place: 'links' }
    }
  }

  /** Returns the request with the headers of the form. */
  #along(request: NewRequest, headers: readonly [string, string][]): NewRequest {
    const whole = along(request, headers)
    this.#plain.set(whole, request)
    return whole
  }

  /** Key of a request, which stays the same when the headers of the form change. */
  #keyOf(request: NewRequest): string {
    return keyOf(this.#plain.get(request) ?? request)
  }

  #follow(): void {
    if (this.#isOpen && !this.isSending) this.findings.follow(this.wanted, this.folder.trim(), this.how)
  }

  /** Sends credentials to the engine: first those in the lines, then the typed credentials for every server of the links. */
  async #signIn(): Promise<void> {
    for (const { requests, sign_in } of this.wanted) {
      if (sign_in !== null) for (const { url } of requests) await this.#api.signIn(url, sign_in, false)
    }
    const [user, cookies] = [this.user.trim(), this.cookies.trim()]
    if (user === '' && cookies === '') return
    const origins = [...new Map(this.requests.map(({ url }) => [new URL(url).origin, url])).values()]
    if (cookies !== '') await this.#giveCookies(origins, cookies)
    if (user === '') return
    const sign_in = { scheme: 'basic' as const, user, password: this.password }
    for (const url of origins) await this.#api.signIn(url, sign_in, this.isKept)
  }

  /** Sends the typed credentials for one server to the engine before the probe; stores nothing permanently yet. */
  async #introduce(url: string): Promise<void> {
    const [user, cookies] = [this.user.trim(), this.cookies.trim()]
    if (user !== '') await this.#api.signIn(url, { scheme: 'basic', user, password: this.password }, false)
    // Ignore a failure, because these cookies may be for another server. If they match no server, `#giveCookies`
    // reports this.
    if (cookies !== '') await this.#api.giveCookies(url, cookies, false).catch(() => undefined)
  }

  /**
   * Sends the cookies to the engine for every server. Fails with `NoCookies` only if they are valid for none of
   * the servers.
   */
  async #giveCookies(origins: readonly string[], cookies: string): Promise<void> {
    const refused = await each(origins, (url) => this.#api.giveCookies(url, cookies, this.isKept))
    const [first] = refused
    if (first !== undefined && refused.length === origins.length) throw new NoCookies(first.failure)
  }

  /** Sends requests to another machine. That machine never uses a stored response of a probe. */
  async #sendTo(device: string, title: string | undefined, requests: NewRequest[], checksum: string | undefined): Promise<null> {
    const sent = requests.map((request) => ({ ...request, checksum: checksum ?? request.checksum }))
    await this.#api.sync.sendNew(title ?? null, sent, device)
    return null
  }

  /** Typed title of a set; undefined for single links. */
  #setTitle(): string | undefined {
    const title = this.title.trim()
    return title === '' || this.each === 'each' || this.count === 1 ? undefined : title
  }

  #titleOf([first]: NewRequest[]): string {
    return this.#setTitle() ?? first?.name ?? nameOf(first?.url ?? '')
  }

  #registration(requests: NewRequest[], checksum: string | undefined): NewRegistration {
    const folder = this.folder.trim()
    return {
      owner: 'window',
      source: 'window',
      // With a new random id, the engine does not treat this registration as a duplicate.
      developer_id: this.repeats.length > 0 && this.repeat === 'again' ? crypto.randomUUID() : undefined,
      title: this.#setTitle(),
      folder: folder === '' ? undefined : folder,
      paused: this.start === 'later',
      place: this.start === 'first' ? 'top' : undefined,
      requests: requests.map((request) => ({ ...this.findings.with(request), checksum: checksum ?? request.checksum })),
    }
  }

  /** Returns null if the typed text is not a valid checksum. */
  #checksum(): string | undefined | null {
    if (this.count !== 1 || this.checksum.trim() === '') return undefined
    return readChecksum(this.checksum)
  }

  /** Stores the folder as the default of this category. */
  #rememberFolder(typed: string, known: ExistingLinks): void {
    const [setting, folder] = [FOLDER_SETTING[known.category], typed.trim()]
    if (setting === null || folder === '' || folder === known.folder) return
    this.#api.set(setting, folder).catch(this.#callbacks.failed)
  }

  /** Called when all links were added, or when a job in the background has taken over the links. */
  #finish(added: readonly NewRequest[]): void {
    // Remember the folder only if this machine used it: another machine downloads into its own folder.
    if (this.#device === null) this.#rememberFolder(this.folder, this.findings.known)
    this.#empty(added)
  }

  /** Closes the dialog and removes all input. The engine keeps the stored responses that the `added` requests use. */
  #empty(added: readonly NewRequest[] = []): void {
    this.#callbacks.keep.removeItem(LEFT)
    this.#folder = ''
    this.findings.end(added)
    this.text = this.name = this.title = this.checksum = this.headers = this.cookies = this.user = this.password = ''
    this.lines = []
    this.#excluded = new Set()
    this.failure = null
    this.how = 'typed'
    this.isKept = false
    this.#repeat = null
    this.each = 'set'
    this.start = 'now'
    this.#device = null
    this.#isOpen = this.#isWaiting = false
  }
}

function saved(text: string, { folder, each, start, device, deviceName }: Options): LeftDraft {
  return { text, folder, each, start, device, deviceName }
}

/** Thrown if the cookies are not valid for any of the servers. */
class NoCookies extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message)
  }
}
