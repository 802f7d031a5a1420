// In-process server that implements the contract between page and server: sign-in, sockets, tickets and folders.
//
// It uses the simulated engine. Time passes only when a test says so.
import type { Event } from '../../src/api/api'
import type { MethodCall } from '../../src/api/generated/MethodCall'
import { type Api, Failure } from '../../src/api/api'
import { httpApi, type HttpWorld } from '../../src/api/http'
import type { SocketLike } from '../../src/api/remote/socket'
import { pretend } from '../../src/mock/mock'
import { carryOut } from './engine'

export const TOKEN = 'secret token'
export const PAIRING = 'pairing-code'
export const TEXTS = {
  lost: () => 'lost',
  signedOut: () => 'signed out',
  tooLarge: () => 'too large',
  unavailable: () => 'unavailable',
}

/** Values that survive a new page: the local storage and the storage of the tab. */
export const storage = (): Storage => {
  const values = new Map<string, string>()
  const kept = {
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => void values.set(name, value),
    removeItem: (name: string) => void values.delete(name),
  }
  return kept as unknown as Storage
}

/** Waits until all promises that do not depend on a timer have settled. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 20; round += 1) await Promise.resolve()
}

export class Server {
  readonly engine: Api = pretend(new URLSearchParams('still&events=0'))
  program = '0.1.0'
  isUp = true
  /** Answer to every sign-in. `null` means the usual answer. */
  signInAnswer: (() => Response) | null = null
  /** Methods whose answers the server holds back. */
  readonly held = new Set<string>()
  readonly sockets = new Set<ServerSocket>()
  /** All frames and requests of pages, in order. */
  readonly log: string[] = []
  #keys = new Set<string>()
  #last = 0

  fetch(address: URL, init: RequestInit): Promise<Response> {
    if (!this.isUp) return Promise.reject(new TypeError('no network'))
    const path = address.pathname.replace(/^.*\/(?=api\/)/, '') + address.search
    const request = `${init.method ?? 'GET'} ${path}`
    this.log.push(request)
    const headers = init.headers as Record<string, string>
    const key = headers['Ashore-Key'] ?? ''
    if (request === 'POST api/session') return Promise.resolve(this.signInAnswer?.() ?? this.#signIn(String(init.body)))
    if (!this.#keys.has(key)) return Promise.resolve(problem(401, 'signed-out', 'Not signed in'))
    if (request === 'DELETE api/session') {
      this.#keys.delete(key)
      return Promise.resolve(new Response(null, { status: 204 }))
    }
    if (request === 'POST api/tickets') return Promise.resolve(Response.json({ path: `files/1?ticket=${String(init.body)}` }))
    if (request === 'POST api/import')
      return Promise.resolve(Response.json({ registrations: 2, requests: 2, known: 1, elsewhere: 0, without_headers: 0 }))
    if (path.startsWith('api/folders')) return Promise.resolve(Response.json({ path: '/srv', parent: null, folders: ['a', 'b'] }))
    return Promise.resolve(problem(404, 'not-there', 'Nothing here'))
  }

  /** Ends all sessions, as a sign-out on another device does. */
  endSessions(): void {
    this.#keys.clear()
    for (const socket of this.sockets) socket.end(4401)
  }

  stop(): void {
    this.isUp = false
    for (const socket of this.sockets) socket.end(1006)
  }

  has(key: string): boolean {
    return this.#keys.has(key)
  }

  emit(event: Event): void {
    for (const socket of this.sockets) if (socket.isSubscribed) socket.say({ jsonrpc: '2.0', method: 'event', params: event })
  }

  #signIn(body: string): Response {
    const { token, pairing, name } = JSON.parse(body) as { token?: string; pairing?: string; name?: string }
    if (token !== TOKEN && pairing !== PAIRING) return problem(401, 'wrong-secret', 'Wrong token')
    const key = `key-${++this.#last}`
    this.#keys.add(key)
    return Response.json({ key, name, scope: 'control' })
  }
}

export function problem(status: number, code: string, text: string, headers: Record<string, string> = {}): Response {
  return Response.json({ type: code, detail: text, code, text, args: {} }, { status, headers })
}

export class ServerSocket implements SocketLike {
  onopen: SocketLike['onopen'] = null
  onmessage: SocketLike['onmessage'] = null
  onclose: SocketLike['onclose'] = null
  isSubscribed = false
  readonly #server: Server
  #isSignedIn = false
  #isOver = false

  constructor(server: Server) {
    this.#server = server
    server.sockets.add(this)
    queueMicrotask(() => (server.isUp ? this.onopen?.() : this.end(1006)))
  }

  send(text: string): void {
    const { id, method, params } = JSON.parse(text) as { id: number; method: string; params?: { key?: string } }
    this.#server.log.push(method)
    if (method === 'authenticate') {
      this.#isSignedIn = this.#server.has(params?.key ?? '')
      if (!this.#isSignedIn) return this.end(4401)
      return this.say({ jsonrpc: '2.0', id, result: { name: 'Test', scope: 'control', program: this.#server.program } })
    }
    if (!this.#isSignedIn) return this.end(4401)
    if (this.#server.held.has(method)) return
    if (method === 'greet') return this.say({ jsonrpc: '2.0', id, result: { version: 1 } })
    if (method === 'subscribe') {
      this.isSubscribed = true
      return this.say({ jsonrpc: '2.0', id, result: null })
    }
    carryOut(this.#server.engine, { method, params } as MethodCall).then(
      (result) => this.say({ jsonrpc: '2.0', id, result: result ?? null }),
      (failure: Failure) => {
        const { code, text, args } = failure
        this.say({ jsonrpc: '2.0', id, error: { code: -32000, message: text, data: { code, text, args } } })
      },
    )
  }

  close(): void {
    this.#isOver = true
    this.#server.sockets.delete(this)
  }

  /** Closes the connection from the side of the server. */
  end(code: number): void {
    if (this.#isOver) return
    this.close()
    queueMicrotask(() => this.onclose?.({ code }))
  }

  say(message: object): void {
    queueMicrotask(() => !this.#isOver && this.onmessage?.({ data: JSON.stringify(message) }))
  }
}

/** Page that uses the server. The test controls the page's clock. */
export class RemotePage {
  readonly api: Api
  now = 0
  reloads = 0
  readonly downloads: string[] = []
  file: Blob | null = null
  readonly #timers = new Map<number, { due: number; act: () => void }>()
  #lastTimer = 0
  #look: (isVisible: boolean) => void = () => undefined
  #online: () => void = () => undefined
  readonly unload = new Set<() => void>()

  constructor(server: Server, { kept = storage(), tab = storage(), version = '0.1.0' } = {}) {
    const world: HttpWorld = {
      base: new URL('http://nas.example/ashore/'),
      version,
      storage: kept,
      tab,
      fetch: (address, init) => server.fetch(address, init),
      openSocket: () => new ServerSocket(server),
      now: () => this.now,
      random: () => 1,
      after: (milliseconds, act) => {
        const timer = ++this.#lastTimer
        this.#timers.set(timer, { due: this.now + milliseconds, act })
        return () => this.#timers.delete(timer)
      },
      reload: () => void (this.reloads += 1),
      download: (address) => void this.downloads.push(address.href),
      chooseFile: () => Promise.resolve(this.file),
      sharedLinks: () => [],
      watchVisibility: (listener) => {
        this.#look = listener
        listener(true)
      },
      watchNetwork: (listener) => void (this.#online = listener),
      watchUnload: (listener) => {
        this.unload.add(listener)
        return () => this.unload.delete(listener)
      },
    }
    this.api = httpApi(world, TEXTS)
  }

  get remote() {
    return this.api.remote!
  }

  /** Advances the clock and runs all timers that become due. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.now + milliseconds
    for (;;) {
      await settle()
      const next = [...this.#timers].filter(([, { due }]) => due <= end).sort(([, one], [, other]) => one.due - other.due)[0]
      if (next === undefined) break
      this.#timers.delete(next[0])
      this.now = Math.max(this.now, next[1].due)
      next[1].act()
    }
    this.now = end
    await settle()
  }

  async show(isVisible: boolean): Promise<void> {
    this.#look(isVisible)
    await settle()
  }

  /** Skips time without running timers, as a device in standby does. */
  sleep(milliseconds: number): void {
    this.now += milliseconds
  }

  async online(): Promise<void> {
    this.#online()
    await settle()
  }

  async signIn(): Promise<void> {
    await this.remote.signIn({ token: TOKEN }, 'Test')
    await settle()
  }
}
