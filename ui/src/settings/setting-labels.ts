// Labels and descriptions of the settings, and the search among them. The texts are in `locales/*/settings.ftl`. [pure,
// except for the language]
import type { Setting, SettingGroup, SettingKey } from '../api/api'
import { LANGUAGES } from '../i18n/languages'
import { say, spoken } from '../i18n/i18n.svelte'
import { isFound } from '../lib/text-search'
import { synonymsOf } from './synonyms'

export interface SettingWords {
  readonly name: string
  /** Description in one sentence. */
  readonly about: string
  /** Placeholder of an empty field. */
  readonly hint?: string
  /** Labels of the choices. */
  readonly choices?: Readonly<Record<string, string>>
}

export const SETTING_GROUPS = spoken({
  general: 'settings-general',
  folders: 'settings-folders',
  network: 'settings-network',
  browsers: 'settings-browsers',
  schedule: 'settings-schedule',
  notifications: 'settings-notifications',
  power: 'settings-power',
  space: 'settings-space',
  advanced: 'settings-advanced',
} satisfies { [group in SettingGroup]: string })

export const SETTING_WORDS: { readonly [key in SettingKey]: SettingWords } = spoken({
  language: { name: 'setting-language', about: 'setting-language.about', choices: { auto: 'setting-language.auto' } },
  parallel: { name: 'setting-parallel', about: 'setting-parallel.about' },
  'parallel-per-host': { name: 'setting-parallel-per-host', about: 'setting-parallel-per-host.about' },
  order: {
    name: 'setting-order',
    about: 'setting-order.about',
    choices: { 'first-come': 'setting-order.first-come', 'newest-first': 'setting-order.newest-first' },
  },
  'forget-finished-after': { name: 'setting-forget-finished-after', about: 'setting-forget-finished-after.about' },
  'close-to-tray': { name: 'setting-close-to-tray', about: 'setting-close-to-tray.about' },
  'start-at-login': { name: 'setting-start-at-login', about: 'setting-start-at-login.about' },
  'offer-copied-links': { name: 'setting-offer-copied-links', about: 'setting-offer-copied-links.about' },
  folder: { name: 'setting-folder', about: 'setting-folder.about', hint: 'setting-folder.hint' },
  'folder-video': { name: 'setting-folder-video', about: 'setting-folder-video.about', hint: 'setting-folder-kind-hint' },
  'folder-audio': { name: 'setting-folder-audio', about: 'setting-folder-audio.about', hint: 'setting-folder-kind-hint' },
  'folder-pictures': {
    name: 'setting-folder-pictures',
    about: 'setting-folder-pictures.about',
    hint: 'setting-folder-kind-hint',
  },
  'folder-documents': {
    name: 'setting-folder-documents',
    about: 'setting-folder-documents.about',
    hint: 'setting-folder-kind-hint',
  },
  'folder-archives': {
    name: 'setting-folder-archives',
    about: 'setting-folder-archives.about',
    hint: 'setting-folder-kind-hint',
  },
  'folder-programs': {
    name: 'setting-folder-programs',
    about: 'setting-folder-programs.about',
    hint: 'setting-folder-kind-hint',
  },
  connections: { name: 'setting-connections', about: 'setting-connections.about' },
  offline: {
    name: 'setting-offline',
    about: 'setting-offline.about',
    choices: { wait: 'setting-offline.wait', go: 'setting-offline.go' },
  },
  metered: {
    name: 'setting-metered',
    about: 'setting-metered.about',
    choices: { wait: 'setting-metered.wait', go: 'setting-metered.go' },
  },
  proxy: { name: 'setting-proxy', about: 'setting-proxy.about', hint: 'setting-proxy.hint' },
  'no-proxy': { name: 'setting-no-proxy', about: 'setting-no-proxy.about', hint: 'setting-no-proxy.hint' },
  'proxy-loopback': { name: 'setting-proxy-loopback', about: 'setting-proxy-loopback.about' },
  'local-for-programs': { name: 'setting-local-for-programs', about: 'setting-local-for-programs.about' },
  cookies: { name: 'setting-cookies', about: 'setting-cookies.about' },
  'browser-hand-over': {
    name: 'setting-browser-hand-over',
    about: 'setting-browser-hand-over.about',
    choices: { automatic: 'setting-browser-hand-over.automatic', menu: 'setting-browser-hand-over.menu' },
  },
  'browser-least-size': { name: 'setting-browser-least-size', about: 'setting-browser-least-size.about' },
  'browser-sites': {
    name: 'setting-browser-sites',
    about: 'setting-browser-sites.about',
    hint: 'setting-browser-sites.none',
  },
  'browser-endings': { name: 'setting-browser-endings', about: 'setting-browser-endings.about' },
  'browser-bypass-key': { name: 'setting-browser-bypass-key', about: 'setting-browser-bypass-key.about' },
  'browser-starts-ashore': { name: 'setting-browser-starts-ashore', about: 'setting-browser-starts-ashore.about' },
  'browser-channel': { name: 'setting-browser-channel', about: 'setting-browser-channel.about' },
  hours: { name: 'setting-hours', about: 'setting-hours.about' },
  'slow-speed': { name: 'setting-slow-speed', about: 'setting-slow-speed.about' },
  notifications: {
    name: 'setting-notifications',
    about: 'setting-notifications.about',
    choices: {
      calm: 'setting-notifications.calm',
      all: 'setting-notifications.all',
      ended: 'setting-notifications.ended',
      none: 'setting-notifications.none',
    },
  },
  'quiet-while-focused': { name: 'setting-quiet-while-focused', about: 'setting-quiet-while-focused.about' },
  'quiet-hours': { name: 'setting-quiet-hours', about: 'setting-quiet-hours.about', hint: 'setting-quiet-hours.hint' },
  'all-done': { name: 'setting-all-done', about: 'setting-all-done.about' },
  'battery-below': { name: 'setting-battery-below', about: 'setting-battery-below.about' },
  'in-use': {
    name: 'setting-in-use',
    about: 'setting-in-use.about',
    choices: { wait: 'setting-in-use.wait', go: 'setting-in-use.go' },
  },
  'keep-awake': { name: 'setting-keep-awake', about: 'setting-keep-awake.about' },
  'free-space-floor': { name: 'setting-free-space-floor', about: 'setting-free-space-floor.about' },
  attempts: { name: 'setting-attempts', about: 'setting-attempts.about' },
  'retry-after-seconds': { name: 'setting-retry-after-seconds', about: 'setting-retry-after-seconds.about' },
  'stall-seconds': { name: 'setting-stall-seconds', about: 'setting-stall-seconds.about' },
  'connect-timeout-seconds': { name: 'setting-connect-timeout-seconds', about: 'setting-connect-timeout-seconds.about' },
  'total-timeout-seconds': { name: 'setting-total-timeout-seconds', about: 'setting-total-timeout-seconds.about' },
  'checkpoint-seconds': { name: 'setting-checkpoint-seconds', about: 'setting-checkpoint-seconds.about' },
  http2: { name: 'setting-http2', about: 'setting-http2.about' },
  'insecure-redirects': { name: 'setting-insecure-redirects', about: 'setting-insecure-redirects.about' },
  'ca-certificate': {
    name: 'setting-ca-certificate',
    about: 'setting-ca-certificate.about',
    hint: 'setting-ca-certificate.hint',
  },
  'user-agent': { name: 'setting-user-agent', about: 'setting-user-agent.about', hint: 'setting-user-agent.hint' },
  referrer: { name: 'setting-referrer', about: 'setting-referrer.about', hint: 'setting-referrer.hint' },
  netrc: { name: 'setting-netrc', about: 'setting-netrc.about', hint: 'setting-netrc.hint' },
  keychain: {
    name: 'setting-keychain',
    about: 'setting-keychain.about',
    choices: {
      auto: 'setting-keychain.auto',
      system: 'setting-keychain.system',
      file: 'setting-keychain.file',
      none: 'setting-keychain.none',
    },
  },
} satisfies { [key in SettingKey]: SettingWords })

export const settingWords = spoken({
  title: 'settings',
  open: 'settings-open',
  back: 'settings-back',
  search: 'settings-search',
  nothing: (text: string) => say('settings-nothing', { text }),
  file: 'settings-file',
  reset: (name: string) => say('settings-reset', { name }),
  choose: 'choose',
  percent: 'settings-percent',
  paces: { f: 'settings-pace-full', s: 'settings-pace-slow', o: 'settings-pace-off' },
  paint: 'settings-paint',
  rounded: 'settings-rounded',
  notFollowed: (text: string, others: number) =>
    others === 0 ? say('settings-not-followed', { text }) : say('settings-not-followed-more', { text, count: others }),
  cell: (day: string, from: string, until: string, pace: string) => say('settings-cell', { day, from, until, pace }),
  gridHelp: 'settings-grid-help',
  lacking: { notifications: 'settings-lacking-notifications', tray: 'settings-lacking-tray' },
})

/** Label of a choice. Languages appear under their own names. */
export function choiceName(key: SettingKey, value: string): string {
  const called: Readonly<Record<string, string>> = key === 'language' ? LANGUAGES : {}
  return SETTING_WORDS[key].choices?.[value] ?? called[value] ?? value
}

/** Settings whose texts and synonyms contain every word of `search`. */
export function found(settings: readonly Setting[], search: string): Setting[] {
  return settings.filter((setting) => {
    const { name, about } = SETTING_WORDS[setting.key]
    const choices = setting.kind.type === 'choice' ? setting.kind.of.map((value) => choiceName(setting.key, value)) : []
    const group = SETTING_GROUPS[setting.group]
    return isFound(search, [setting.key, name, about, group, ...choices, synonymsOf(setting.key)])
  })
}
