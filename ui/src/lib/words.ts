// Every word the window says, and the line that tells how a download is doing. [pure] English; the only place a
// translation has to replace.
import type { Category, FileRecord, Gate, Registration, Source, Totals, Trouble } from '../api/api'
import type { KeyGroup, KeyLine } from './keys'
import { count, type Locale, moment, part, rate, size, span } from './numbers'
import { expected, hasOneFile, isSending, phase, type Filter, type Phase, progress, type Step } from './phase'
import type { Sort } from './sort'

export interface Circumstances {
  /** Milliseconds of Unix time. */
  now: number
  /** Bytes per second; null when nobody knows. */
  speed?: number | null
  everythingIsPaused?: boolean
  /** How the only file was checked, where it is known. */
  verified?: FileRecord['verified']
  locale?: Locale
}

export interface Line {
  text: string
  /** Something is wrong and the line says what. */
  trouble: boolean
}

const join = (...parts: (string | false | null | undefined)[]): string => parts.filter(Boolean).join(' · ')

const downloads = (number: number): string => (number === 1 ? '1 download' : `${count(number)} downloads`)

const files = (number: number): string => (number === 1 ? '1 file' : `${count(number)} files`)

/** How a registration is doing, in one line of plain words. */
export function line(registration: Registration, circumstances: Circumstances): Line {
  switch (phase(registration)) {
    case 'running':
      return { text: running(registration, circumstances), trouble: false }
    case 'waiting':
      return waiting(registration, circumstances)
    case 'paused':
      return { text: paused(registration), trouble: false }
    case 'done':
      return { text: done(registration, circumstances), trouble: false }
    case 'failed':
      return { text: failed(registration), trouble: true }
    case 'cancelled':
      return { text: cancelled(registration, circumstances), trouble: false }
  }
}

function running(registration: Registration, { speed = null }: Circumstances): string {
  if (isSending(registration)) {
    const sent = `Sending ${part(registration.uploaded, registration.uploadTotal)}`
    return join(sent, moving(speed), left(registration.uploadTotal - registration.uploaded, speed))
  }
  const total = expected(registration)
  if (registration.downloaded === 0 && registration.succeeded === 0) {
    return join(filesDone(registration), 'Connecting', failures(registration))
  }
  return join(
    filesDone(registration),
    total > 0 ? part(Math.min(registration.downloaded, total), total) : size(registration.downloaded),
    moving(speed),
    total > 0 && left(total - registration.downloaded, speed),
    failures(registration),
  )
}

function waiting(registration: Registration, circumstances: Circumstances): Line {
  const { next_try: due, waiting_for: trouble } = registration
  if (circumstances.everythingIsPaused) return { text: join('Paused with everything else', soFar(registration)), trouble: false }
  if (trouble !== null) {
    const wait = due === null ? 0 : (due - circumstances.now) / 1000
    const when = due === null ? 'Waiting' : wait < 1 ? 'Trying again' : `Tries again in ${span(wait)}`
    return { text: `${when}: ${clause(trouble)}`, trouble: true }
  }
  return { text: join('Waiting for its turn', soFar(registration)), trouble: false }
}

function paused(registration: Registration): string {
  const percent = progress(registration)
  if (percent !== null && (registration.downloaded > 0 || registration.uploaded > 0)) {
    return join(`Paused at ${percent} %`, soFar(registration), failures(registration))
  }
  if (registration.downloaded > 0) return join(`Paused at ${size(registration.downloaded)}`, filesDone(registration))
  return join('Paused', !hasOneFile(registration) && files(registration.requests), 'not started yet')
}

function done(registration: Registration, { now, verified, locale }: Circumstances): string {
  return join(
    `Done ${moment(registration.settled ?? now, now, locale)}`,
    !hasOneFile(registration) &&
      (registration.failed > 0
        ? `${count(registration.succeeded)} of ${files(registration.requests)}`
        : files(registration.requests)),
    size(registration.downloaded),
    verified === 'by-digest' && 'verified',
  )
}

function failed(registration: Registration): string {
  const trouble = registration.failure ?? reason(registration)
  if (hasOneFile(registration)) return trouble.text
  if (registration.failed === 0) return trouble.text
  const which =
    registration.failed === registration.requests
      ? `All ${files(registration.requests)} failed`
      : `${count(registration.failed)} of ${files(registration.requests)} failed`
  return `${which}: ${clause(trouble)}`
}

function cancelled(registration: Registration, { now, locale }: Circumstances): string {
  return join(
    `Cancelled ${moment(registration.settled ?? now, now, locale)}`,
    !hasOneFile(registration) && registration.succeeded > 0 && `${count(registration.succeeded)} of ${files(registration.requests)} kept`,
  )
}

/** The specification's reason, where the engine gives no finer one. */
function reason(registration: Registration): Trouble {
  const code = registration.failureReason
  switch (code) {
    case 'bad-status':
      return { code, text: 'The server refused to send it.' }
    case 'quota-exceeded':
      return { code, text: 'There is not enough space for it.' }
    case 'download-total-exceeded':
      return { code, text: 'More arrived than was announced.' }
    default:
      return { code, text: 'It could not be fetched whole.' }
  }
}

const filesDone = (registration: Registration): string | false =>
  !hasOneFile(registration) && `${count(registration.succeeded)} of ${files(registration.requests)}`

const failures = (registration: Registration): string | false =>
  registration.failed > 0 && !hasOneFile(registration) && `${count(registration.failed)} failed`

const moving = (speed: number | null): string | false => speed !== null && (speed > 0 ? rate(speed) : 'stalled')

const left = (bytes: number, speed: number | null): string | false =>
  speed !== null && speed > 0 && bytes > 0 && `${span(bytes / speed)} left`

function soFar(registration: Registration): string | false {
  if (registration.downloaded === 0) return false
  const total = expected(registration)
  return total > 0 ? part(registration.downloaded, total) : size(registration.downloaded)
}

/** The first sentence of a trouble, so that it can follow a colon: no capital, no full stop. */
export function clause(trouble: Trouble | Gate): string {
  const sentence = /^.*?[.!?](?=\s|$)/.exec(trouble.text)?.[0] ?? trouble.text
  const bare = sentence.replace(/[.!?]$/, '')
  // A second capital means a name or an abbreviation, which keeps its own.
  return /^[A-Z][^A-Z]/.test(bare) && !bare.startsWith('Ashore') ? bare[0]!.toLowerCase() + bare.slice(1) : bare
}

/** How one file of several is doing. */
export function fileLine(record: FileRecord, { now, everythingIsPaused }: Circumstances, owner: Phase): Line {
  const amount =
    record.size !== null && record.size > record.downloaded ? part(record.downloaded, record.size) : size(record.downloaded)
  const said = record.text === null ? null : { code: record.code ?? '', text: record.text }
  switch (record.state) {
    case 'active':
      return { text: record.downloaded > 0 ? amount : 'Connecting', trouble: false }
    case 'completed':
      if (record.outcome === 'success') {
        const verified = record.verified === 'by-digest' && 'verified'
        return { text: join(size(record.size ?? record.downloaded), verified), trouble: false }
      }
      return { text: said?.text ?? 'It could not be fetched whole.', trouble: true }
    case 'dead':
      return { text: said?.text ?? 'It could not be fetched whole.', trouble: true }
    case 'aborted':
      return { text: 'Cancelled', trouble: false }
    case 'waiting': {
      const wait = record.next_try === null ? 0 : (record.next_try - now) / 1000
      const when = wait < 1 ? 'Trying again' : `Tries again in ${span(wait)}`
      return { text: said === null ? when : `${when}: ${clause(said)}`, trouble: said !== null }
    }
    case 'pending': {
      const still = owner === 'paused' || everythingIsPaused === true
      return { text: join(still ? 'Paused' : 'Waiting for its turn', record.downloaded > 0 && amount), trouble: false }
    }
  }
}

/** `3 running · 12 waiting · at most 2.1 MB/s`, and what they wait for where that is the same for all. */
export function totalsLine(totals: Omit<Totals, 'speed'>): string {
  if (totals.paused) return 'Everything is paused'
  if (totals.running === 0 && totals.waiting === 0) return 'Nothing is running'
  return join(
    totals.running > 0 && `${count(totals.running)} running`,
    totals.waiting > 0 && `${count(totals.waiting)} waiting`,
    totals.speed_limit !== null && `at most ${rate(totals.speed_limit)}`,
    totals.waiting > 0 && totals.gate !== null && clause(totals.gate),
    totals.running > 0 && totals.pace === 'slow' && 'slow hours',
  )
}

export const FILTER_NAMES: { [filter in Filter]: string } = {
  all: 'All',
  running: 'Running',
  waiting: 'Waiting',
  done: 'Done',
  failed: 'Failed',
}

export const SORT_NAMES: { [sort in Sort]: string } = {
  newest: 'Newest first',
  name: 'Name',
  size: 'Size',
  progress: 'Progress',
  left: 'Time left',
}

export const CATEGORY_NAMES: { [category in Category]: string } = {
  video: 'Video',
  music: 'Audio',
  picture: 'Pictures',
  document: 'Documents',
  archive: 'Archives',
  program: 'Programs',
  other: 'Other',
}

export function stepName(step: Step, registration: Registration): string {
  switch (step) {
    case 'pause':
      return 'Pause'
    case 'resume':
      return 'Resume'
    case 'resume-all':
      return 'Resume all'
    case 'retry':
      return hasOneFile(registration) ? 'Retry' : 'Retry failed'
    case 'open':
      return 'Open'
    case 'show':
      return 'Show in folder'
    case 'remove':
      return 'Remove'
  }
}

export const KEY_GROUPS: { [group in KeyGroup]: string } = {
  choosing: 'Choosing',
  doing: 'With what is chosen',
  queue: 'In the order of what waits',
  anywhere: 'Anywhere',
}

export const KEY_LINES: { [line in KeyLine]: string } = {
  go: 'Go through the list',
  'choose-more': 'Choose more, or click with Shift',
  'choose-everything': 'Choose everything',
  'choose-one': 'Back to one',
  open: 'Open the file, or show the files of a set',
  files: 'Show or hide the files of a set',
  details: 'Details of the download',
  pause: 'Pause or resume',
  copy: 'Copy the links',
  rename: 'Rename in the list',
  remove: 'Remove from the list',
  'remove-files': 'Remove with files',
  menu: 'Everything else',
  move: 'One place up or down',
  'move-far': 'To the top or to the end',
  paste: 'Add the links of the clipboard',
  add: 'Add downloads',
  search: 'Search',
  undo: 'Take the last removal back',
  settings: 'Open the settings, or go back to the list',
  keys: 'This overview',
}

const KEY_NAMES: { [key: string]: string } = {
  ' ': 'Space', ArrowUp: 'Up', ArrowDown: 'Down', ArrowLeft: 'Left', ArrowRight: 'Right', PageUp: 'Page Up', PageDown: 'Page Down',
  Escape: 'Esc', Delete: 'Del', ContextMenu: 'Menu',
}

/** What is printed on a key. */
export function keyName(key: string): string {
  return KEY_NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key)
}

/** What can be asked of one download, or of several at once. */
export type ManyVerb = 'pause' | 'resume' | 'top' | 'end' | 'retry' | 'copy' | 'cancel' | 'remove' | 'remove-asking' | 'remove-files'

export function verbOn(verb: ManyVerb, registration: Registration): string {
  switch (verb) {
    case 'pause':
      return 'Pause'
    case 'resume':
      return 'Resume'
    case 'top':
      return 'To the top'
    case 'end':
      return 'To the end'
    case 'retry':
      return stepName('retry', registration)
    case 'copy':
      return hasOneFile(registration) ? 'Copy link' : 'Copy links'
    case 'cancel':
      return 'Cancel download…'
    case 'remove':
      return 'Remove from list'
    case 'remove-asking':
      return 'Remove from list…'
    case 'remove-files':
      return 'Remove with files…'
  }
}

export function verbOnMany(verb: ManyVerb, number: number): string {
  const those = downloads(number)
  switch (verb) {
    case 'pause':
      return `Pause ${those}`
    case 'resume':
      return `Resume ${those}`
    case 'top':
      return `Move ${those} to the top`
    case 'end':
      return `Move ${those} to the end`
    case 'retry':
      return `Retry ${those}`
    case 'copy':
      return `Copy links of ${those}`
    case 'cancel':
      return `Cancel ${those}…`
    case 'remove':
      return `Remove ${those}`
    case 'remove-asking':
      return `Remove ${those}…`
    case 'remove-files':
      return `Remove ${those} with files…`
  }
}

/** What the window says beside the lines above. */
export const words = {
  app: 'Ashore',
  add: 'Add',
  addHint: 'Add downloads (Ctrl+N)',
  search: 'Search',
  searchHint: 'Search downloads (Ctrl+F)',
  clearSearch: 'Clear search',
  pauseAll: 'Pause all',
  resumeAll: 'Resume all',
  filters: 'Show',
  kinds: 'Kinds of files',
  sortBy: 'Sort by',
  sortedBy: (name: string) => `Sort by: ${name}`,
  inTurn: 'In the order in which they go on',
  numberShown: (number: number) => downloads(number),
  keys: 'Keys',
  keysHint: 'Keys (F1)',
  rename: 'Rename in list',
  titleOf: 'Title in the list',
  showFilters: 'Wide list of filters',
  downloads: 'Downloads',
  showFiles: 'Show files',
  hideFiles: 'Hide files',
  more: 'More',
  close: 'Close',
  cancel: 'Cancel',
  showInFolder: 'Show in folder',
  openFile: 'Open',
  drag: 'Drag to change the order (Alt+Up, Alt+Down)',
  progressOf: (title: string) => `Progress of ${title}`,
  actionOn: (action: string, title: string) => `${action}: ${title}`,
  filesOf: (number: number) => files(number),
  loadingFile: 'Reading',

  empty: {
    title: 'Paste a link to begin',
    body: 'Copy the address of a file and press Ctrl+V anywhere in this window. Many links at once are fine: one on each line.',
    action: 'Add links',
    after: 'You can close the window while downloads run. Ashore goes on and tells you when they are there.',
  },
  nothingFound: {
    title: 'Nothing found',
    search: (text: string) => `No download here contains “${text}”.`,
    clear: 'Clear search',
    kind: (category: Category) => `Nothing of the kind “${CATEGORY_NAMES[category]}” is here.`,
    allKinds: 'Show all kinds',
    filter: {
      all: 'There is nothing in the list.',
      running: 'Nothing is running at the moment.',
      waiting: 'Nothing waits for its turn or for you.',
      done: 'Nothing has arrived yet.',
      failed: 'Nothing has failed.',
    } satisfies { [filter in Filter]: string },
  },
  reading: 'Reading the list',
  readAgain: 'Try again',
  listFailed: 'The list could not be read',

  addDialog: {
    title: 'Add downloads',
    about: 'Links that Ashore fetches to a folder.',
    links: 'Links',
    linksHint: 'https://…  one on each line',
    folder: 'Folder',
    folderHint: 'Your download folder',
    choose: 'Choose…',
    name: 'Title',
    nameHint: 'Taken from the file',
    nameHintSet: 'Taken from the files',
    checksum: 'Checksum',
    checksumHint: 'sha-256=… (optional)',
    together: 'Add as',
    oneSet: 'One set',
    oneEach: 'One each',
    start: 'Start',
    now: 'Now',
    later: 'Later',
    submit: (number: number) => (number > 1 ? `Add ${count(number)} links` : 'Add'),
    understood: (number: number) => (number === 1 ? '1 link understood' : `${count(number)} links understood`),
    misunderstood: (number: number) => (number === 1 ? '1 line is not' : `${count(number)} lines are not`),
    noneUnderstood: (number: number) => (number === 1 ? 'This line is not a link' : 'None of these lines is a link'),
    lineNumber: (number: number) => `Line ${number}`,
    linkCount: (number: number) => (number === 1 ? '1 link' : `${count(number)} links`),
    fromTo: (first: string, last: string) => `${first} to ${last}`,
    signsIn: 'signs in',
    andMore: (number: number) => `and ${count(number)} more`,
    partly: (added: number, rest: number) =>
      `${added === 1 ? '1 link was added' : `${count(added)} links were added`}; ${rest === 1 ? 'the one left here was not' : `the ${count(rest)} left here were not`}: `,
  },
  checksumTrouble: 'A checksum looks like sha-256= followed by 64 digits and letters from a to f.',

  removeDialog: {
    title: (number: number) => (number === 1 ? 'Remove from the list?' : `Remove ${downloads(number)} from the list?`),
    keeps: 'The downloaded files stay where they are.',
    loses: (unfinished: number, of: number) =>
      `${of === 1 ? 'It is' : unfinished === of ? 'They are' : unfinished === 1 ? '1 of them is' : `${count(unfinished)} of them are`} not finished. What has arrived so far is discarded.`,
    files: 'Also delete the downloaded files',
    deletes: 'The downloaded files are deleted for good.',
    submit: (number: number) => (number === 1 ? 'Remove' : `Remove ${downloads(number)}`),
    submitFiles: 'Remove and delete files',
  },
  cancelDialog: {
    title: (number: number) => (number === 1 ? 'Cancel this download?' : `Cancel ${downloads(number)}?`),
    body: (number: number) =>
      `${number === 1 ? 'It stops' : 'They stop'} and what has arrived of unfinished files is discarded. Finished files stay where they are.`,
    submit: (number: number) => (number === 1 ? 'Cancel download' : `Cancel ${downloads(number)}`),
    keep: 'Keep downloading',
  },

  details: {
    title: 'Details',
    of: (title: string) => `Details of ${title}`,
    hint: 'Details of the selected download (I)',
    close: 'Close details',
    resize: 'Height of the details (Up, Down)',
    nothing: 'Select a download to see its details.',
    pages: { files: 'Files', activity: 'Activity', speed: 'Speed', about: 'About' },
    connections: (number: number) => `${number} connections`,
    fileBefore: 'Previous file',
    fileAfter: 'Next file',
    fileOf: (number: number, of: number) => `${count(number)} of ${files(of)}`,
    copy: 'Copy',
    copied: 'Copied',
    notCopied: 'This could not be copied. The desktop does not allow it at the moment.',
    copyActivity: 'Copy everything on this page',
    copyHead: 'Copy the head of the answer',
    attempts: 'Tries',
    noAttempts: 'Nothing has been tried yet.',
    answer: 'What the server said',
    answered: (host: string, status: string) => `${host} answered “${status}”.`,
    redirects: (number: number) => number === 1 ? 'It sent Ashore on to another address:' : `It sent Ashore on ${count(number)} times:`,
    raw: 'Head of the answer, as it came',
    attempt: {
      number: (number: number) => `Try ${count(number)}`,
      since: (time: string) => `for ${time}`,
      took: (time: string) => `took ${time}`,
      brought: (amount: string) => `${amount} came`,
      status: (status: number) => `the server answered ${status}`,
      arrived: (amount: string) => `It arrived whole: ${amount}.`,
      running: (amount: string) => `Under way: ${amount} so far.`,
      connecting: 'Under way: connecting.',
    },
    speed: {
      current: 'Now',
      mean: 'On average',
      highest: 'At most',
      notRunning: 'not running',
      now: 'now',
      ago: (seconds: number) => `${count(seconds / 60)} min ago`,
      soon: 'The first bytes have not come yet.',
      none: 'Its speed is shown while it runs, and for some minutes after.',
      sentence: (minutes: number, current: string | null, mean: string, highest: string) =>
        `Speed of the last ${minutes === 1 ? 'minute' : `${minutes} minutes`}: ${current === null ? 'not running now' : `now ${current}`}, ` +
        `${mean} on average, ${highest} at most.`,
    },
    about: {
      address: 'Address',
      cameFrom: 'Came from',
      page: 'Found on',
      mirrors: 'Mirrors',
      title: 'Title',
      files: 'Files',
      filesDone: (done: number, of: number) => (done === of ? files(of) : `${count(done)} of ${files(of)} are there`),
      file: 'File name',
      folder: 'Folder',
      size: 'Size',
      bytes: (amount: string, exact: string) => `${amount} (${exact} bytes)`,
      checked: 'Checked',
      verified: {
        'by-digest': 'Its checksum is right.',
        'on-resume': 'Its length is right, and what was joined was compared.',
        no: 'Its length is right. There was no checksum to compare.',
      } satisfies { [how in NonNullable<FileRecord['verified']>]: string },
      checksum: 'Checksum',
      expected: 'Expected',
      created: 'Added',
      askedAgain: 'Asked for again',
      finished: 'Finished',
      ended: 'Ended',
      expires: 'Leaves the list',
      owner: 'Asked for by',
      owners: { window: 'this window', 'command-line': 'the command line' },
      id: 'Id',
      copyAddress: 'Copy address',
      copyName: 'Copy name',
      copyFolder: 'Copy folder',
      copyChecksum: 'Copy checksum',
      copyId: 'Copy id',
    },
  },

  statistics: {
    title: 'Statistics',
    back: 'Back to the list',
    reading: 'Reading',
    inAll: 'In all',
    about: 'Downloads that have left the list are counted as well.',
    received: 'received',
    sent: (amount: string) => `${amount} sent`,
    arrived: 'files arrived',
    added: (number: number) => `of ${count(number)} added`,
    succeeded: 'succeeded',
    nothingEnded: 'Nothing has ended yet',
    failed: (number: number) => (number === 0 ? 'None failed' : `${count(number)} failed`),
    none: '–',
    days: (number: number) => `The last ${number} days`,
    daysAbout: 'A download counts for the day that it was added on.',
    day: 'Day',
    today: 'Today',
    choose: (number: number) => `What came, on each of the last ${number} days`,
    whole: 'All of these days',
    onDay: (received: string, files: number, failed: number) =>
      join(received, files === 1 ? '1 file' : `${count(files)} files`, failed > 0 && `${count(failed)} failed`),
    nothing: 'Nothing was added',
    nothingCame: 'Of what was added in these days, nothing has arrived.',
    said: (day: string, what: string) => `${day}: ${what}`,
    columns: { received: 'Received', files: 'Files that arrived', failed: 'Failed' },
    from: 'Where it was asked for',
    ofSource: (received: string, files: number) => join(received, files === 1 ? '1 file' : `${count(files)} files`),
    sources: {
      window: 'This window',
      'command-line': 'The command line',
      feed: 'Feeds',
      clipboard: 'The clipboard',
      device: 'Other devices',
      program: 'Programs',
    } satisfies { [source in Source]: string },
    empty: {
      title: 'Nothing to count yet',
      body: 'Once something has been added, this shows what came, day by day, and where it was asked for.',
    },
  },

  notices: 'Messages',
  dismiss: 'Dismiss',
  copied: (number: number) => (number === 1 ? 'Link copied.' : `${count(number)} links copied.`),
  notCopied: 'The links could not be copied. The desktop does not allow it at the moment.',
  notForAll: (refused: number, of: number, text: string) => `This was not done for ${count(refused)} of ${downloads(of)}: ${text}`,
  removed: (number: number, title: string) =>
    number === 1 ? `Removed from the list: ${title}` : `${downloads(number)} were removed from the list.`,
  undo: 'Undo',
  undoHint: 'Take it back (Ctrl+Z)',
  backAgain: (number: number, title: string) => (number === 1 ? `“${title}” is back.` : `${downloads(number)} are back.`),
  chosen: (number: number) => `${count(number)} selected`,
  areNext: (number: number) => `${downloads(number)} are next.`,
  areLast: (number: number) => `${downloads(number)} come after everything else.`,
  isNext: (title: string) => `“${title}” is next.`,
  isLast: (title: string) => `“${title}” comes after everything else.`,
  isNumber: (title: string, number: number, of: number) => `“${title}” is number ${count(number)} of ${count(of)}.`,
  wasWaiting: (title: string) => `“${title}” was in the list already. It is next.`,
  wasRunning: (title: string) => `“${title}” is under way already.`,
} as const
