// Starts the parts of the page that exist only in a browser, and waits until the page has its first connection.
import { mount } from 'svelte'

import type { RemoteAccess } from '../api/remote/remote-access'
import { isReadable, pairingCode } from './address'
import { deviceOf } from './device-name'
import { FolderChoice } from './folder-choice.svelte'
import Gate from './Gate.svelte'
import { installable } from './installable'
import { remoteWords } from './remote-labels'
import { SignIn } from './sign-in.svelte'

/** Resolves when the server has accepted the session of this device. `page` is the element of the other views. */
export function startRemote(remote: RemoteAccess, page: HTMLElement): Promise<void> {
  document.documentElement.dataset.remote = ''
  const device = deviceOf(navigator.userAgent)
  const name = device === null ? remoteWords.device.title : remoteWords.device.proposed(device.browser, device.system)
  const signIn = new SignIn({ remote, name, now: () => Date.now() })
  const choice = new FolderChoice(remote)
  remote.chooseFoldersWith(() => choice.choose())
  pairWhenSignedOut(remote, signIn)
  installable()
  const gate = document.createElement('div')
  gate.id = 'gate'
  page.before(gate)
  return new Promise((onopen) => {
    const cover = (isCovered: boolean): void => void (page.inert = isCovered)
    mount(Gate, { target: gate, props: { remote, signIn, choice, isReadable: isReadable(location), cover, onopen } })
  })
}

/**
 * Uses the pairing code of the address as soon as this device is signed out. This may be only after the server has refused
 * an old session. The code leaves the address bar at once, so that no bookmark and no screenshot contains it.
 */
function pairWhenSignedOut(remote: RemoteAccess, signIn: SignIn): void {
  let code: string | null = null
  const pair = (): void => {
    if (code === null || remote.state.phase !== 'signed-out') return
    void signIn.pair(code)
    code = null
  }
  const take = (): void => {
    const next = pairingCode(location.hash)
    if (next === null) return
    history.replaceState(null, '', location.pathname + location.search)
    code = next
    pair()
  }
  addEventListener('hashchange', take)
  remote.watch((state) => {
    // A code is useless for a device that is signed in.
    if (state.phase === 'open') code = null
    pair()
  })
  take()
}
