// Simulated sync server on this machine. With `?sync=server`, the page starts with this server. With `?sync=no-server`,
// this server cannot start.
import { inEnglish } from '../i18n/engine-messages'
import type { Event } from '../api/api'
import type { OwnServer } from '../api/sync-api'
import { ADDRESS } from './sync-status'

export interface MockAccess {
  parameters: URLSearchParams
  /** Waits as long as the simulated engine does, and refuses the call named by `?fail`. */
  answer: (verb: string) => Promise<void>
  say: (event: Event) => void
}

export class PretendedServer {
  protected readonly access: MockAccess
  protected server: OwnServer = { is_kept: false, is_running: false, address: '', fault: null }

  constructor(access: MockAccess) {
    this.access = access
    const state = access.parameters.get('sync')
    if (state === 'server' || state === 'no-server') this.#start()
    if (state === 'no-server') {
      const fault = inEnglish('own-server', { why: 'The disk is full' })
      this.server = { ...this.server, is_running: false, fault }
    }
  }

  async ownServer(): Promise<OwnServer> {
    await this.access.answer('own-server')
    return this.server
  }

  async keepServer(): Promise<string> {
    await this.access.answer('keep-server')
    this.#start()
    this.changed()
    return `ashore://join/${ADDRESS}/0/s3Tup0ne#Zk4vR8sT1yB6nP3hL5dG0w.mN7jQ2xV9cF4`
  }

  async startServer(): Promise<void> {
    await this.access.answer('start-server')
    this.#start()
    this.changed()
  }

  async stopServer(): Promise<void> {
    await this.access.answer('stop-server')
    this.server = { ...this.server, is_kept: false, is_running: false }
    this.changed()
  }

  protected changed(): void {
    this.access.say({ type: 'sync' })
  }

  #start(): void {
    this.server = { is_kept: true, is_running: true, address: ADDRESS, fault: null }
  }
}
