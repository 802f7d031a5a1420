// Finds out about links while the user decides: the server's response, and whether the links are already in the list.
// Releases stored responses that are not used.
import { type Api, Failure, type ExistingLinks, type NewRequest, type Probed, type UnderstoodLine } from '../api/api'
import { type Entered, mayBeAsked, patience } from './input-source'
import { keyOf } from './duplicates'

/** Maximum number of links to probe; for a longer list, names and sizes appear during the download. */
const MOST = 4

/** Maximum wait for running probes when the user adds the links, in milliseconds. */
const LONGEST = 5000

const NOTHING: ExistingLinks = { files: [], category: 'other', folder: '', is_name_taken: false }

export class Findings {
  /** Probe results by request key (`keyOf`); null while the probe is running. */
  probed = $state.raw<ReadonlyMap<string, Probed | null>>(new Map())
  /** Existing downloads that match the requests, by position of the request. */
  known = $state.raw<ExistingLinks>(NOTHING)

  /** Probe results whose stored response the engine has already released. */
  late = $state.raw<ReadonlySet<Probed>>(new Set())

  /** Probes in progress. */
  readonly #asking = new Set<Promise<void>>()
  #waiting: ReturnType<typeof setTimeout> | null = null
  /** Current requests and target folder, for the look-up in the list after a probe. */
  #meant: { requests: readonly NewRequest[]; folder: string } = { requests: [], folder: '' }
  /** Sequence number of the latest look-up in the list; results of earlier look-ups are dropped. */
  #looks = 0
  /** Promise of the latest look-up, which may still be running. */
  #looking: Promise<void> = Promise.resolve()
  /** Sequence number of the latest `follow`; timers of earlier calls do nothing. */
  #turn = 0
  readonly #api: Api
  /** Whether the link at this position may be probed. Called only when the look-up in the list has finished. */
  readonly #mayAsk: (place: number) => boolean
  /** Sends the credentials for this address to the engine before a probe. */
  readonly #introduce: (url: string) => Promise<void>

  constructor(
    api: Api,
    mayAsk: (place: number) => boolean = () => true,
    introduce: (url: string) => Promise<void> = async () => undefined,
  ) {
    this.#api = api
    this.#mayAsk = mayAsk
    this.#introduce = introduce
  }

  /** Replaces the current requests and probes those that `mayBeAsked` accepts for the source `how`. */
  follow(lines: readonly UnderstoodLine[], folder: string, how: Entered): void {
    this.#stop()
    const requests = lines.flatMap((line) => line.requests)
    const isWanted = new Set(requests.map(keyOf))
    for (const [key, probed] of this.probed) if (!isWanted.has(key)) this.#drop(key, probed)
    if (requests.length === 0) return this.#forgetKnown()
    this.#meant = { requests, folder }
    this.#look()
    if (requests.length > MOST) return
    const turn = this.#turn
    this.#waiting = setTimeout(
      () =>
        void this.#known().then(() => {
          if (turn !== this.#turn) return
          let place = 0
          for (const line of lines) {
            for (const request of line.requests) {
              if (this.#mayAsk(place++) && mayBeAsked(request.url, how)) this.#begin(this.#ask(request, line))
            }
          }
        }),
      patience(how),
    )
  }

  /**
   * Looks up a single request in the list again after a change of folder or name. Does nothing for several requests,
   * because their names are not known yet.
   */
  moved(requests: readonly NewRequest[], folder: string): void {
    this.#meant = { requests, folder }
    if (requests.length === 1) this.#look()
  }

  /**
   * Probes links again with new credentials. If `another` is true, the account may differ, so all links are probed;
   * otherwise, only links without a usable response.
   */
  again(lines: readonly UnderstoodLine[], folder: string, another: boolean): void {
    for (const [key, probed] of this.probed) if (another || probed?.probe === null || probed?.trouble) this.#drop(key, probed)
    this.follow(lines, folder, 'left')
  }

  /**
   * Waits for running probes and look-ups before adding, so that their results are used. Starts no new probes.
   */
  async answered(): Promise<void> {
    this.#stop()
    await this.#known()
    if (this.#asking.size === 0) return
    let over: ReturnType<typeof setTimeout> | undefined
    const longest = new Promise<void>((go) => (over = setTimeout(go, LONGEST)))
    await Promise.race([Promise.all(this.#asking), longest])
    clearTimeout(over)
  }

  /** Discards all findings. Releases every stored response except those that the `added` requests use. */
  end(added: readonly NewRequest[] = []): void {
    this.#stop()
    const isAdded = new Set(added.map(keyOf))
    for (const [key, probed] of this.probed) {
      if (isAdded.has(key)) this.#forget(key)
      else this.#drop(key, probed)
    }
    this.#forgetKnown()
  }

  /** Returns the request with the id of its stored response, if the engine has stored a response. */
  with(request: NewRequest): NewRequest {
    const probe = this.probed.get(keyOf(request))?.probe
    return probe ? { ...request, probe } : request
  }

  #begin(asking: Promise<void>): void {
    this.#asking.add(asking)
    void asking.finally(() => this.#asking.delete(asking))
  }

  async #ask(request: NewRequest, { sign_in }: UnderstoodLine): Promise<void> {
    const key = keyOf(request)
    if (this.probed.has(key)) return
    this.#set(key, null)
    let probed: Probed
    try {
      if (sign_in !== null) await this.#api.signIn(request.url, sign_in, false)
      await this.#introduce(request.url)
      probed = await this.#api.probe(request)
    } catch (thrown) {
      const { code, text } = Failure.of(thrown)
      probed = { probe: null, waits_seconds: 0, status: null, name: null, size: null, may_resume: null, trouble: { code, text } }
    }
    // The result is no longer needed: the link has changed, the dialog is closed, or another probe has answered.
    if (this.probed.get(key) !== null) {
      if (probed.probe !== null) void this.#api.letGo(probed.probe).catch(() => undefined)
      return
    }
    this.#set(key, probed)
    if (probed.probe !== null) setTimeout(() => this.#isLate(key, probed), probed.waits_seconds * 1000)
    if (this.#meant.requests.length === 1) this.#look()
  }

  /**
   * Marks a response as released by the engine. Its name and size stay visible; adding the link makes the engine
   * ask the server again.
   */
  #isLate(key: string, probed: Probed): void {
    if (this.probed.get(key) === probed) this.late = new Set(this.late).add(probed)
  }

  #look(): void {
    this.#looking = this.#lookUp()
  }

  /** Waits until the latest look-up has finished or failed. */
  async #known(): Promise<void> {
    for (let looking: Promise<void> | null = null; looking !== this.#looking;) await (looking = this.#looking)
  }

  async #lookUp(): Promise<void> {
    const look = ++this.#looks
    const { requests, folder } = this.#meant
    const [only, ...others] = requests
    const name = others.length > 0 ? null : (only?.name ?? (only && this.probed.get(keyOf(only))?.name) ?? null)
    try {
      const known = await this.#api.known(
        requests.map(({ url }) => url),
        folder === '' ? null : folder,
        name,
      )
      if (look === this.#looks) this.known = known
    } catch {
      // Ignore the failure, because adding the links reports it again.
    }
  }

  #stop(): void {
    if (this.#waiting !== null) clearTimeout(this.#waiting)
    this.#waiting = null
    this.#turn++
  }

  #forgetKnown(): void {
    this.#looks++
    this.#meant = { requests: [], folder: '' }
    this.known = NOTHING
  }

  #set(key: string, probed: Probed | null): void {
    this.probed = new Map(this.probed).set(key, probed)
  }

  #forget(key: string): void {
    const left = new Map(this.probed)
    left.delete(key)
    this.probed = left
  }

  #drop(key: string, probed: Probed | null): void {
    this.#forget(key)
    if (probed?.probe) void this.#api.letGo(probed.probe).catch(() => undefined)
  }
}
