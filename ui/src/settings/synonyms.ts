// Words that find a setting in the search although its own texts do not contain them. [pure, except for the language]
import type { SettingKey } from '../api/api'
import { spoken } from '../i18n/i18n.svelte'

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
})

const OF_SETTING: { readonly [key in SettingKey]?: keyof typeof SYNONYMS } = {
  parallel: 'parallel',
  'parallel-per-host': 'parallel',
  connections: 'connections',
  'start-at-login': 'startup',
  'offer-copied-links': 'clipboard',
  'folder-video': 'category',
  'folder-audio': 'category',
  'folder-pictures': 'category',
  'folder-documents': 'category',
  'folder-archives': 'category',
  'folder-programs': 'category',
  'close-to-tray': 'tray',
  metered: 'metered',
  'quiet-while-focused': 'quiet',
  'quiet-hours': 'quiet',
  hours: 'speed',
  'slow-speed': 'speed',
}

/** Synonyms of a setting in the current language; empty if it has none. */
export function synonymsOf(key: SettingKey): string {
  const subject = OF_SETTING[key]
  return subject === undefined ? '' : SYNONYMS[subject]
}

/** Synonyms of the rows for export and import. */
export function synonymsOfList(): string {
  return SYNONYMS.backup
}
