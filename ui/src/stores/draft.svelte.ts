// What is being typed into the Add dialog. It outlives the dialog, so that closing it loses nothing.
import { type Added, type Api, Failure, type NewRegistration, type NewRequest, type Registration, type UnderstoodLine } from '../api/api'
import type { Entered } from '../lib/entered'
import { FOLDER_SETTING } from '../lib/folders'
import { readHeaders, twice, unfinished } from '../lib/found'
import { readDraft, withoutSecrets } from '../lib/left'
import { readChecksum, without } from '../lib/links'
import { each } from '../lib/several'
import { words } from '../lib/words'
import { Findings } from './findings.svelte'

/** Where on the form a failure is shown. */
export type Place = 'links' | 'folder' | 'checksum' | 'headers' | 'form'

/** What happens to links that are in the list already. */
export type Repeat = 'go-on' | 'skip' | 'again'

/** Somebody who types is not interrupted more often, milliseconds. */
const PAUSE = 80
/** So many are on their way to the list together: each waits for the disk. */
const AT_ONCE = 8
const LEFT = 'ashore.draft'

interface Door {
  /** Told about every registration as it is added. */
  learn: (added: Added) => void
  /** What went wrong beside adding. */
  failed: (thrown: unknown) => void
  keep: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}

export class Draft {
  /** What the engine makes of the text, a moment after it was typed. */
  lines = $state.raw<readonly UnderstoodLine[]>([])
  title = $state('')
  checksum = $state('')
  /** `Name: value`, one on each line, for all of them. */
  headers = $state('')
  user = $state('')
  password = $state('')
  /** The sign-in is kept beyond this run. */
  isKept = $state(false)
  each = $state<'set' | 'each'>('set')
  start = $state<'now' | 'first' | 'later'>('now')
  isSending = $state(false)
  /** So many of them are in the list by now. */
  sent = $state(0)
  failure = $state.raw<{ text: string; place: Place } | null>(null)
  /** How the text that is there came in last. */
  how: Entered = 'typed'
  readonly findings: Findings

  /** With what was said of them besides. */
  readonly requests = $derived.by((): NewRequest[] => {
    const [only, ...others] = this.lines.flatMap((line) => line.requests)
    if (only === undefined) return []
    const name = this.name.trim()
    return others.length === 0 && name !== '' ? [{ ...only, name }] : [only, ...others]
  })
  readonly count = $derived(this.requests.length)
  readonly unfinished = $derived.by(() => unfinished(this.findings.known, this.count))
  readonly twice = $derived.by(() => twice(this.findings.known))
  /** What may be chosen for those that are in the list already; empty where nothing is to be asked. */
  readonly repeats = $derived.by((): readonly Repeat[] => {
    if (this.unfinished !== null) return ['go-on', 'again']
    return this.count > 1 && this.twice.size > 0 ? ['skip', 'again'] : []
  })
  /** How many would be added. */
  readonly sending = $derived(this.repeat === 'skip' ? this.count - this.twice.size : this.count)

  #isOpen = $state(false)
  #text = $state('')
  #name = $state('')
  #folder = $state('')
  #repeat = $state<Repeat | null>(null)
  #reading: ReturnType<typeof setTimeout> | null = null
  readonly #api: Api
  readonly #door: Door

  constructor(api: Api, door: Door) {
    this.#api = api
    this.#door = door
    // A link that is good for one use is not used up before the old one goes on with it.
    this.findings = new Findings(api, () => this.repeat !== 'go-on')
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  set isOpen(isOpen: boolean) {
    if (isOpen === this.#isOpen) return
    this.#isOpen = isOpen
    if (isOpen) this.#follow()
    else this.findings.end()
  }

  get text(): string {
    return this.#text
  }

  set text(text: string) {
    this.#text = text
    this.#readSoon()
  }

  /** What the only file is to be called. */
  get name(): string {
    return this.#name
  }

  set name(name: string) {
    this.#name = name
    if (this.#isOpen) this.findings.moved(this.requests, this.folder.trim())
  }

  /** Empty: where the settings put files of this kind. */
  get folder(): string {
    return this.#folder
  }

  set folder(folder: string) {
    this.#folder = folder
    if (this.#isOpen) this.findings.moved(this.requests, folder.trim())
  }

  /** What happens to those that are in the list already, where that is asked. */
  get repeat(): Repeat {
    const [usual] = this.repeats
    if (this.#repeat !== null && this.repeats.includes(this.#repeat)) return this.#repeat
    // Whoever pastes nothing but what is there means it.
    return usual === undefined || (usual === 'skip' && this.twice.size === this.count) ? 'again' : usual
  }

  set repeat(repeat: Repeat) {
    this.#repeat = repeat
    this.#follow()
  }

  open(): void {
    this.isOpen = true
  }

  /** The page goes: the next one has what was typed, but nothing that signs in. */
  async leave(): Promise<void> {
    if (this.#reading !== null) await this.#read()
    const text = withoutSecrets(this.text, this.lines)
    if (text.trim() === '') this.#door.keep.removeItem(LEFT)
    else this.#door.keep.setItem(LEFT, JSON.stringify({ text, folder: this.folder, isOpen: this.isOpen }))
  }

  /** What the page before this one was left with. No server hears of it before somebody goes on with it. */
  comeBack(): void {
    const { text, folder, isOpen } = readDraft(this.#door.keep.getItem(LEFT))
    if (text === '') return
    this.#folder = folder
    this.how = 'handed'
    this.text = text
    this.isOpen = isOpen
  }

  /** Links from outside go below what is there already. */
  offer(texts: readonly string[], how: 'handed' | 'offered' = 'offered'): void {
    const text = texts.join('\n').trim()
    if (text === '') return
    this.failure = null
    const isAlone = this.text.trim() === ''
    // Below what somebody writes, what he gives himself is one paste more.
    this.how = how === 'offered' && !isAlone && this.#isOpen ? 'pasted' : how
    this.text = isAlone ? text : `${this.text.trimEnd()}\n${text}`
    this.isOpen = true
  }

  /** The field with the links was left: what was typed in it is whole, and what was handed over is wanted. */
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

  /** Headers or the sign-in are other ones: what the server says may be as well. */
  async changed(): Promise<void> {
    if (this.count === 0) return
    await this.#read()
    try {
      await this.#signIn()
      this.findings.again(this.lines, this.folder.trim())
    } catch (thrown) {
      this.failure = { text: words.sentence(Failure.of(thrown)), place: 'form' }
    }
  }

  async send(): Promise<void> {
    if (this.isSending) return
    this.isSending = true
    this.failure = null
    try {
      if (this.#reading !== null || this.headers !== '') await this.#read()
      await this.findings.answered()
      const checksum = this.#checksum()
      if (checksum === null) this.failure = { text: words.checksumTrouble, place: 'checksum' }
      else if (this.sending > 0 && this.failure === null) await this.#send(checksum)
    } finally {
      this.isSending = false
      this.#follow()
    }
  }

  async #send(checksum: string | undefined): Promise<void> {
    if (this.repeat === 'go-on') return this.#goOn()
    const skipped = this.repeat === 'skip' ? this.twice : new Set<number>()
    const all = this.requests.filter((_, place) => !skipped.has(place))
    const groups = this.each === 'each' ? all.map((request) => [request]) : [all]
    // Each goes on top of those before it.
    if (this.start === 'first') groups.reverse()
    try {
      await this.#signIn()
    } catch (thrown) {
      return this.#fail(thrown)
    }
    const added = new Set<NewRequest>()
    this.sent = 0
    const refused = await each([...groups.keys()].map(String), async (place) => {
      const group = groups[Number(place)]!
      this.#door.learn(await this.#api.add(this.#registration(group, checksum)))
      for (const request of group) added.add(request)
      this.sent = added.size
    }, AT_ONCE)
    const [first] = refused
    if (first === undefined) return this.#clear(all)
    // What is in the list already must not be added a second time.
    if (added.size > 0) this.text = without(this.text, this.lines, added)
    const why = words.sentence(first.failure)
    const said = added.size > 0 ? words.addDialog.partly(added.size, all.length - added.size, why) : why
    this.failure = { text: said, place: placeOf(first.failure.code) }
  }

  #fail(thrown: unknown): void {
    const failure = Failure.of(thrown)
    this.failure = { text: words.sentence(failure), place: placeOf(failure.code) }
  }

  /** The old one gets this link, and keeps what it has. */
  async #goOn(): Promise<void> {
    const [old, request] = [this.unfinished, this.requests[0]]
    if (old === null || request === undefined) return
    try {
      await this.#signIn()
      await this.#api.relink(old.registration.unique_id, old.index, request.url, request.headers ?? null)
      if (old.registration.state === 'paused') await this.#api.resume(old.registration.unique_id)
      const registration: Registration = await this.#api.show(old.registration.unique_id)
      this.#door.learn({ how: 'new', ...registration })
      this.#clear()
    } catch (thrown) {
      this.#fail(thrown)
    }
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
      // Somebody typed on meanwhile: another reading is due.
      if (text !== this.#text) return
      this.lines = headers.length === 0 ? lines : lines.map((line) => ({ ...line, requests: line.requests.map((request) => along(request, headers)) }))
      this.#follow()
    } catch (thrown) {
      this.failure = { text: words.sentence(Failure.of(thrown)), place: 'links' }
    }
  }

  #follow(): void {
    if (this.#isOpen && !this.isSending) this.findings.follow(this.lines, this.folder.trim(), this.how)
  }

  /** What the lines bring along, and what was typed, which is for every server of theirs. */
  async #signIn(): Promise<void> {
    for (const { requests, sign_in } of this.lines) {
      if (sign_in !== null) for (const { url } of requests) await this.#api.signIn(url, sign_in, false)
    }
    if (this.user.trim() === '') return
    const origins = new Map(this.requests.map(({ url }) => [new URL(url).origin, url]))
    const sign_in = { scheme: 'basic' as const, user: this.user.trim(), password: this.password }
    for (const url of origins.values()) await this.#api.signIn(url, sign_in, this.isKept)
  }

  #registration(requests: NewRequest[], checksum: string | undefined): NewRegistration {
    const title = this.title.trim()
    const folder = this.folder.trim()
    return {
      owner: 'window',
      source: 'window',
      // What has a name of its own is not taken for what is in the list already.
      developer_id: this.repeats.length > 0 && this.repeat === 'again' ? crypto.randomUUID() : undefined,
      title: title === '' || this.each === 'each' || this.count === 1 ? undefined : title,
      folder: folder === '' ? undefined : folder,
      paused: this.start === 'later',
      place: this.start === 'first' ? 'top' : undefined,
      requests: requests.map((request) => ({ ...this.findings.with(request), checksum: checksum ?? request.checksum })),
    }
  }

  /** Null when what was typed is none. */
  #checksum(): string | undefined | null {
    if (this.count !== 1 || this.checksum.trim() === '') return undefined
    return readChecksum(this.checksum)
  }

  /** The next of its kind goes there as well. */
  #rememberFolder(): void {
    const [setting, folder] = [FOLDER_SETTING[this.findings.known.category], this.folder.trim()]
    if (setting === null || folder === '' || folder === this.findings.known.folder) return
    this.#api.set(setting, folder).catch(this.#door.failed)
  }

  #clear(added: readonly NewRequest[] = []): void {
    this.#rememberFolder()
    this.#door.keep.removeItem(LEFT)
    this.#folder = ''
    this.findings.end(added)
    this.text = this.name = this.title = this.checksum = this.headers = this.user = this.password = ''
    this.lines = []
    this.how = 'typed'
    this.isKept = false
    this.#repeat = null
    this.each = 'set'
    this.start = 'now'
    this.isOpen = false
  }
}

/** What a line says itself comes before what is said of all. */
function along(request: NewRequest, headers: readonly [string, string][]): NewRequest {
  const own = new Set((request.headers ?? []).map(([name]) => name.toLowerCase()))
  return { ...request, headers: [...(request.headers ?? []), ...headers.filter(([name]) => !own.has(name.toLowerCase()))] }
}

function placeOf(code: string): Place {
  switch (code) {
    case 'empty':
    case 'bad-url':
    case 'bad-scheme':
    case 'bad-port':
    case 'credentials':
      return 'links'
    case 'target':
    case 'quota-exceeded':
      return 'folder'
    default:
      return 'form'
  }
}
