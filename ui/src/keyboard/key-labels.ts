// Labels of the shortcut overview: groups, lines and key names. [pure, except for the language]
import { spoken } from '../i18n/i18n.svelte'
import type { KeyGroup, KeyLine } from './keymap'

export const KEY_GROUPS = spoken({
  choosing: 'keys-choosing',
  doing: 'keys-doing',
  queue: 'keys-queue',
  anywhere: 'keys-anywhere',
} satisfies { [group in KeyGroup]: string })

export const KEY_LINES = spoken({
  go: 'keys-go',
  'choose-more': 'keys-choose-more',
  'choose-everything': 'keys-choose-everything',
  'choose-one': 'keys-choose-one',
  open: 'keys-open',
  files: 'keys-files',
  details: 'keys-details',
  pause: 'keys-pause',
  copy: 'keys-copy',
  rename: 'keys-rename',
  remove: 'keys-remove',
  'remove-files': 'keys-remove-files',
  menu: 'keys-menu',
  move: 'keys-move',
  'move-far': 'keys-move-far',
  paste: 'keys-paste',
  add: 'keys-add',
  search: 'keys-search',
  undo: 'keys-undo',
  settings: 'keys-settings',
  keys: 'keys-keys',
  close: 'keys-close',
  quit: 'keys-quit',
} satisfies { [line in KeyLine]: string })

const KEY_NAMES: { readonly [key: string]: string } = spoken({
  Ctrl: 'key-ctrl',
  Alt: 'key-alt',
  Shift: 'key-shift',
  ' ': 'key-space',
  ArrowUp: 'key-up',
  ArrowDown: 'key-down',
  ArrowLeft: 'key-left',
  ArrowRight: 'key-right',
  PageUp: 'key-page-up',
  PageDown: 'key-page-down',
  Home: 'key-home',
  End: 'key-end',
  Enter: 'key-enter',
  Escape: 'key-escape',
  Delete: 'key-delete',
  ContextMenu: 'key-menu',
})

/** Label printed on a key. */
export function keyName(key: string): string {
  return KEY_NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key)
}
