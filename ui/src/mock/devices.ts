// Simulated server for other devices. With `?devices`, the server is on and two devices are signed in. With
// `?devices=used`, a device uses each link two seconds after it was made. With `?devices=fault`, the port is in use.
import { Failure } from '../api/api'
import type { DevicesApi, RemoteReport, ShownLink, SignedInDevice } from '../api/devices-api'
import { inEnglish } from '../i18n/engine-messages'
import type { MockAccess } from './own-server'
import { qrCode } from './qr-code'

const URL_OF_PAGE = 'http://192.168.1.20:6800/'
const VALID_FOR = 300
const USED_AFTER = 2000

const device = (name: string, others: Partial<SignedInDevice> = {}): SignedInDevice => ({
  name,
  is_program: false,
  scope: 'control',
  seen_at: Math.floor(Date.now() / 1000) - 3600,
  ...others,
})

export class PretendedDevices implements DevicesApi {
  readonly #access: Pick<MockAccess, 'answer' | 'parameters'>
  readonly #kind: string | null
  #isOn: boolean
  #devices: SignedInDevice[]
  /** Time at which the latest link expires, in milliseconds. */
  #linkEnd: number | null = null

  constructor(access: Pick<MockAccess, 'answer' | 'parameters'>) {
    this.#access = access
    this.#kind = access.parameters.get('devices')
    this.#isOn = this.#kind !== null
    this.#devices = this.#isOn
      ? [device('Firefox on Android'), device('sonarr', { is_program: true, scope: 'add', seen_at: 1_790_000_000 })]
      : []
  }

  async remoteAccess(): Promise<RemoteReport> {
    await this.#access.answer('remote-access')
    const isFaulty = this.#isOn && this.#kind === 'fault'
    const listens = this.#isOn && !isFaulty
    return {
      is_on: this.#isOn,
      url: listens ? URL_OF_PAGE : null,
      is_local: false,
      fault: isFaulty ? inEnglish('remote-switch', { port: '6800', why: inEnglish('io.port-used') }) : null,
      devices: this.#devices,
      link_seconds: this.#linkEnd === null ? null : Math.max(0, Math.ceil((this.#linkEnd - Date.now()) / 1000)),
    }
  }

  async allowDevices(isOn: boolean): Promise<RemoteReport> {
    await this.#access.answer('allow-devices')
    if (isOn && this.#access.parameters.has('declined')) throw Failure.from(inEnglish('declined'))
    this.#isOn = isOn
    return this.remoteAccess()
  }

  async linkDevice(): Promise<ShownLink> {
    await this.#access.answer('link-device')
    this.#linkEnd = Date.now() + VALID_FOR * 1000
    if (this.#kind === 'used') {
      setTimeout(() => {
        this.#linkEnd = null
        this.#devices = [...this.#devices, device('Chrome on iPhone')]
      }, USED_AFTER)
    }
    return { url: `${URL_OF_PAGE}#pair=4f1d0c9e8b7a65544332211000fedcba`, seconds: VALID_FOR, qr: qrCode() }
  }

  async signOutDevice(name: string): Promise<RemoteReport> {
    await this.#access.answer('sign-out-device')
    this.#devices = this.#devices.filter((one) => one.name !== name)
    return this.remoteAccess()
  }
}
