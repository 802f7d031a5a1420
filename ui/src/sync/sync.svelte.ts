// State of sync in the window. Created by `App`.
//
// - The status is read at the start and after each sync event. Every operation that changes something emits such an
//   event.
// - The machines are read while sync is on, because the whole window shows their names. All other lists, and the state
//   of the server on this machine, are read only while a view shows them.
import { type Api, Failure, type Event, type Registration } from '../api/api'
import {
  type ConflictReport,
  DECLINED,
  type DeviceReport,
  type OwnServer,
  type RemoteChange,
  type RemoteDownload,
  type SentDownload,
  type SyncCycleOutcome,
  type SyncStatus,
} from '../api/sync-api'
import { ActionGuard } from '../lib/action-guard.svelte'
import { isUnstartedSend, senderId } from '../i18n/phase'
import type { SyncDialog } from './dialogs/sync-dialog'
import { SetUp } from './set-up.svelte'
import { SyncList } from './sync-list.svelte'

interface SyncOptions {
  api: Api['sync']
  watch: (listener: (event: Event) => void) => unknown
  /** Shows a failure. */
  failed: (thrown: unknown) => void
  /** Called after sync was turned on; `joined` if there are no new words. */
  turnedOn?: (how: 'set-up' | 'joined') => void
}

export class Sync {
  status = $state.raw<SyncStatus | null>(null)
  /** Reason why the status could not be read; null if it could. */
  failure = $state.raw<Failure | null>(null)
  /** Server on this machine; null until it is read. */
  ownServer = $state.raw<OwnServer | null>(null)
  /** Dialog that is open; null if none is. */
  asking = $state.raw<SyncDialog | null>(null)
  outcome = $state.raw<SyncCycleOutcome | null>(null)
  isSyncing = $state(false)
  /** Whether this machine takes part in sync. Derived, so that effects run only when this value changes. */
  readonly isOn = $derived(this.status?.is_on === true)
  readonly setUp: SetUp
  readonly #options: SyncOptions
  /**
   * Name of the list; null while sync is off. The name changes if this machine joins another list, but not if the list
   * gets a new key.
   */
  readonly #list = $derived(this.isOn ? this.status!.device : null)
  readonly #conflictedList = $derived(this.status !== null && this.status.conflicts > 0 ? this.#list : null)
  readonly deviceList = new SyncList<DeviceReport>(
    () => this.#options.api.devices(),
    () => this.#list,
  )
  readonly otherList = new SyncList<RemoteDownload>(
    () => this.#options.api.others(),
    () => this.#list,
  )
  readonly sendList = new SyncList<SentDownload>(
    () => this.#options.api.sends(),
    () => this.#list,
  )
  readonly conflictList = new SyncList<ConflictReport>(
    () => this.#options.api.conflicts(),
    () => this.#conflictedList,
  )
  readonly #guard = new ActionGuard()
  /** Number of started reads of the status. */
  #started = 0
  /** Number of the newest read whose result is shown. */
  #shown = 0
  /** Number of views that show the server on this machine. */
  #serverViews = 0

  constructor(options: SyncOptions) {
    this.#options = options
    this.setUp = new SetUp(options.api, (how) => options.turnedOn?.(how))
    options.watch((event) => {
      if (event.type === 'sync' || event.type === 'lagged') void this.read()
    })
  }

  /** Machines of the list; empty while sync is off. */
  get devices(): readonly DeviceReport[] {
    return this.deviceList.items ?? []
  }

  /** Other machines of the list. */
  get targets(): readonly DeviceReport[] {
    return this.devices.filter((device) => !device.is_own)
  }

  /** Reads the status, and everything else that is shown. */
  async read(): Promise<void> {
    const turn = ++this.#started
    // A later read can end first. Its result is newer, so the result of an older read is dropped.
    const isNewest = (): boolean => turn > this.#shown
    try {
      const status = await this.#options.api.status()
      if (!isNewest()) return
      this.#shown = turn
      this.status = status
      this.failure = null
      if (!status.is_on) this.setUp.suggestName(status.name)
    } catch (thrown) {
      if (!isNewest()) return
      this.#shown = turn
      this.failure = Failure.of(thrown)
    }
    for (const list of [this.deviceList, this.otherList, this.sendList, this.conflictList]) list.changed()
    await this.#readOwnServer()
  }

  /** Keeps the state of the server on this machine up to date until the returned function is called. */
  followOwnServer(): () => void {
    this.#serverViews += 1
    void this.#readOwnServer()
    return () => {
      this.#serverViews -= 1
      if (this.#serverViews === 0) this.ownServer = null
    }
  }

  /** Reads the state of the server. An older desktop program may not know this request. */
  async #readOwnServer(): Promise<void> {
    if (this.#serverViews === 0) return
    const server = await this.#options.api.ownServer().catch(() => this.ownServer)
    if (this.#serverViews > 0) this.ownServer = server
  }

  /**
   * Name of the untrusted machine that sent this download, if the download waits until the user starts it. Null for all
   * other downloads. A download of a trusted machine starts by itself, so if it is paused, the user has paused it.
   */
  senderOf(registration: Registration): string | null {
    const sender = isUnstartedSend(registration) ? this.device(senderId(registration.owner)) : undefined
    return sender === undefined || sender.is_trusted ? null : sender.name
  }

  device(id: string): DeviceReport | undefined {
    return this.devices.find(({ device }) => device === id)
  }

  /** Whether a machine is not in the list any more. False while the list is not known. */
  hasLeft(device: string): boolean {
    if (this.status === null) return false
    return !this.isOn || (this.deviceList.items !== null && this.device(device) === undefined)
  }

  /** Runs a sync cycle, and keeps its outcome for the page. */
  async now(): Promise<void> {
    if (this.isSyncing) return
    this.isSyncing = true
    this.outcome = null
    try {
      // Ignore a failure, because the page shows it: the status contains the failure, or reading the status fails too.
      const outcome = await this.#options.api.now().catch(() => null)
      // The event about the cycle can arrive later than the answer to the call, or not at all. Without this read, the page
      // would show the outcome next to the status from before the cycle.
      await this.read()
      this.outcome = outcome
    } finally {
      this.isSyncing = false
    }
  }

  async invite(): Promise<void> {
    const invite = await this.once('invite', () => this.#options.api.invite())
    if (invite !== null) this.asking = { what: 'invite', invite }
  }

  async showWords(): Promise<void> {
    const report = await this.once('words', () => this.#options.api.words())
    if (report !== null) this.asking = { what: 'words', report, removed: null }
  }

  /** Removes a machine. The desktop first asks the user. */
  async removeDevice({ device, name }: DeviceReport): Promise<void> {
    const report = await this.once(device, () => this.#options.api.removeDevice(device))
    if (report !== null) this.asking = { what: 'words', report, removed: name }
  }

  /** Chooses whether the machine is trusted. Resolves to false if nothing was changed. */
  async trust(device: string, isTrusted: boolean): Promise<boolean> {
    return this.#isDone(device, () => this.#options.api.trust(device, isTrusted))
  }

  /** Gives this machine another name, and closes the dialog. Resolves to the reason if the engine refuses the name. */
  async rename(name: string): Promise<Failure | null> {
    try {
      const isDone = await this.#guard.once('rename', () => this.#options.api.rename(name).then(() => true))
      if (isDone !== null && this.asking?.what === 'rename') this.asking = null
      return null
    } catch (thrown) {
      return Failure.of(thrown)
    }
  }

  async leave(): Promise<void> {
    this.asking = null
    await this.once('leave', () => this.#options.api.leave())
    this.outcome = null
  }

  /** Forgets the past downloads before this time on all machines. Resolves to false if nothing was changed. */
  async clearHistory(beforeMs: number): Promise<boolean> {
    this.asking = null
    return this.#isDone('clear-history', () => this.#options.api.clearHistory(beforeMs))
  }

  async startServer(): Promise<void> {
    await this.once('server', () => this.#options.api.startServer())
    // Read the state again: the desktop program first emits the event of the server, and only then stores that it keeps
    // the server running.
    await this.#readOwnServer()
  }

  async stopServer(): Promise<void> {
    this.asking = null
    await this.once('server', () => this.#options.api.stopServer())
    await this.#readOwnServer()
  }

  async resolve(number: number, takesLosing: boolean): Promise<void> {
    await this.once(conflictKey(number), () => this.#options.api.resolve(number, takesLosing))
  }

  /** Changes a download on another machine. Resolves to false if the engine refused the change; the reason is shown. */
  async change(id: string, change: RemoteChange): Promise<boolean> {
    return this.#isDone(id, () => this.#options.api.changeOther(id, change))
  }

  /** Whether buttons with this key do nothing, because the action of the key is under way or has just ended. */
  isBusy(key: string): boolean {
    return this.#guard.isBusy(key)
  }

  /**
   * Carries out an action; the second click of a double click does nothing. A key is the name of an action or an id.
   * Resolves to null if nothing was done, if the user declined, or after a failure, which is shown.
   */
  async once<Answer>(key: string, act: () => Promise<Answer>): Promise<Answer | null> {
    try {
      return await this.#guard.once(key, act)
    } catch (thrown) {
      const failure = Failure.of(thrown)
      if (failure.code !== DECLINED) this.#options.failed(failure)
      return null
    }
  }

  /** Carries out an action like `once`; resolves to false if nothing was done. */
  async #isDone(key: string, act: () => Promise<void>): Promise<boolean> {
    return (await this.once(key, () => act().then(() => true))) === true
  }
}

/** Key of the actions on a conflict. */
export function conflictKey(number: number): string {
  return `conflict ${number}`
}
