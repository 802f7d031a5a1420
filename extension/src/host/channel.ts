// The paired channel: a WebSocket of Ashore on this computer, for browsers that cannot start the native host.
//
// - Another user of the computer can listen on the ports, too. Ashore therefore proves that it knows the token of this
//   browser before it receives the token or anything else. The proof contains the port, so that no other program can
//   pass it on.
// - The first character of a code names a port. The code is sent only to this port, and Ashore listens there while it
//   shows the code.
// - Each call has a connection of its own, so no connection stays open while the extension is idle.
import type { Stored } from '../browser/stored'
import type { ChannelAnswer } from '../generated/ChannelAnswer'
import type { ChannelRequest } from '../generated/ChannelRequest'
import { FAILED, MISSING, type Refusal } from './protocol'

/** Ports on which Ashore may listen. The content security policy of the manifest allows only these. */
export const PORTS: readonly number[] = [27346, 27347, 27348]
/** Characters of a code. Ashore has the same list. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const CODE_LENGTH = 8
/**
 * Time limit for an answer before the sign-in, in milliseconds. Ashore answers at once, but another program on the port may
 * never answer.
 */
const PATIENCE = 2000
/**
 * Time limit for the answer to a code, in milliseconds. It is long enough for Ashore to store the token, because a code
 * works only once and its answer must not be missed.
 */
const PAIR_LIMIT = 15_000
/** Time limit for the answer to a message that is meant for the host, in milliseconds. Ashore answers within 14 s. */
const CALL_LIMIT = 20_000
/** Value of `readyState` while a socket is open, so that messages can arrive. */
const OPEN = 1
/** Refusal code from Ashore for a browser whose pairing a person removed. */
export const REMOVED = 'browser-pairing.removed'

/** Refusal that the popup shows for a code of the wrong form. */
export const WRONG_CODE: Refusal = { code: 'wrong-code', text: '' }
/** Refusal that the popup shows if no Ashore listens on the port that the code names. */
export const NO_ASHORE: Refusal = { code: 'no-ashore', text: '' }

export interface Pairing {
  id: string
  token: string
  /** Port of the latest connection, which is tried first. */
  port: number
}

/** The pairing, or the reason why it ended, or null if this browser was never paired. */
export type PairingState = Pairing | { removed: Refusal } | null

/** Reason why a call over the channel failed. */
export class ChannelError extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.code)
  }
}

export type OpenSocket = (port: number) => WebSocket

export const openSocket: OpenSocket = (port) => new WebSocket(`ws://127.0.0.1:${port}/browser`)

const isText = (value: unknown): value is string => typeof value === 'string'

/** Reads the state from its stored form. */
export function stateOf(stored: unknown): PairingState {
  const { id, token, port, removed } = (stored ?? {}) as Record<string, unknown>
  if (isText(id) && isText(token) && typeof port === 'number') return { id, token, port }
  const { code, text } = (removed ?? {}) as Record<string, unknown>
  return isText(code) && isText(text) ? { removed: { code, text } } : null
}

/** Index in `PORTS` of the port that a typed code names; null if the text is not a code. */
export function portIndexOf(typed: string): number | null {
  const code = typed.replaceAll(/[\s-]/g, '').toUpperCase()
  const places = [...code].map((letter) => ALPHABET.indexOf(letter))
  return places.length === CODE_LENGTH && !places.includes(-1) ? places[0]! % PORTS.length : null
}

/** Name of this browser, as people see it. */
export function browserName(navigator: { userAgent: string; userAgentData?: unknown }): string {
  if (navigator.userAgent.includes('Firefox/')) return 'Firefox'
  const { brands } = (navigator.userAgentData ?? {}) as { brands?: { brand: string }[] }
  // Browsers list one random brand, so that sites do not rely on the list.
  const names = (brands ?? []).map(({ brand }) => brand).filter((brand) => !/not.*brand/i.test(brand))
  return names.find((name) => name !== 'Chromium') ?? names[0] ?? ''
}

const hex = (bytes: ArrayBuffer | Uint8Array): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

/** Returns the proof that Ashore must send. It shows that this Ashore knows `token` and listens on `port`. */
export async function proofOf(token: string, port: number, nonce: string): Promise<string> {
  const secret = hex(await crypto.subtle.digest('SHA-256', bytesOf(`ashore server key\0${token}`)))
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return hex(await crypto.subtle.sign('HMAC', key, bytesOf(`${port} ${nonce}`)))
}

/** Connection that is open. Its messages are answered one after the other. */
class Line {
  readonly #socket: WebSocket

  private constructor(socket: WebSocket) {
    this.#socket = socket
  }

  /** Waits until the socket is open. Fails if nothing listens, or after `PATIENCE` milliseconds. */
  static connect(socket: WebSocket): Promise<Line> {
    return new Promise((resolve, reject) => {
      socket.onopen = () => resolve(new Line(socket))
      socket.onerror = socket.onclose = () => reject(new ChannelError(MISSING))
      setTimeout(() => reject(new ChannelError(MISSING)), PATIENCE)
    })
  }

  /**
   * Sends a message and resolves to the next message that arrives. Fails after `limit` milliseconds, or if the connection
   * ends or has already ended.
   */
  ask(message: object, limit: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const fail = (): void => reject(new ChannelError(FAILED))
      // A closed socket drops messages, and does not report its end again.
      if (!this.isOpen) return fail()
      const timer = setTimeout(fail, limit)
      this.listen((answer) => (clearTimeout(timer), resolve(answer)))
      this.onEnd(() => (clearTimeout(timer), fail()))
      this.send(message)
    })
  }

  /** Like `ask`, but resolves to null if there is no answer. */
  async exchange(message: ChannelRequest, limit = PATIENCE): Promise<ChannelAnswer | null> {
    return this.ask(message, limit).catch(() => null) as Promise<ChannelAnswer | null>
  }

  get isOpen(): boolean {
    return this.#socket.readyState === OPEN
  }

  send(message: object): void {
    this.#socket.send(JSON.stringify(message))
  }

  listen(take: (message: unknown) => void): void {
    this.#socket.onmessage = ({ data }) => take(parsed(data))
  }

  onEnd(end: () => void): void {
    this.#socket.onclose = end
  }

  close(): void {
    this.#socket.close()
  }
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return null
  }
}

const refusalIn = (answer: unknown): Refusal | null => {
  const { type, code, text } = (answer ?? {}) as Record<string, unknown>
  return type === 'refused' && isText(code) && isText(text) ? { code, text } : null
}

export class PairedChannel {
  constructor(
    readonly state: Stored<PairingState>,
    readonly open: OpenSocket,
  ) {}

  /** Pairs this browser. Returns null on success, and otherwise the refusal. */
  async pair(code: string, browser: string): Promise<Refusal | null> {
    const index = portIndexOf(code)
    if (index === null) return WRONG_CODE
    const port = PORTS[index]!
    const line = await this.#connect(port)
    if (line === null) return NO_ASHORE
    const answer = await line.exchange({ type: 'pair', code, browser }, PAIR_LIMIT)
    line.close()
    if (answer?.type !== 'paired') return refusalIn(answer) ?? NO_ASHORE
    const { id, token } = answer
    await this.state.update(() => ({ id, token, port }))
    return null
  }

  /** Sends a message for the host, and resolves to its answer. Fails with `MISSING` if nothing was sent. */
  async send(message: object): Promise<unknown> {
    const { line, id } = await this.#signIn()
    try {
      const answer = await line.ask(message, CALL_LIMIT)
      await this.#check(answer, id)
      return answer
    } finally {
      line.close()
    }
  }

  /** Sends a message. Calls `take` for each answer, and `end` when the connection has ended. */
  async follow(message: object, take: (message: unknown) => void, end: () => void): Promise<void> {
    const { line, id } = await this.#signIn()
    if (!line.isOpen) return end()
    line.onEnd(end)
    line.listen(
      (answer) =>
        void this.#check(answer, id).then(
          () => take(answer),
          () => line.close(),
        ),
    )
    line.send(message)
  }

  async #connect(port: number): Promise<Line | null> {
    const socket = this.open(port)
    return Line.connect(socket).catch(() => (socket.close(), null))
  }

  /** Returns a connection with the Ashore that knows the token, and the id of the token. */
  async #signIn(): Promise<{ line: Line; id: string }> {
    const pairing = await this.state.get()
    if (pairing !== null && 'removed' in pairing) throw new ChannelError(pairing.removed)
    if (pairing === null) throw new ChannelError(MISSING)
    for (const port of [pairing.port, ...PORTS.filter((one) => one !== pairing.port)]) {
      const line = await this.#connect(port)
      if (line === null) continue
      const nonce = hex(crypto.getRandomValues(new Uint8Array(16)))
      const proof = await line.exchange({ type: 'prove', id: pairing.id, nonce })
      if (proof?.type !== 'proof' || proof.proof !== (await proofOf(pairing.token, port, nonce))) {
        line.close()
        continue
      }
      const answer = await line.exchange({ type: 'sign_in', id: pairing.id, token: pairing.token })
      if (answer?.type === 'signed_in') {
        if (port !== pairing.port) await this.#replace(pairing.id, { ...pairing, port })
        return { line, id: pairing.id }
      }
      line.close()
      await this.#check(answer, pairing.id)
      break
    }
    throw new ChannelError(MISSING)
  }

  /**
   * Checks an answer that Ashore sent after it proved its identity. Fails if Ashore refuses the token `id`. If the token was
   * removed in Ashore, the extension forgets it.
   */
  async #check(answer: unknown, id: string): Promise<void> {
    const refusal = refusalIn(answer)
    if (refusal === null) return
    if (refusal.code === REMOVED) await this.#replace(id, { removed: refusal })
    throw new ChannelError(refusal)
  }

  /**
   * Stores `after`, unless the browser was paired again in the meantime. This can happen because an answer on an old
   * connection may arrive late.
   */
  async #replace(id: string, after: PairingState): Promise<void> {
    await this.state.update((now) => (now !== null && 'id' in now && now.id === id ? after : now))
  }
}
