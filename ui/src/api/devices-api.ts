// Calls about other devices that open the page in a browser, a part of the interface in `api.ts`.
import type { RemoteReport } from './generated/RemoteReport'
import type { ShownLink } from './generated/ShownLink'
import type { SignedInDevice } from './generated/SignedInDevice'

export type { RemoteReport, ShownLink, SignedInDevice }

/**
 * Before the server opens and before a link is made, the desktop asks the user; if the user declines, the call rejects
 * with the code `declined`. The first link after the server has opened needs no question.
 */
export interface DevicesApi {
  /** State of the server for other devices, and the devices that are signed in. */
  remoteAccess(): Promise<RemoteReport>
  /** Opens or closes the server, and resolves to its state. */
  allowDevices(isOn: boolean): Promise<RemoteReport>
  /** Makes a link that signs one device in. An earlier link becomes invalid. */
  linkDevice(): Promise<ShownLink>
  /** Signs a device or program out, and resolves to the state of the server. */
  signOutDevice(name: string): Promise<RemoteReport>
}

/** Implements these calls with `ask`, which sends a command to the desktop program. */
export function devicesApi(ask: <T>(command: string, args?: Record<string, unknown>) => Promise<T>): DevicesApi {
  return {
    remoteAccess: () => ask('remote_access'),
    allowDevices: (isOn) => ask('allow_devices', { isOn }),
    linkDevice: () => ask('link_device'),
    signOutDevice: (name) => ask('sign_out_device', { name }),
  }
}
