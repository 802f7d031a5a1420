// Labels of the section about other devices, and the search in it. The texts are in `locales/*/remote.ftl`. [pure, except
// for the language]
import type { SignedInDevice } from '../api/devices-api'
import { moment, span } from '../i18n/format'
import { say, spoken } from '../i18n/i18n.svelte'
import { isFound } from '../lib/text-search'

export const deviceWords = spoken({
  title: 'remote-others',
  allow: 'remote-others.allow',
  about: 'remote-others.about',
  plain: 'remote-others.plain',
  address: 'remote-others.address',
  copyAddress: 'remote-others.copy',
  isLocal: 'remote-others.local',
  link: 'remote-others.link',
  scan: 'remote-others.scan',
  code: 'machines-invite.code',
  linkField: 'machines-invite.link',
  copyLink: 'machines-invite.copy',
  none: 'remote-others.none',
  signOut: 'remote-device.sign-out',
  scopes: {
    control: 'remote-others.control',
    add: 'remote-others.add',
    read: 'remote-others.read',
    metrics: 'remote-others.metrics',
  } satisfies { [scope in SignedInDevice['scope']]: string },
  program: (scope: string) => say('remote-others.program', { scope }),
  seen: (time: string) => say('remote-others.seen', { time }),
  rest: (time: string) => say('browsers-code.rest', { time }),
  added: (name: string) => say('remote-others.added', { name }),
  signOutNamed: (name: string) => say('remote-others.sign-out', { name }),
})

/** Kind and permission of a device or program. */
export function scopeName({ is_program, scope }: Pick<SignedInDevice, 'is_program' | 'scope'>): string {
  const named = deviceWords.scopes[scope]
  return is_program ? deviceWords.program(named) : named
}

/** Time of the latest use. The hour is exact enough, because the time of use is stored once an hour. */
export function seenAt({ seen_at }: Pick<SignedInDevice, 'seen_at'>, now: number): string {
  return deviceWords.seen(moment(seen_at * 1000, now))
}

/** Remaining time of a link. */
export const restOf = (seconds: number): string => deviceWords.rest(span(seconds))

/** Whether the section matches the search of the settings. */
export function isSectionFound(search: string): boolean {
  const { title, allow, about, link, signOut, code } = deviceWords
  return isFound(search, [title, allow, about, link, signOut, code, say('synonyms-remote')])
}
