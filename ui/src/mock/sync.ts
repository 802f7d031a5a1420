// Simulated sync, off by default. `?sync` turns it on with three machines. The values of `STATES` change the status of
// sync. `?sync=server` and `?sync=no-server` change the server on this machine. With `?declined`, the user declines
// every dialog of the desktop.
import { Failure, type ExistingLinks, type NewRegistration, type NewRequest } from '../api/api'
import {
  type ConflictReport,
  DECLINED,
  type DeviceReport,
  type JoinInvite,
  type RecoveryWordsReport,
  type RemoteChange,
  type RemoteDownload,
  type SentDownload,
  type SyncApi,
  type SyncCycleOutcome,
  type SyncStatus,
} from '../api/sync-api'
import { toBase64Url } from '../lib/base64url'
import { refused } from './errors'
import { type MockAccess, PretendedServer } from './own-server'
import { qrCode } from './qr-code'
import { conflictsOf, devicesOf, freeName, LAPTOP, othersOf, sendsOf, SERVER } from './sync-data'
import { ADDRESS, cleared, OFF, type OwnStatus, STATES, turnedOn } from './sync-status'

const MINUTE = 60_000
const DAY = 86_400_000
const GB = 1e9

const WORDS =
  'anchor breeze canal delta ember fabric galaxy harbor island jungle kitchen ladder magnet noble ocean pilot quantum river sail tide umbrella velvet window zebra'

export class PretendedSync extends PretendedServer implements SyncApi {
  #on: OwnStatus | null
  #devices: DeviceReport[]
  #others: RemoteDownload[]
  #conflicts: ConflictReport[]
  #sends: SentDownload[]

  constructor(access: MockAccess) {
    super(access)
    const { parameters } = access
    const isEmpty = parameters.has('empty') || parameters.has('one')
    const on = turnedOn('Workshop', ADDRESS)
    this.#on = parameters.has('sync') ? { ...on, ...STATES[parameters.get('sync') ?? ''] } : null
    this.#devices = this.#on === null ? [] : devicesOf(Date.now())
    this.#others = this.#on === null || isEmpty ? [] : othersOf(Date.now())
    this.#conflicts = this.#on === null || isEmpty ? [] : conflictsOf(Date.now())
    this.#sends = this.#on === null || isEmpty ? [] : sendsOf(Date.now())
  }

  async status(): Promise<SyncStatus> {
    await this.access.answer('sync-status')
    return this.#on === null ? OFF : { ...this.#on, conflicts: this.#conflicts.length, others: this.#others.length }
  }

  async setUp(link: string, name: string): Promise<RecoveryWordsReport> {
    await this.#ask('sync-set-up')
    this.#check(link)
    this.#begin(name, this.server.is_running ? this.server.address : addressOf(link))
    return this.#wordsReport()
  }

  async join(link: string, name: string): Promise<void> {
    await this.#ask('sync-join')
    this.#check(link)
    this.#begin(name, addressOf(link))
    this.#devices = [...devicesOf(Date.now()).filter((device) => !device.is_own), ...this.#devices]
    this.#others = othersOf(Date.now())
  }

  async recover(address: string, _uid: number, words: string, name: string): Promise<void> {
    await this.#ask('sync-recover')
    const given = words.split(/\s+/)
    if (given.length !== 24) throw refused('sync-words.count', { count: given.length })
    const list = WORDS.split(' ')
    const place = given.findIndex((word) => !list.includes(word))
    if (place >= 0) throw refused('sync-words.meant', { position: place + 1, word: given[place]!, meant: list[place]! })
    if (words !== WORDS) throw refused('sync-words')
    this.#begin(name, address.split('#')[0]!)
  }

  async words(): Promise<RecoveryWordsReport> {
    await this.#ask('sync-words')
    return this.#wordsReport()
  }

  async invite(): Promise<JoinInvite> {
    await this.#ask('sync-invite')
    const list = `31.412.${toBase64Url(this.#on?.name ?? '')}`
    const link = `ashore://join/${this.#on?.address}/1/q7Wm2Xc9#Zk4vR8sT1yB6nP3hL5dG0w.mN7jQ2xV9cF4.${list}`
    return { link, expires_ms: Date.now() + 10 * MINUTE, qr: qrCode() }
  }

  async devices(): Promise<DeviceReport[]> {
    await this.access.answer('sync-devices')
    return this.#devices
  }

  async removeDevice(device: string): Promise<RecoveryWordsReport> {
    await this.#ask('sync-remove')
    this.#devices = this.#devices.filter((one) => one.device !== device)
    this.changed()
    return this.#wordsReport()
  }

  async trust(device: string, is_trusted: boolean): Promise<void> {
    await (is_trusted ? this.#ask('sync-trust') : this.access.answer('sync-trust'))
    this.#devices = this.#devices.map((one) => (one.device === device ? { ...one, is_trusted } : one))
    this.changed()
  }

  async rename(name: string): Promise<void> {
    await this.access.answer('sync-rename')
    const given = name.trim()
    if (this.#on === null || given === '' || [...given].length > 64) throw refused('sync-name')
    const free = freeName(
      given,
      this.#devices.flatMap((one) => (one.is_own ? [] : [one.name])),
    )
    this.#on = { ...this.#on, name: free }
    this.#devices = this.#devices.map((one) => (one.is_own ? { ...one, name: free } : one))
    this.changed()
  }

  async now(): Promise<SyncCycleOutcome> {
    await this.access.answer('sync-now')
    if (this.#on === null) throw refused('sync-off')
    if (this.#on.fault !== null) throw Failure.from(this.#on.fault)
    const sent = this.#on.collections.reduce((sum, { waiting }) => sum + waiting, 0)
    const collections = this.#on.collections.map((one) => ({ ...one, on_server: one.records, waiting: 0 }))
    this.#on = { ...this.#on, collections, synced_ms: Date.now() }
    this.changed()
    return { received: 3, sent, arrived: [], is_restored: false }
  }

  async leave(): Promise<void> {
    await this.access.answer('sync-leave')
    this.#on = null
    this.#devices = []
    this.#others = []
    this.#conflicts = []
    this.#sends = []
    this.changed()
  }

  async clearHistory(beforeMs: number): Promise<void> {
    await this.access.answer('sync-clear-history')
    if (this.#on !== null) this.#on = cleared(this.#on, beforeMs)
    this.changed()
  }

  async conflicts(): Promise<ConflictReport[]> {
    await this.access.answer('sync-conflicts')
    return this.#conflicts
  }

  async resolve(number: number): Promise<void> {
    await this.access.answer('sync-resolve')
    this.#conflicts = this.#conflicts.filter((conflict) => conflict.number !== number)
    this.changed()
  }

  async others(): Promise<RemoteDownload[]> {
    await this.access.answer('sync-others')
    return this.#others
  }

  async changeOther(id: string, change: RemoteChange): Promise<void> {
    await this.access.answer('sync-change')
    const requested = { pause: 'paused', resume: 'run', remove: 'removed' } as const
    if (change === 'move-here') this.#others = this.#others.filter((one) => one.id !== id)
    else if (change !== 'fetch-here')
      this.#others = this.#others.map((one) => (one.id === id ? { ...one, requested: requested[change] } : one))
    this.changed()
  }

  async send(uniqueId: string, device: string): Promise<void> {
    await this.access.answer('sync-send')
    this.#sent(uniqueId, device)
  }

  async sendNew(title: string | null, requests: NewRequest[], device: string): Promise<void> {
    await this.access.answer('sync-send-new')
    this.#sent(title ?? requests[0]?.url.split('/').at(-1) ?? '', device)
  }

  async sends(): Promise<SentDownload[]> {
    await this.access.answer('sync-sends')
    return this.#sends
  }

  /** Earlier downloads on other machines: the links that contain "past". */
  async past(links: readonly string[]): Promise<NonNullable<ExistingLinks['past_downloads']>> {
    if (this.#on === null) return []
    return links.flatMap((url, link) =>
      url.includes('past')
        ? [{ link, title: url.split('/').at(-1) ?? url, size: 0.4 * GB, time_ms: Date.now() - 40 * DAY, machine: 'Laptop' }]
        : [],
    )
  }

  async #ask(verb: string): Promise<void> {
    await this.access.answer(verb)
    if (this.access.parameters.has('declined')) throw new Failure(DECLINED, 'The user declined.')
  }

  #check(link: string): void {
    if (link.includes('used')) throw refused('sync-link.used')
  }

  #begin(name: string, address: string): void {
    this.#on = turnedOn(name, address)
    this.#devices = [{ device: SERVER, name, last_seen_ms: Date.now(), is_own: true, is_trusted: false }]
    this.changed()
  }

  #wordsReport(): RecoveryWordsReport {
    return { words: WORDS.split(' '), address: `${this.#on?.address}#mN7jQ2xV9cF4`, uid: 1 }
  }

  #sent(title: string, device: string): void {
    const to = this.#devices.find((one) => one.device === device)?.name ?? device
    const id = `s${this.#sends.length + 1}`
    const from = this.#on?.name ?? ''
    this.#sends = [{ id, title, from, device, to, state: 'waiting', sent_ms: Date.now() }, ...this.#sends]
    this.changed()
  }
}

const addressOf = (link: string): string => link.split('/')[3] ?? ''

/** Download that the laptop sent to this machine. */
export function sentDownload(): NewRegistration {
  return { owner: `device-${LAPTOP}`, paused: true, requests: [{ url: 'https://files.example.org/pub/debian.iso' }] }
}
