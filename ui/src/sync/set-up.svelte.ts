// Steps to turn sync on: choose a way, fill in its form, and write down the words.
//
// - Nothing is submitted until the user presses the button, even if a link was passed in.
// - The words stay until the user has confirmed them, even if the user leaves the view first.
// - If the user declines the desktop's question, the state does not change.
import { Failure } from '../api/api'
import { DECLINED, type RecoveryWordsReport, type SyncApi } from '../api/sync-api'
import { readSheet } from './recovery-sheet'
import { readSyncLink, type SyncLink } from './sync-link'
import { words } from '../i18n/labels'

export const WAYS = ['server', 'link', 'words'] as const
/** Way to turn sync on. */
export type Way = (typeof WAYS)[number]

/** Number of recovery words of a list. */
export const WORD_COUNT = 24

type Calls = Pick<SyncApi, 'setUp' | 'join' | 'recover' | 'ownServer' | 'keepServer' | 'stopServer' | 'status'>

export class SetUp {
  /** Chosen way to turn sync on; null in the first step. */
  way = $state<Way | null>(null)
  /** Recovery words of the new list until the user has written them down. */
  report = $state.raw<RecoveryWordsReport | null>(null)
  name = $state('')
  link = $state('')
  address = $state('')
  number = $state('')
  words = $state('')
  isUnderWay = $state(false)
  /** Failure as a sentence. */
  failure = $state<string | null>(null)
  #suggestedName = ''
  readonly #api: Calls
  readonly #turnedOn: (how: 'set-up' | 'joined') => void

  /** Link that was entered; null if the text is not a link for sync. */
  readonly found = $derived<SyncLink | null>(readSyncLink(this.link))
  readonly #sheet = $derived(readSheet(this.words))
  /** Address and number that were last found in the text beside the words. */
  #filled: { address: string | null; number: string | null } = { address: null, number: null }
  readonly mayStart = $derived.by((): boolean => {
    if (this.isUnderWay || this.name.trim() === '') return false
    switch (this.way) {
      case 'server':
        return true
      case 'link':
        return this.found !== null
      case 'words':
        return this.address.trim() !== '' && /^\d{1,10}$/.test(this.number.trim()) && this.typedWords.length === WORD_COUNT
      case null:
        return false
    }
  })

  constructor(api: Calls, turnedOn: (how: 'set-up' | 'joined') => void) {
    this.#api = api
    this.#turnedOn = turnedOn
  }

  get typedWords(): readonly string[] {
    return this.#sheet.words
  }

  /** Number of the current step, from 1. */
  get step(): 1 | 2 | 3 {
    if (this.report !== null) return 3
    return this.way === null ? 1 : 2
  }

  /** Number of steps. The third step shows the recovery words of a new list; to join a list, two steps are enough. */
  get steps(): 2 | 3 {
    const isNew = this.way === null || this.way === 'server' || (this.way === 'link' && this.found?.kind !== 'join')
    return isNew ? 3 : 2
  }

  choose(way: Way): void {
    this.way = way
    this.failure = null
  }

  goBack(): void {
    this.way = null
    this.failure = null
  }

  /** Fills in a link that came from outside. */
  fillIn({ link }: SyncLink): void {
    this.choose('link')
    this.link = link
  }

  /** Fills in the name of this machine, unless the user has edited it. */
  suggestName(name: string): void {
    if (this.name === this.#suggestedName) this.name = name
    this.#suggestedName = name
  }

  /** Clears the failure as soon as the user edits the input. */
  edited(): void {
    this.failure = null
  }

  /**
   * Fills in the address and the number that were entered together with the words. Later calls replace these fields
   * only if the address or the number in the text of the words has changed.
   */
  wordsEdited(): void {
    this.edited()
    const { address, number } = this.#sheet
    if (address !== null && address !== this.#filled.address) this.address = address
    if (number !== null && number !== this.#filled.number) this.number = number
    this.#filled = { address, number }
  }

  async start(): Promise<void> {
    const { way } = this
    if (!this.mayStart || way === null) return
    this.isUnderWay = true
    this.failure = null
    try {
      this.report = await this.#carryOut(way, this.name.trim())
      this.#turnedOn(this.report === null ? 'joined' : 'set-up')
      this.#clear()
    } catch (thrown) {
      const failure = Failure.of(thrown)
      if (failure.code !== DECLINED) this.failure = words.sentence(failure)
    } finally {
      this.isUnderWay = false
    }
  }

  /** Ends the last step and forgets the words. */
  written(): void {
    this.report = null
  }

  /** Resolves to the words of a new list, and to null for a list that this machine has joined. */
  async #carryOut(way: Way, name: string): Promise<RecoveryWordsReport | null> {
    if (way === 'server') return this.#keepServer(name)
    if (way === 'words') {
      await this.#api.recover(this.address.trim(), Number(this.number.trim()), this.typedWords.join(' '), name)
      return null
    }
    const { link, kind } = this.found!
    if (kind === 'set-up') return this.#api.setUp(link, name)
    await this.#api.join(link, name)
    return null
  }

  /**
   * Starts the server of this machine and sets up a list on it. If this fails, stops the server again, provided that
   * it did not run before.
   */
  async #keepServer(name: string): Promise<RecoveryWordsReport> {
    const { is_kept } = await this.#api.ownServer()
    const link = await this.#api.keepServer()
    try {
      return await this.#api.setUp(link, name)
    } catch (thrown) {
      // Sync may be on although the call failed, because only the reply may have been lost.
      const isOn = await this.#api.status().then(
        (status) => status.is_on,
        () => true,
      )
      if (!is_kept && !isOn) await this.#api.stopServer().catch(() => undefined)
      throw thrown
    }
  }

  /** Forgets the secrets of the form. */
  #clear(): void {
    this.way = null
    this.link = this.address = this.number = this.words = ''
    this.#filled = { address: null, number: null }
  }
}
