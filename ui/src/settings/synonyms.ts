// Words that find a setting in the search although its own texts do not contain them. [pure, except for the language]
import type { SettingKey } from '../api/api'
import { english, spoken } from '../i18n/i18n.svelte'

const SYNONYMS = spoken({
  parallel: 'synonyms-parallel',
  connections: 'synonyms-connections',
  startup: 'synonyms-startup',
  clipboard: 'synonyms-clipboard',
  category: 'synonyms-category',
  tray: 'synonyms-tray',
  metered: 'synonyms-metered',
  quiet: 'synonyms-quiet',
  speed: 'synonyms-speed',
  backup: 'synonyms-backup',
  folder: 'synonyms-folder',
  cleanup: 'synonyms-cleanup',
  notify: 'synonyms-notify',
  sleep: 'synonyms-sleep',
  space: 'synonyms-space',
  retries: 'synonyms-retries',
  schedule: 'synonyms-schedule',
  certificate: 'synonyms-certificate',
  browser: 'synonyms-browser',
  proxy: 'synonyms-proxy',
  password: 'synonyms-password',
})
type Subject = keyof typeof SYNONYMS

const OF_SETTING: { readonly [key in SettingKey]?: readonly Subject[] } = {
  parallel: ['parallel'],
  'parallel-per-host': ['parallel'],
  'forget-finished-after': ['cleanup'],
  connections: ['connections'],
  'start-at-login': ['startup'],
  'offer-copied-links': ['clipboard'],
  folder: ['folder'],
  'folder-video': ['category', 'folder'],
  'folder-audio': ['category', 'folder'],
  'folder-pictures': ['category', 'folder'],
  'folder-documents': ['category', 'folder'],
  'folder-archives': ['category', 'folder'],
  'folder-programs': ['category', 'folder'],
  'close-to-tray': ['tray'],
  metered: ['metered'],
  proxy: ['proxy'],
  'no-proxy': ['proxy'],
  'browser-hand-over': ['browser'],
  hours: ['speed', 'schedule'],
  'slow-speed': ['speed'],
  notifications: ['notify'],
  'all-done': ['notify'],
  'quiet-while-focused': ['quiet'],
  'quiet-hours': ['quiet'],
  'keep-awake': ['sleep'],
  'free-space-floor': ['space'],
  attempts: ['retries'],
  'retry-after-seconds': ['retries'],
  'insecure-redirects': ['certificate'],
  'ca-certificate': ['certificate'],
  netrc: ['password'],
  keychain: ['password'],
}

/**
 * Synonyms of a setting, empty if it has none: those in the language of the page, and the English ones, because users also know
 * settings of other programs by their English names.
 */
export function synonymsOf(key: SettingKey): string {
  return both(OF_SETTING[key] ?? [])
}

/** Synonyms of the rows for export and import. */
export function synonymsOfList(): string {
  return both(['backup'])
}

function both(subjects: readonly Subject[]): string {
  return subjects.map((subject) => `${SYNONYMS[subject]} ${english.say(`synonyms-${subject}`)}`).join(' ')
}
