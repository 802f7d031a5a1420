// State of the section about other devices: the server for them, the link that signs one in, and the signed-in devices.
import { Failure } from '../api/api'
import type { DevicesApi, RemoteReport, ShownLink } from '../api/devices-api'
import { DECLINED } from '../api/sync-api'

/** Milliseconds by which the computed expiry time of one link can differ between two readings. */
const SAME_END = 2000

export class OtherDevices {
  report = $state.raw<RemoteReport | null>(null)
  /** Link that is shown; null after a device has used it. */
  link = $state.raw<ShownLink | null>(null)
  /** Device that has used the link. */
  added = $state.raw<string | null>(null)
  /** Reason why the latest action or reading failed. */
  failure = $state.raw<Failure | null>(null)
  isBusy = $state(false)
  /** Whether the state changes without an action of this page: a device may use the link, or the server is about to open. */
  readonly isAwaited = $derived(this.link !== null || (this.report?.is_on === true && this.report.url === null))
  readonly #api: DevicesApi
  readonly #now: () => number
  /** Time at which the shown link expires, in milliseconds. */
  #end = 0
  /** Number of readings and actions so far. A result is outdated if another reading or action began later. */
  #turn = 0

  constructor(api: DevicesApi, now: () => number = Date.now) {
    this.#api = api
    this.#now = now
  }

  /** Reads the state, unless an action is under way. */
  async read(): Promise<void> {
    if (this.isBusy) return
    this.#turn += 1
    const mine = this.#turn
    try {
      const next = await this.#api.remoteAccess()
      if (mine === this.#turn) this.#show(next)
    } catch (thrown) {
      if (mine === this.#turn) this.failure = Failure.of(thrown)
    }
  }

  /** Opens or closes the server for other devices. */
  allow(isOn: boolean): Promise<boolean> {
    return this.#act(async () => {
      const next = await this.#api.allowDevices(isOn)
      if (!isOn) this.link = null
      this.#show(next)
    })
  }

  /** Shows a new link. */
  makeLink(): Promise<boolean> {
    return this.#act(async () => {
      const link = await this.#api.linkDevice()
      this.#end = this.#now() + link.seconds * 1000
      this.link = link
      this.#show(await this.#api.remoteAccess())
    })
  }

  signOut(name: string): Promise<boolean> {
    return this.#act(async () => this.#show(await this.#api.signOutDevice(name)))
  }

  #show(next: RemoteReport): void {
    const ends = next.link_seconds === null ? null : this.#now() + next.link_seconds * 1000
    // A later expiry time belongs to another link, which the command line has made. That link replaces the one shown here.
    if (this.link !== null && (ends === null || ends > this.#end + SAME_END)) {
      const known = this.report?.devices.map(({ name }) => name) ?? []
      this.link = null
      this.added = next.devices.find(({ name }) => !known.includes(name))?.name ?? null
    }
    this.report = next
  }

  /** Resolves to true if the action succeeded. A user who declines a question has changed nothing, so nothing is shown. */
  async #act(action: () => Promise<void>): Promise<boolean> {
    if (this.isBusy) return false
    this.isBusy = true
    this.#turn += 1
    this.failure = this.added = null
    try {
      await action()
      return true
    } catch (thrown) {
      const failure = Failure.of(thrown)
      if (failure.code !== DECLINED) this.failure = failure
      return false
    } finally {
      this.isBusy = false
    }
  }
}
