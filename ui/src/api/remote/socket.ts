// Connection to the server over one WebSocket: signs in, carries calls and events, and connects again after a loss.
//
// - `reconnect.ts` decides on the state; this file only carries the decision out.
// - A call that is pending when the connection ends is rejected, because the server may have carried it out.
// - A hidden page closes its connection after a pause. The protocol has no subscription that leaves out progress
//   events, and phones stop the timers and sockets of hidden pages anyway. For a call of a hidden page, the page
//   connects again, without a subscription.
import { type Event, Failure } from '../api'
import { type Incoming, PendingCalls, read } from './pending-calls'
import { type RemoteChange, stateAfter } from './reconnect'
import type { RemoteDevice, RemoteState } from './remote-access'

/**
 * Longest parameters, in UTF-16 units of at most three bytes each. The server accepts messages of 4 MiB, and one KiB is
 * enough for the rest of the message.
 */
const LONGEST_MESSAGE = ((4 << 20) - 1024) / 3
/** Time until a hidden page closes its idle connection, in milliseconds. */
const HIDDEN_PAUSE = 10_000
/** Silence after which the page sends a call, in milliseconds. */
const QUIET = 30_000
/** Silence after which the connection counts as lost, in milliseconds. A call may take a minute. */
const DEAD = 120_000
/** Version of the protocol that the page supports. */
const PROTOCOL = 1
/** Code of a close for which the server gave no reason. */
const ABNORMAL = 1006

/** Part of a `WebSocket` that the connection uses. */
export interface SocketLike {
  onopen: (() => void) | null
  onmessage: ((event: { readonly data: unknown }) => void) | null
  onclose: ((event: { readonly code: number }) => void) | null
  send(text: string): void
  close(): void
}

export interface SocketWorld {
  openSocket(): SocketLike
  /** Second half of the session key; null if this device is not signed in. */
  key(): string | null
  /** Current time in milliseconds of Unix time. */
  now(): number
  random(): number
  /** Calls `act` after so many milliseconds, unless the returned function is called earlier. */
  after(milliseconds: number, act: () => void): () => void
}

/** Texts of the failures that the connection itself causes, in the language of the page. */
export interface ConnectionTexts {
  /** The connection was lost, or the server cannot be reached. */
  lost(): string
  signedOut(): string
  tooLarge(): string
}

interface Listener {
  changed(state: RemoteState): void
  event(event: Event): void
  /** The server accepted the session. */
  accepted(device: RemoteDevice, program: string): void
}

export class RemoteSocket {
  #state: RemoteState = { phase: 'signed-out' }
  readonly #world: SocketWorld
  readonly #texts: ConnectionTexts
  readonly #listener: Listener
  readonly #calls = new PendingCalls()
  #socket: SocketLike | null = null
  #isSubscribed = false
  /** Whether events may be missing since the last subscription. */
  #hasGap = false
  /** Time at which the page was hidden; null while it is visible. */
  #hiddenAt: number | null = null
  #heardAt = 0
  #cancelWait = (): void => undefined
  #cancelRest = (): void => undefined
  #cancelBeat = (): void => undefined

  constructor(world: SocketWorld, texts: ConnectionTexts, listener: Listener) {
    this.#world = world
    this.#texts = texts
    this.#listener = listener
  }

  get state(): RemoteState {
    return this.#state
  }

  /** Connects if this device has a session key. */
  start(): void {
    if (this.#world.key() !== null) this.change({ type: 'signed-in' })
  }

  /** Sends a call, or keeps it until the connection that is being opened is ready. */
  call<Answer>(method: string, params?: unknown): Promise<Answer> {
    if (this.#state.phase === 'signed-out') return Promise.reject(new Failure('signed-out', this.#texts.signedOut()))
    if (this.#state.phase === 'waiting') return Promise.reject(this.#lost())
    if (params !== undefined && JSON.stringify(params).length > LONGEST_MESSAGE) {
      return Promise.reject(new Failure('too-large', this.#texts.tooLarge()))
    }
    const { text, answer } = this.#calls.add<Answer>(method, params)
    if (this.#state.phase === 'open') this.#socket?.send(text)
    else if (this.#state.phase === 'resting') this.change({ type: 'due' })
    return answer.finally(() => this.#restSoon())
  }

  setVisible(isVisible: boolean): void {
    const hiddenFor = this.#hiddenAt === null ? 0 : this.#world.now() - this.#hiddenAt
    this.#hiddenAt = isVisible ? null : (this.#hiddenAt ?? this.#world.now())
    if (!isVisible) return this.#restSoon()
    this.#cancelRest()
    // Timers may have been stopped while the page was hidden, and the connection may be dead without a notice.
    if (this.#state.phase === 'open' && hiddenFor > HIDDEN_PAUSE) this.#closed(ABNORMAL)
    if (this.#state.phase === 'open') void this.#subscribe()
    else this.change({ type: 'due' })
  }

  change(change: RemoteChange): void {
    const before = this.#state
    const next = stateAfter(before, change, { now: this.#world.now(), random: this.#world.random() })
    if (next === before) return
    this.#state = next
    this.#cancelWait()
    if (next.phase !== 'open' && next.phase !== 'connecting') this.#drop()
    if (next.phase === 'signed-out') this.#calls.rejectAll(() => new Failure('signed-out', this.#texts.signedOut()))
    if (next.phase === 'waiting') {
      this.#calls.rejectAll(() => this.#lost())
      this.#cancelWait = this.#world.after(next.due - this.#world.now(), () => this.change({ type: 'due' }))
    }
    if (next.phase === 'connecting') this.#open()
    this.#listener.changed(next)
  }

  #open(): void {
    this.#drop()
    const socket = this.#world.openSocket()
    this.#socket = socket
    const key = this.#world.key()
    socket.onopen = () =>
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'authenticate', params: { key: key ?? '' } }))
    socket.onmessage = ({ data }) => this.#hear(data)
    socket.onclose = ({ code }) => this.#closed(code)
  }

  #drop(): void {
    const socket = this.#socket
    this.#cancelBeat()
    this.#socket = null
    this.#isSubscribed = false
    if (socket === null) return
    socket.onopen = socket.onmessage = socket.onclose = null
    socket.close()
  }

  #closed(code: number): void {
    this.#hasGap = true
    this.change({ type: 'closed', code })
  }

  #hear(frame: unknown): void {
    const message = read(frame)
    if (message === null) return
    this.#heardAt = this.#world.now()
    if (message.method === 'event') this.#listener.event(message.params as Event)
    else if (message.id === 0) this.#accept(message)
    else this.#calls.settle(message)
  }

  /** Continues after the answer to the sign-in. After a refusal, the server closes the connection. */
  #accept({ result }: Incoming): void {
    if (typeof result !== 'object' || result === null) return
    const { name, scope, program } = result as RemoteDevice & { program: string }
    const kept = this.#calls.texts
    this.change({ type: 'opened' })
    if (this.#state.phase !== 'open') return
    this.#ask('greet', { version: PROTOCOL })
    if (this.#hiddenAt === null) void this.#subscribe()
    for (const text of kept) this.#socket?.send(text)
    this.#beatLater()
    this.#restSoon()
    this.#listener.accepted({ name, scope }, program)
  }

  /** Subscribes to events. If events may be missing, then reports a gap, because the list must be read again. */
  async #subscribe(): Promise<void> {
    if (this.#isSubscribed) return
    this.#isSubscribed = true
    const isAccepted = await this.#ask('subscribe', {})
    if (!isAccepted || !this.#hasGap) return
    this.#hasGap = false
    this.#listener.event({ type: 'lagged' })
  }

  /** Sends a call of the connection itself; resolves to true if the server carried it out. */
  #ask(method: string, params: unknown): Promise<boolean> {
    const { text, answer } = this.#calls.add(method, params)
    this.#socket?.send(text)
    return answer.then(
      () => true,
      () => false,
    )
  }

  /** Closes the idle connection of a hidden page after a pause. */
  #restSoon(): void {
    if (this.#hiddenAt === null) return
    this.#cancelRest()
    this.#cancelRest = this.#world.after(HIDDEN_PAUSE, () => {
      if (this.#hiddenAt === null) return
      if (this.#calls.size > 0) return this.#restSoon()
      this.#hasGap = true
      this.change({ type: 'rested' })
    })
  }

  /** Sends a call after a long silence, so that a dead connection is noticed. */
  #beatLater(): void {
    this.#cancelBeat()
    this.#cancelBeat = this.#world.after(QUIET, () => {
      const silence = this.#world.now() - this.#heardAt
      if (silence >= DEAD) return this.#closed(ABNORMAL)
      if (silence >= QUIET) void this.#ask('greet', { version: PROTOCOL })
      this.#beatLater()
    })
  }

  #lost(): Failure {
    return new Failure('connection-lost', this.#texts.lost())
  }
}
