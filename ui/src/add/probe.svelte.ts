// What is found out about links while somebody still decides about them: what the server says, and whether they are in the
// list already. An answer that nobody adds is let go.
import { type Api, Failure, type Known, type NewRequest, type Probed, type UnderstoodLine } from '../api/api'
import { type Entered, mayBeAsked, patience } from './input-source'
import { keyOf } from './duplicates'

/** Servers are asked about so many links; a longer list says its names and sizes as it comes. */
const MOST = 4

/** Nobody who adds something waits longer for its server, milliseconds. */
const LONGEST = 5000

const NOTHING: Known = { files: [], category: 'other', folder: '', is_name_taken: false }

export class Findings {
  /** By `keyOf` the request; null while the server is being asked. */
  probed = $state.raw<ReadonlyMap<string, Probed | null>>(new Map())
  /** By the position of the request among all. */
  known = $state.raw<Known>(NOTHING)

  /** Those of them whose answer waited for too long, and does not any more. */
  late = $state.raw<ReadonlySet<Probed>>(new Set())

  /** Questions on their way. */
  readonly #asking = new Set<Promise<void>>()
  #waiting: ReturnType<typeof setTimeout> | null = null
  /** What is meant now, and where it is to go: also for answers to what was asked before. */
  #meant: { requests: readonly NewRequest[]; folder: string } = { requests: [], folder: '' }
  /** Which look at the list is the latest. */
  #looks = 0
  /** The latest of them, on its way. */
  #looking: Promise<void> = Promise.resolve()
  /** Which of those that were to be followed is the latest. */
  #turn = 0
  readonly #api: Api
  /** By what is known of the link at this place, which is looked up before. */
  readonly #mayAsk: (place: number) => boolean
  /** Tells the engine who asks at this address, before it asks. */
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

  /** From now on these are meant, and no others. Servers are asked about what is whole, as far as `how` it came tells that. */
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

  /** Another folder, or another name: something else may be in its place. Of several files nobody knows the names yet. */
  moved(requests: readonly NewRequest[], folder: string): void {
    this.#meant = { requests, folder }
    if (requests.length === 1) this.#look()
  }

  /** The server is asked again, which may know now who asks: where it gave no file, or whatever it gave, to who seems to be `another`. */
  again(lines: readonly UnderstoodLine[], folder: string, another: boolean): void {
    for (const [key, probed] of this.probed) if (another || probed?.probe === null || probed?.trouble) this.#drop(key, probed)
    this.follow(lines, folder, 'left')
  }

  /**
   * It is being added: what is asked already is waited for, so that its answer goes along, and what is known of it is known.
   * Nothing more is asked.
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

  /** Nobody decides any more. What was `added` has its answer. */
  end(added: readonly NewRequest[] = []): void {
    this.#stop()
    const isAdded = new Set(added.map(keyOf))
    for (const [key, probed] of this.probed) {
      if (isAdded.has(key)) this.#forget(key)
      else this.#drop(key, probed)
    }
    this.#forgetKnown()
  }

  /** The request with the answer that waits for it. */
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
    // Nobody waits for it any more: the link was changed, the dialog closed, or somebody else has the answer.
    if (this.probed.get(key) !== null) {
      if (probed.probe !== null) void this.#api.letGo(probed.probe).catch(() => undefined)
      return
    }
    this.#set(key, probed)
    if (probed.probe !== null) setTimeout(() => this.#isLate(key, probed), probed.waits_seconds * 1000)
    if (this.#meant.requests.length === 1) this.#look()
  }

  /** The engine has let its answer go. It stays known under its name, and whoever adds it has the server asked anew. */
  #isLate(key: string, probed: Probed): void {
    if (this.probed.get(key) === probed) this.late = new Set(this.late).add(probed)
  }

  #look(): void {
    this.#looking = this.#lookUp()
  }

  /** What was looked up last is known, or cannot be. */
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
      // It is said when it is added.
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
