// State of sync in the window. The status is read at the start and after each event of sync; the devices and the downloads
// of the other machines are read while they are shown, and only while sync is on.
import { type Api, Failure, type Event, type Registration } from '../api/api'
import {
  type ConflictReport,
  DECLINED,
  type DeviceReport,
  type JoinInvite,
  type OwnServer,
  type RecoveryWordsReport,
  type RemoteChange,
  type RemoteDownload,
  type SyncCycleOutcome,
  type SyncStatus,
} from '../api/sync-api'
import { Followed } from '../lib/live-query.svelte'
import { SetUp } from './set-up.svelte'

/** Milliseconds between two reads, because one cycle may emit several events. */
const PAUSE = 500
/** Prefix of the owner of downloads that another machine sent. */
const SENDER = 'device-'

/** Dialog of sync. */
export type SyncDialog =
  | { what: 'invite'; invite: JoinInvite }
  /** `removed` is the name of the machine whose removal created the words; null for the present words. */
  | { what: 'words'; report: RecoveryWordsReport; removed: string | null }
  | { what: 'remove'; device: DeviceReport }
  | { what: 'leave' }
  | { what: 'stop-server' }
  | { what: 'remove-other'; download: RemoteDownload }
  | { what: 'send'; registrations: readonly Registration[] }

interface Door {
  api: Api['sync']
  watch: (listener: (event: Event) => void) => unknown
  /** Shows a failure. */
  failed: (thrown: unknown) => void
  /** Called after sync was turned on; `joined` if there are no new words. */
  turnedOn?: (how: 'set-up' | 'joined') => void
}

export class Sync {
  status = $state.raw<SyncStatus | null>(null)
  /** Why the status could not be read. */
  failure = $state.raw<Failure | null>(null)
  /** Server on this machine; null until it is read. */
  ownServer = $state.raw<OwnServer | null>(null)
  /** Open dialog. */
  asking = $state.raw<SyncDialog | null>(null)
  outcome = $state.raw<SyncCycleOutcome | null>(null)
  isSyncing = $state(false)
  /** Whether this machine takes part in sync. Derived, so that effects run only after a change of it. */
  readonly isOn = $derived(this.status?.is_on === true)
  readonly setUp: SetUp
  readonly #door: Door
  readonly #devices = new Followed<DeviceReport[]>(PAUSE)
  readonly #others = new Followed<RemoteDownload[]>(PAUSE)
  readonly #conflicts = new Followed<ConflictReport[]>(PAUSE)
  /** Name of the values of this list; a list that is joined later has another name. */
  readonly #list = $derived(`${this.status?.device} ${this.status?.fingerprint}`)
  #turn = 0

  constructor(door: Door) {
    this.#door = door
    this.setUp = new SetUp(door.api, (how) => {
      void this.read()
      door.turnedOn?.(how)
    })
    door.watch((event) => {
      if (event.type === 'sync' || event.type === 'lagged') void this.read()
    })
  }

  /** Machines of the list; empty while sync is off. */
  get devices(): readonly DeviceReport[] {
    return (this.isOn ? this.#devices.value(this.#list) : null) ?? []
  }

  /** Other machines of the list. */
  get targets(): readonly DeviceReport[] {
    return this.devices.filter((device) => !device.is_own)
  }

  /** Downloads of the other machines; null until they are read. */
  get others(): readonly RemoteDownload[] | null {
    return this.isOn ? this.#others.value(this.#list) : null
  }

  get othersFailure(): Failure | null {
    return this.#others.failure
  }

  get conflicts(): readonly ConflictReport[] {
    return (this.isOn ? this.#conflicts.value(this.#list) : null) ?? []
  }

  /** Reads the status, and everything else that is shown. */
  async read(): Promise<void> {
    const turn = ++this.#turn
    try {
      const status = await this.#door.api.status()
      if (turn !== this.#turn) return
      this.status = status
      this.failure = null
      if (this.setUp.name === '') this.setUp.name = status.name
    } catch (thrown) {
      if (turn === this.#turn) this.failure = Failure.of(thrown)
    }
    for (const shown of [this.#devices, this.#others, this.#conflicts]) shown.changed()
    if (this.ownServer !== null) await this.readOwnServer()
  }

  /** Reads the state of the server on this machine, which an older desktop may not know. */
  async readOwnServer(): Promise<void> {
    this.ownServer = await this.#door.api.ownServer().catch(() => this.ownServer)
  }

  /** Keeps the machines and the other downloads up to date until the returned function is called. */
  follow(): () => void {
    if (!this.isOn) return () => undefined
    const ends = [
      this.#devices.follow(this.#list, () => this.#door.api.devices()),
      this.#others.follow(this.#list, () => this.#door.api.others()),
    ]
    return () => ends.forEach((end) => end())
  }

  /** Keeps the conflicts up to date until the returned function is called. */
  followConflicts(): () => void {
    if (!this.isOn) return () => undefined
    return this.#conflicts.follow(this.#list, () => this.#door.api.conflicts())
  }

  /** Name of the machine that sent this download and whose download waits to be started; null for all others. */
  senderOf({ owner, state, downloaded }: Registration): string | null {
    if (!owner.startsWith(SENDER) || state !== 'paused' || downloaded > 0) return null
    return this.device(senderId(owner))?.name ?? null
  }

  device(id: string): DeviceReport | undefined {
    return this.devices.find(({ device }) => device === id)
  }

  /** Runs a cycle, and keeps its outcome for the page. */
  async now(): Promise<void> {
    if (this.isSyncing) return
    this.isSyncing = true
    this.outcome = null
    try {
      this.outcome = await this.#door.api.now()
    } catch {
      // The status contains the fault.
    } finally {
      this.isSyncing = false
      await this.read()
    }
  }

  async invite(): Promise<void> {
    const invite = await this.attempt(() => this.#door.api.invite())
    if (invite !== null) this.asking = { what: 'invite', invite }
  }

  async showWords(): Promise<void> {
    const report = await this.attempt(() => this.#door.api.words())
    if (report !== null) this.asking = { what: 'words', report, removed: null }
  }

  async removeDevice({ device, name }: DeviceReport): Promise<void> {
    this.asking = null
    const report = await this.attempt(() => this.#door.api.removeDevice(device))
    if (report !== null) this.asking = { what: 'words', report, removed: name }
    void this.read()
  }

  /** Resolves to false if nothing was changed. */
  async trust(device: string, isTrusted: boolean): Promise<boolean> {
    const isDone = await this.attempt(async () => {
      await this.#door.api.trust(device, isTrusted)
      return true
    })
    await this.read()
    return isDone === true
  }

  async leave(): Promise<void> {
    this.asking = null
    await this.attempt(() => this.#door.api.leave())
    this.outcome = null
    await this.read()
  }

  async startServer(): Promise<void> {
    await this.attempt(() => this.#door.api.startServer())
    await this.readOwnServer()
  }

  async stopServer(): Promise<void> {
    this.asking = null
    await this.attempt(() => this.#door.api.stopServer())
    await this.readOwnServer()
  }

  async resolve(number: number, takesLosing: boolean): Promise<void> {
    await this.attempt(() => this.#door.api.resolve(number, takesLosing))
    await this.read()
  }

  /** Resolves to false if the engine refused the change, which is shown. */
  async change(id: string, change: RemoteChange): Promise<boolean> {
    const isDone = await this.attempt(async () => {
      await this.#door.api.changeOther(id, change)
      return true
    })
    await this.read()
    return isDone === true
  }

  /** Resolves to null if the user declined, without a message, and after a failure, which is shown. */
  async attempt<Answer>(act: () => Promise<Answer>): Promise<Answer | null> {
    try {
      return await act()
    } catch (thrown) {
      const failure = Failure.of(thrown)
      if (failure.code !== DECLINED) this.#door.failed(failure)
      return null
    }
  }
}

/** Id of the machine that sent a download; empty if no machine sent it. */
export function senderId(owner: string): string {
  return owner.startsWith(SENDER) ? owner.slice(SENDER.length) : ''
}
