// Which key does what: the one table behind the keyboard of the list and of the window, and behind the overview. [pure]

/** What the list's keys do. */
export type ListCommand =
  | 'down' | 'up' | 'page-down' | 'page-up' | 'first' | 'last'
  | 'more-down' | 'more-up' | 'more-first' | 'more-last' | 'everything' | 'one'
  | 'open' | 'unfold' | 'fold' | 'pause' | 'copy' | 'remove' | 'remove-files' | 'menu'
  | 'sooner' | 'later' | 'soonest' | 'latest'

/** What keys do anywhere in the window. */
export type WindowCommand = 'add' | 'search' | 'paste' | 'undo'

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

const LIST: { [chord: string]: ListCommand } = {
  ArrowDown: 'down', ArrowUp: 'up', PageDown: 'page-down', PageUp: 'page-up', Home: 'first', End: 'last',
  'Shift+ArrowDown': 'more-down', 'Shift+ArrowUp': 'more-up', 'Shift+Home': 'more-first', 'Shift+End': 'more-last',
  'Ctrl+a': 'everything', Escape: 'one',
  Enter: 'open', ArrowRight: 'unfold', ArrowLeft: 'fold', ' ': 'pause', 'Ctrl+c': 'copy',
  Delete: 'remove', 'Shift+Delete': 'remove-files', ContextMenu: 'menu', 'Shift+F10': 'menu',
  'Alt+ArrowUp': 'sooner', 'Alt+ArrowDown': 'later', 'Alt+Home': 'soonest', 'Alt+End': 'latest',
}

const WINDOW: { [chord: string]: WindowCommand } = {
  'Ctrl+n': 'add', 'Ctrl+f': 'search', 'Ctrl+v': 'paste', 'Ctrl+z': 'undo',
}

export function listCommand(pressed: Pressed): ListCommand | null {
  return LIST[chordOf(pressed)] ?? null
}

export function windowCommand(pressed: Pressed): WindowCommand | null {
  return WINDOW[chordOf(pressed)] ?? null
}

/** `Ctrl+Shift+a`; the Command key of a Mac is its Ctrl. */
function chordOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): string {
  const parts = [(ctrlKey || metaKey) && 'Ctrl', altKey && 'Alt', shiftKey && 'Shift']
  // With the shift lock on, a letter comes as a capital.
  return [...parts.filter(Boolean), key.length === 1 ? key.toLowerCase() : key].join('+')
}
