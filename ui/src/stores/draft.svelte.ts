// What is being typed into the Add dialog. It outlives the dialog, so that closing it loses nothing.
import { type Added, type Api, Failure, type NewRegistration, type NewRequest, type UnderstoodLine } from '../api/api'
import { readChecksum, without } from '../lib/links'
import { words } from '../lib/words'

/** Where on the form a failure is shown. */
export type Place = 'links' | 'folder' | 'checksum' | 'form'

const FOLDER = 'ashore.folder'
/** Somebody who types is not interrupted more often, milliseconds. */
const PAUSE = 80

export class Draft {
  isOpen = $state(false)
  /** What the engine makes of the text, a moment after it was typed. */
  lines = $state.raw<readonly UnderstoodLine[]>([])
  folder = $state(localStorage.getItem(FOLDER) ?? '')
  title = $state('')
  checksum = $state('')
  each = $state<'set' | 'each'>('set')
  start = $state<'now' | 'later'>('now')
  isSending = $state(false)
  failure = $state.raw<{ text: string; place: Place } | null>(null)

  readonly count = $derived(this.lines.reduce((sum, line) => sum + line.requests.length, 0))

  #text = $state('')
  #reading: ReturnType<typeof setTimeout> | null = null
  readonly #api: Api
  /** Told about every registration as it is added. */
  readonly #learn: (added: Added) => void

  constructor(api: Api, learn: (added: Added) => void) {
    this.#api = api
    this.#learn = learn
  }

  get text(): string {
    return this.#text
  }

  set text(text: string) {
    this.#text = text
    if (this.#reading !== null) clearTimeout(this.#reading)
    this.#reading = setTimeout(() => void this.#read(), PAUSE)
  }

  open(): void {
    this.isOpen = true
  }

  /** Links from outside go below what is there already. */
  offer(texts: readonly string[]): void {
    const text = texts.join('\n').trim()
    if (text === '') return
    this.failure = null
    this.text = this.text.trim() === '' ? text : `${this.text.trimEnd()}\n${text}`
    this.isOpen = true
  }

  async chooseFolder(): Promise<void> {
    try {
      this.folder = (await this.#api.chooseFolder()) ?? this.folder
      if (this.failure?.place === 'folder') this.failure = null
    } catch (thrown) {
      this.failure = { text: words.sentence(Failure.of(thrown)), place: 'folder' }
    }
  }

  async send(): Promise<void> {
    if (this.isSending) return
    this.isSending = true
    this.failure = null
    try {
      if (this.#reading !== null) await this.#read()
      const checksum = this.#checksum()
      if (checksum === null) this.failure = { text: words.checksumTrouble, place: 'checksum' }
      else if (this.count > 0 && this.failure === null) await this.#send(checksum)
    } finally {
      this.isSending = false
    }
  }

  async #send(checksum: string | undefined): Promise<void> {
    const lines = this.lines.filter((line) => line.requests.length > 0)
    const all = lines.flatMap((line) => line.requests)
    const groups = this.each === 'each' ? all.map((request) => [request]) : [all]
    const added = new Set<NewRequest>()
    try {
      for (const { requests, sign_in } of lines) {
        if (sign_in !== null) for (const { url } of requests) await this.#api.signIn(url, sign_in)
      }
      for (const group of groups) {
        this.#learn(await this.#api.add(this.#registration(group, checksum)))
        for (const request of group) added.add(request)
      }
      this.#clear()
    } catch (thrown) {
      const { code, text } = Failure.of(thrown)
      // What is in the list already must not be added a second time.
      if (added.size > 0) this.text = without(this.text, this.lines, added)
      const why = words.sentence({ code, text })
      const said = added.size > 0 ? words.addDialog.partly(added.size, all.length - added.size, why) : why
      this.failure = { text: said, place: placeOf(code) }
    }
  }

  async #read(): Promise<void> {
    if (this.#reading !== null) clearTimeout(this.#reading)
    this.#reading = null
    const text = this.#text
    try {
      const lines = text.trim() === '' ? [] : await this.#api.understand(text)
      // Somebody typed on meanwhile: another reading is due.
      if (text === this.#text) this.lines = lines
    } catch (thrown) {
      this.failure = { text: words.sentence(Failure.of(thrown)), place: 'links' }
    }
  }

  #registration(requests: NewRequest[], checksum: string | undefined): NewRegistration {
    const title = this.title.trim()
    const folder = this.folder.trim()
    return {
      owner: 'window',
      source: 'window',
      title: title === '' || (this.each === 'each' && this.count > 1) ? undefined : title,
      folder: folder === '' ? undefined : folder,
      paused: this.start === 'later',
      requests: checksum === undefined ? requests : requests.map((request) => ({ ...request, checksum })),
    }
  }

  /** Null when what was typed is none. */
  #checksum(): string | undefined | null {
    if (this.count !== 1 || this.checksum.trim() === '') return undefined
    return readChecksum(this.checksum)
  }

  #clear(): void {
    const folder = this.folder.trim()
    if (folder === '') localStorage.removeItem(FOLDER)
    else localStorage.setItem(FOLDER, folder)
    this.text = this.title = this.checksum = ''
    this.each = 'set'
    this.start = 'now'
    this.isOpen = false
  }
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
