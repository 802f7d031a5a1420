// What is being typed into the Add dialog. It outlives the dialog, so that closing it loses nothing.
import { type Added, type Api, Failure, type NewRegistration } from '../api/api'
import { linksOf, readChecksum, understand, without } from '../lib/links'
import { words } from '../lib/words'

/** Where on the form a failure is shown. */
export type Place = 'links' | 'folder' | 'checksum' | 'form'

const FOLDER = 'ashore.folder'

export class Draft {
  isOpen = $state(false)
  text = $state('')
  folder = $state(localStorage.getItem(FOLDER) ?? '')
  title = $state('')
  checksum = $state('')
  each = $state<'set' | 'each'>('set')
  start = $state<'now' | 'later'>('now')
  isSending = $state(false)
  failure = $state.raw<{ text: string; place: Place } | null>(null)

  readonly lines = $derived.by(() => understand(this.text))
  readonly links = $derived.by(() => linksOf(this.lines))

  readonly #api: Api
  /** Told about every registration as it is added. */
  readonly #learn: (added: Added) => void

  constructor(api: Api, learn: (added: Added) => void) {
    this.#api = api
    this.#learn = learn
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
      this.failure = { text: Failure.of(thrown).text, place: 'folder' }
    }
  }

  async send(): Promise<void> {
    if (this.isSending || this.links.length === 0) return
    const checksum = this.#checksum()
    if (checksum === null) {
      this.failure = { text: words.checksumTrouble, place: 'checksum' }
      return
    }
    this.isSending = true
    this.failure = null
    const links = [...this.links]
    const groups = this.each === 'each' ? links.map((link) => [link]) : [links]
    const added = new Set<string>()
    try {
      for (const group of groups) {
        this.#learn(await this.#api.add(this.#registration(group, checksum)))
        for (const link of group) added.add(link)
      }
      this.#clear()
    } catch (thrown) {
      const { code, text } = Failure.of(thrown)
      // What is in the list already must not be added a second time.
      if (added.size > 0) this.text = without(this.text, added)
      const said = added.size > 0 ? words.addDialog.partly(added.size, links.length - added.size) + text : text
      this.failure = { text: said, place: placeOf(code) }
    } finally {
      this.isSending = false
    }
  }

  #registration(links: string[], checksum: string | undefined): NewRegistration {
    const title = this.title.trim()
    const folder = this.folder.trim()
    return {
      owner: 'window',
      source: 'window',
      title: title === '' || (this.each === 'each' && this.links.length > 1) ? undefined : title,
      folder: folder === '' ? undefined : folder,
      paused: this.start === 'later',
      requests: links.map((url) => ({ url, checksum })),
    }
  }

  /** Null when what was typed is none. */
  #checksum(): string | undefined | null {
    if (this.links.length !== 1 || this.checksum.trim() === '') return undefined
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
