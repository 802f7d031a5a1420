// Keyboard shortcuts of the list and the window, also shown in the overview. [pure]

/** Commands of the list. */
export type ListCommand =
  | 'down'
  | 'up'
  | 'page-down'
  | 'page-up'
  | 'first'
  | 'last'
  | 'more-down'
  | 'more-up'
  | 'more-first'
  | 'more-last'
  | 'everything'
  | 'one'
  | 'open'
  | 'unfold'
  | 'fold'
  | 'pause'
  | 'copy'
  | 'rename'
  | 'remove'
  | 'remove-files'
  | 'menu'
  | 'sooner'
  | 'later'
  | 'soonest'
  | 'latest'
  | 'details'
  | 'open-details'

/** Commands available anywhere in the window. */
export type WindowCommand = 'add' | 'search' | 'paste' | 'undo' | 'settings' | 'keys' | 'close' | 'quit'

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

const LIST: { [chord: string]: ListCommand } = {
  ArrowDown: 'down',
  ArrowUp: 'up',
  PageDown: 'page-down',
  PageUp: 'page-up',
  Home: 'first',
  End: 'last',
  'Shift+ArrowDown': 'more-down',
  'Shift+ArrowUp': 'more-up',
  'Shift+Home': 'more-first',
  'Shift+End': 'more-last',
  'Ctrl+a': 'everything',
  Escape: 'one',
  Enter: 'open',
  ArrowRight: 'unfold',
  ArrowLeft: 'fold',
  ' ': 'pause',
  'Ctrl+c': 'copy',
  F2: 'rename',
  Delete: 'remove',
  'Shift+Delete': 'remove-files',
  ContextMenu: 'menu',
  'Shift+F10': 'menu',
  'Alt+ArrowUp': 'sooner',
  'Alt+ArrowDown': 'later',
  'Alt+Home': 'soonest',
  'Alt+End': 'latest',
  i: 'details',
  'Alt+Enter': 'open-details',
}

const WINDOW: { [chord: string]: WindowCommand } = {
  'Ctrl+n': 'add',
  'Ctrl+f': 'search',
  'Ctrl+v': 'paste',
  'Ctrl+z': 'undo',
  'Ctrl+,': 'settings',
  F1: 'keys',
  '?': 'keys',
  'Shift+?': 'keys',
  'Ctrl+w': 'close',
  'Ctrl+q': 'quit',
}

/** Commands of the desktop's window. In a browser, their keys belong to the browser. */
const OF_DESKTOP: readonly WindowCommand[] = ['close', 'quit']
/** Commands that also work while the user types into a field. */
const WHILE_TYPING: readonly WindowCommand[] = ['add', 'search', 'settings', ...OF_DESKTOP]

export const worksWhileTyping = (command: WindowCommand): boolean => WHILE_TYPING.includes(command)

/** Whether a command also works while a dialog is open or a title is being edited. */
export const worksInDialog = (command: WindowCommand): boolean => command === 'quit'

export type KeyGroup = 'choosing' | 'doing' | 'queue' | 'anywhere'

/** Line of the overview; related shortcuts share one line. */
export type KeyLine =
  | 'go'
  | 'choose-more'
  | 'choose-everything'
  | 'choose-one'
  | 'open'
  | 'files'
  | 'details'
  | 'pause'
  | 'copy'
  | 'rename'
  | 'remove'
  | 'remove-files'
  | 'menu'
  | 'move'
  | 'move-far'
  | 'add'
  | 'search'
  | 'paste'
  | 'undo'
  | 'settings'
  | 'keys'
  | 'close'
  | 'quit'

export const OVERVIEW: { group: KeyGroup; lines: { line: KeyLine; commands: (ListCommand | WindowCommand)[] }[] }[] = [
  {
    group: 'choosing',
    lines: [
      { line: 'go', commands: ['up', 'down', 'page-up', 'page-down', 'first', 'last'] },
      { line: 'choose-more', commands: ['more-up', 'more-down', 'more-first', 'more-last'] },
      { line: 'choose-everything', commands: ['everything'] },
      { line: 'choose-one', commands: ['one'] },
    ],
  },
  {
    group: 'doing',
    lines: [
      { line: 'open', commands: ['open'] },
      { line: 'files', commands: ['unfold', 'fold'] },
      { line: 'details', commands: ['details', 'open-details'] },
      { line: 'pause', commands: ['pause'] },
      { line: 'copy', commands: ['copy'] },
      { line: 'rename', commands: ['rename'] },
      { line: 'remove', commands: ['remove'] },
      { line: 'remove-files', commands: ['remove-files'] },
      { line: 'menu', commands: ['menu'] },
    ],
  },
  {
    group: 'queue',
    lines: [
      { line: 'move', commands: ['sooner', 'later'] },
      { line: 'move-far', commands: ['soonest', 'latest'] },
    ],
  },
  {
    group: 'anywhere',
    lines: [
      { line: 'paste', commands: ['paste'] },
      { line: 'add', commands: ['add'] },
      { line: 'search', commands: ['search'] },
      { line: 'undo', commands: ['undo'] },
      { line: 'settings', commands: ['settings'] },
      { line: 'keys', commands: ['keys'] },
      { line: 'close', commands: ['close'] },
      { line: 'quit', commands: ['quit'] },
    ],
  },
]

/** Swaps the left and right arrow keys if `isTurned`, for right-to-left languages. */
export function along(key: string, isTurned: boolean): string {
  if (!isTurned) return key
  return key === 'ArrowLeft' ? 'ArrowRight' : key === 'ArrowRight' ? 'ArrowLeft' : key
}

/** Key combinations of a command, each as a list of keys: `[['Ctrl', 'a']]`. */
export function chordsOf(command: ListCommand | WindowCommand, isTurned = false): string[][] {
  const chords = Object.entries({ ...LIST, ...WINDOW }).filter(([, one]) => one === command)
  // Some layouts need Shift for a question mark. List it once, without Shift.
  return chords
    .map(([chord]) => chord.split('+').map((key) => along(key, isTurned)))
    .filter((keys) => keys.join('+') !== 'Shift+?')
}

export function listCommand({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed, isTurned = false): ListCommand | null {
  return LIST[chordOf({ key: along(key, isTurned), ctrlKey, metaKey, altKey, shiftKey })] ?? null
}

/**
 * Whether a key that was pressed outside the list selects all rows. A hidden list keeps its selection. Svelte sets `list`
 * to null when the list is unmounted.
 */
export function selectsEverything(pressed: Pressed, { view, list }: { view: string; list: object | null | undefined }): boolean {
  return view === 'list' && list != null && listCommand(pressed) === 'everything'
}

/** Command of a key anywhere in the page. `isDesktop`: whether the page is in the window of the desktop program. */
export function windowCommand(pressed: Pressed, isDesktop = true): WindowCommand | null {
  const command = WINDOW[chordOf(pressed)] ?? null
  return command !== null && isAvailable(command, isDesktop) ? command : null
}

/** Whether a command exists in the desktop's window, or in a browser if `isDesktop` is false. */
export function isAvailable(command: ListCommand | WindowCommand, isDesktop: boolean): boolean {
  return isDesktop || !(OF_DESKTOP as readonly string[]).includes(command)
}

/** Name of a key combination such as `Ctrl+Shift+a`; the Command key of a Mac counts as Ctrl. */
function chordOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): string {
  const parts = [(ctrlKey || metaKey) && 'Ctrl', altKey && 'Alt', shiftKey && 'Shift']
  // Convert to lower case, because Caps Lock makes letters capital.
  return [...parts.filter(Boolean), key.length === 1 ? key.toLowerCase() : key].join('+')
}
