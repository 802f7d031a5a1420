// Session of this device with the server: sign-in, sign-out, and requests that carry the session key. The first half of the
// key is a cookie that the page cannot read. The second half is in the local storage.
import { Failure, type UserMessage } from '../api'
import type { RemoteDevice, SignInSecret } from './remote-access'
import type { ConnectionTexts } from './socket'

/** Storage key of the second half of the session key. */
const KEY = 'ashore.session-key'
/** Header that carries the second half of the session key. */
const KEY_HEADER = 'Ashore-Key'
/** HTTP status with which the server refuses a session or a secret. */
const UNAUTHORIZED = 401
const TOO_MANY_REQUESTS = 429
const NO_CONTENT = 204
/** Wait in seconds if the server demands a wait but does not state its duration. */
const USUAL_WAIT = 60

/** Failure because the server temporarily refuses further attempts to sign in. */
export class TooManyAttempts extends Failure {
  readonly seconds: number

  constructor(message: UserMessage, seconds: number) {
    super(message.code, message.text, { variant: message.variant, args: message.args })
    this.seconds = seconds
  }
}

export interface SessionWorld {
  /** Address of the page, to which all paths are relative. */
  base: URL
  fetch(address: URL, init: RequestInit): Promise<Response>
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}

export class RemoteSession {
  readonly #world: SessionWorld
  readonly #texts: Pick<ConnectionTexts, 'lost'>
  /** Called if the server refuses the session. */
  readonly #lost: () => void

  constructor(world: SessionWorld, texts: Pick<ConnectionTexts, 'lost'>, lost: () => void) {
    this.#world = world
    this.#texts = texts
    this.#lost = lost
  }

  key(): string | null {
    return this.#world.storage.getItem(KEY)
  }

  async signIn(secret: SignInSecret, name: string): Promise<RemoteDevice> {
    const answer = await this.#fetch('api/session', post(JSON.stringify({ ...secret, name })))
    const { key, ...device } = (await answer.json()) as RemoteDevice & { key: string }
    this.#world.storage.setItem(KEY, key)
    return device
  }

  /** Forgets the session here, and ends it on the server. A failure of the second step is ignored. */
  async signOut(): Promise<void> {
    const ended = this.#fetch('api/session', { method: 'DELETE', headers: this.#headers() })
    this.forget()
    await ended.catch(() => undefined)
  }

  forget(): void {
    this.#world.storage.removeItem(KEY)
  }

  /** Sends `body` with the session key to `path` and returns the parsed answer. */
  post<Answer>(path: string, body: BodyInit, type?: string): Promise<Answer> {
    const { headers, ...init } = post(body, type)
    return this.#json(path, { ...init, headers: { ...headers, ...this.#headers() } })
  }

  get<Answer>(path: string): Promise<Answer> {
    return this.#json(path, { headers: this.#headers() })
  }

  #headers(): Record<string, string> {
    return { [KEY_HEADER]: this.key() ?? '' }
  }

  async #json<Answer>(path: string, init: RequestInit): Promise<Answer> {
    const answer = await this.#fetch(path, init, () => this.#lost())
    return (await answer.json()) as Answer
  }

  async #fetch(path: string, init: RequestInit, refused = (): void => undefined): Promise<Response> {
    const lost = (): Failure => new Failure('connection-lost', this.#texts.lost())
    const answer = await this.#world.fetch(new URL(path, this.#world.base), init).catch(() => Promise.reject(lost()))
    if (answer.ok || answer.status === NO_CONTENT) return answer
    const message = await messageIn(answer)
    // An answer without a message of Ashore comes from a proxy in front of the server. Such a refusal does not concern
    // the session key.
    if (message === null) throw lost()
    if (answer.status === UNAUTHORIZED) refused()
    if (answer.status === TOO_MANY_REQUESTS) throw new TooManyAttempts(message, secondsIn(answer))
    throw Failure.from(message)
  }
}

function post(body: BodyInit, type = 'application/json'): RequestInit & { headers: Record<string, string> } {
  return { method: 'POST', body, headers: { 'Content-Type': type } }
}

/** Message of a refusal; null if Ashore did not send the answer. */
async function messageIn(answer: Response): Promise<UserMessage | null> {
  const problem = (await answer.json().catch(() => null)) as (Partial<UserMessage> & { type?: string; detail?: string }) | null
  const [code, text] = [problem?.code ?? problem?.type, problem?.text ?? problem?.detail]
  if (code === undefined || text === undefined) return null
  return { code, text, variant: problem?.variant, args: problem?.args ?? {} }
}

function secondsIn(answer: Response): number {
  const seconds = Number(answer.headers.get('Retry-After') ?? '')
  return seconds > 0 ? Math.ceil(seconds) : USUAL_WAIT
}
