// Texts of a page in a browser: sign-in, connection, folders and this device. The texts are in `locales/*/remote.ftl`.
// [pure, except for the language]
import { span } from '../i18n/format'
import { say, spoken } from '../i18n/i18n.svelte'
import { isFound } from '../lib/text-search'
import type { RemoteDevice } from '../api/remote/remote-access'

export const remoteWords = spoken({
  signIn: {
    title: 'remote-sign-in',
    about: 'remote-sign-in.about',
    again: 'remote-sign-in.again',
    token: 'remote-sign-in.token',
    name: 'remote-sign-in.name',
    submit: 'action-sign-in',
    pairing: 'remote-sign-in.pairing',
    /** `seconds` until the server accepts the next attempt. */
    wait: (seconds: number) => say('remote-wait', { time: span(seconds) }),
  },
  connection: {
    first: 'remote-connecting',
    again: 'remote-connecting.again',
    lost: (seconds: number) => say('remote-lost', { time: span(seconds) }),
    now: 'remote-connecting.now',
  },
  device: {
    title: 'remote-device',
    proposed: (browser: string, system: string) => say('remote-device-name', { browser, system }),
    scopes: {
      control: 'remote-device.control',
      add: 'remote-device.add',
      read: 'remote-device.read',
    } satisfies { [scope in RemoteDevice['scope']]: string },
    signOut: 'remote-device.sign-out',
    isReadable: 'remote-readable',
    install: 'remote-install',
  },
  folders: {
    title: 'setting-folder',
    roots: 'remote-folder-roots',
    above: 'remote-folder-roots.above',
    none: 'remote-folder-roots.none',
    reading: 'remote-folder-roots.reading',
    submit: 'remote-folder-roots.submit',
  },
  failures: {
    lost: 'remote-failure-lost',
    signedOut: 'remote-failure-signed-out',
    tooLarge: 'remote-failure-too-large',
    unavailable: 'remote-failure-unavailable',
  },
})

/** Whether the section about this device matches the search of the settings. */
export function isDeviceFound(search: string): boolean {
  const { title, signOut, scopes } = remoteWords.device
  return isFound(search, [title, signOut, ...Object.values(scopes)])
}
