// All texts of the window except status lines (`status-text.ts`). The texts are Fluent messages in `locales/`. This
// file maps each place in the window to its message. [pure, except for the language]
import type { Category, FileRecord, Registration, Restart, Source, PowerActionKind } from '../api/api'
import { list, say, spoken } from './i18n.svelte'
import { sentence } from './engine-messages'
import { count, files, filesOf, size } from './format'
import { hasOneFile, phase, progress, type Filter, type Step } from './phase'
import type { Sort } from '../lib/sort-order'

/** Messages for the reasons of a restart; each states the bytes that the restart discarded. */
const ANEW = {
  changed: 'attempt-anew-changed',
  'no-ranges': 'attempt-anew-no-ranges',
  differs: 'attempt-anew-differs',
  gone: 'attempt-anew-gone',
} as const satisfies { [why in Restart['why']]: string }

export const FILTER_NAMES = spoken({
  all: 'filter-all',
  running: 'filter-running',
  waiting: 'filter-waiting',
  paused: 'filter-paused',
  done: 'filter-done',
  failed: 'filter-failed',
  cancelled: 'filter-cancelled',
} satisfies { [filter in Filter]: string })

export const SORT_NAMES = spoken({
  newest: 'sort-newest',
  name: 'sort-name',
  size: 'sort-size',
  progress: 'sort-progress',
  speed: 'sort-speed',
  left: 'sort-left',
} satisfies { [sort in Sort]: string })

export const CATEGORY_NAMES = spoken({
  video: 'kind-video',
  music: 'kind-music',
  picture: 'kind-picture',
  document: 'kind-document',
  archive: 'kind-archive',
  program: 'kind-program',
  other: 'kind-other',
} satisfies { [category in Category]: string })

export function stepName(step: Step, registration: Registration): string {
  switch (step) {
    case 'pause':
      return say('action-pause')
    case 'start':
      return say('start-now')
    case 'resume':
      return say('action-resume')
    case 'resume-all':
      return say('resume-all')
    case 'retry':
      if (phase(registration) === 'waiting') return say('try-now')
      return hasOneFile(registration) ? say('action-retry') : say('retry-failed')
    case 'anyway':
      return say('action-anyway')
    case 'space':
      return say('action-free-space')
    case 'sign-in':
      return say('action-sign-in')
    case 'relink':
      return say('new-link')
    case 'folder':
      return say('new-folder')
    case 'open':
      return say('action-open')
    case 'save':
      return say('remote-save')
    case 'files':
      return say('files-show')
    case 'show':
      return say('action-show-in-folder')
    case 'remove':
      return say('remove')
  }
}

/** Accessible name of a row: the title, the state and the percentage, unless `status` states them, and the status. */
export function rowName(registration: Registration, status: string): string {
  const now = phase(registration)
  const percent = progress(registration)
  const facts = [
    (now === 'running' || now === 'failed') && FILTER_NAMES[now],
    now === 'running' && percent !== null && words.percent(percent),
    status,
  ]
  return `${registration.title}, ${facts.filter((fact) => fact !== false).join(', ')}`
}

/** Action on one download or on several. */
export type ManyVerb =
  'pause' | 'start' | 'resume' | 'top' | 'end' | 'retry' | 'copy' | 'cancel' | 'remove' | 'remove-asking' | 'remove-files'

export function verbOn(verb: ManyVerb, registration: Registration): string {
  switch (verb) {
    case 'pause':
      return say('action-pause')
    case 'start':
      return say('start-now')
    case 'resume':
      return say('action-resume')
    case 'top':
      return say('to-the-top')
    case 'end':
      return say('to-the-end')
    case 'retry':
      return stepName('retry', registration)
    case 'copy':
      return hasOneFile(registration) ? say('copy-link') : say('copy-links')
    case 'cancel':
      return say('cancel-asking')
    case 'remove':
      return say('remove-from-list')
    case 'remove-asking':
      return say('remove-from-list-asking')
    case 'remove-files':
      return say('remove-with-files-asking')
  }
}

export function verbOnMany(verb: ManyVerb, count: number): string {
  switch (verb) {
    case 'pause':
      return say('many-pause', { count })
    case 'start':
      return say('many-start', { count })
    case 'resume':
      return say('many-resume', { count })
    case 'top':
      return say('many-top', { count })
    case 'end':
      return say('many-end', { count })
    case 'retry':
      return say('many-retry', { count })
    case 'copy':
      return say('many-copy', { count })
    case 'cancel':
      return say('many-cancel', { count })
    case 'remove':
      return say('many-remove', { count })
    case 'remove-asking':
      return say('many-remove-asking', { count })
    case 'remove-files':
      return say('many-remove-files-asking', { count })
  }
}

/** All other texts of the window. */
export const words = spoken({
  add: 'add',
  addHint: 'add-hint',
  search: 'search',
  searchHint: 'search-hint',
  clearSearch: 'search-clear',
  pauseAll: 'pause-all',
  resumeAll: 'resume-all',
  filters: 'filters',
  kinds: 'kinds',
  sortBy: 'sort-by',
  sortedBy: (name: string, isReversed: boolean) => say(isReversed ? 'sorted-by.reversed' : 'sorted-by', { name }),
  reverse: 'sort-reverse',
  inTurn: 'in-turn',
  dense: 'dense',
  columns: 'columns',
  columnAdded: 'column-added',
  columnLeft: 'column-left',
  numberShown: (count: number) => say('n-downloads', { count }),
  keys: 'keys',
  keysHint: 'keys-hint',
  rename: 'rename',
  titleOf: 'rename-field',
  showFilters: 'filters-wide',
  downloads: 'downloads',
  showFiles: 'files-show',
  hideFiles: 'files-hide',
  more: 'more',
  close: 'close',
  cancel: 'cancel',
  showInFolder: 'action-show-in-folder',
  openFile: 'action-open',
  saveFile: 'remote-save',
  views: 'remote-views',
  drag: 'drag',
  percent: (percent: number) => say('percent', { percent }),
  progressOf: (title: string) => say('progress-of', { title }),
  actionOn: (action: string, title: string) => say('action-on', { action, title }),
  filesOf: files,
  loadingFile: 'reading-file',
  facts: list,

  empty: {
    title: 'empty',
    body: 'empty.body',
    action: 'empty.action',
    after: 'empty.after',
    drop: 'empty.drop',
    browsers: 'empty.browsers',
  },
  dropHere: 'drop-here',
  nothingFound: {
    title: 'nothing-found',
    search: (text: string) => say('nothing-found.search', { text }),
    clear: 'search-clear',
    kind: (category: Category) => say('nothing-found.kind', { kind: CATEGORY_NAMES[category] }),
    allKinds: 'nothing-found.all-kinds',
    filter: {
      all: 'nothing-all',
      running: 'nothing-running',
      waiting: 'nothing-waiting',
      paused: 'nothing-paused',
      done: 'nothing-done',
      failed: 'nothing-failed',
      cancelled: 'nothing-cancelled',
    } satisfies { [filter in Filter]: string },
  },
  reading: 'reading',
  readAgain: 'read-again',
  listFailed: 'list-failed',

  addDialog: {
    title: 'add-title',
    links: 'add-links',
    linksHint: 'add-links.hint',
    folder: 'add-folder',
    folderHint: 'add-folder.hint',
    choose: 'choose',
    name: 'add-name',
    nameHint: 'add-name.hint',
    setTitle: 'add-set-title',
    setTitleHint: 'add-set-title.hint',
    checksum: 'add-checksum',
    checksumHint: 'add-checksum.hint',
    together: 'add-together',
    oneSet: 'add-one-set',
    oneEach: 'add-one-each',
    start: 'add-start',
    now: 'add-now',
    first: 'add-next',
    later: 'add-later',
    submit: (count: number) => (count > 1 ? say('add-submit', { count }) : say('add')),
    progress: (added: number, count: number) => say('add-progress', { added, count }),
    understood: (count: number) => say('add-understood', { count }),
    misunderstood: (count: number) => say('add-misunderstood', { count }),
    noneUnderstood: (count: number) => say('add-none-understood', { count }),
    lineNumber: (number: number) => say('add-line-number', { number }),
    linkCount: (count: number) => say('add-link-count', { count }),
    fromTo: (first: string, last: string) => say('add-from-to', { first, last }),
    signsIn: 'add-signs-in',
    found: {
      asking: 'add-asking',
      wantsSignIn: 'add-wants-sign-in',
      unsized: 'add-unsized',
      resumes: 'add-resumes',
      beginsAnew: 'add-begins-anew',
      answerGone: 'add-answer-gone',
      isThere: 'add-is-there',
      isThereOtherwise: 'add-is-there-otherwise',
      areThere: (count: number, of: number) => (count === of ? say('add-are-all-there') : say('add-are-there', { count })),
      whatNow: 'add-repeat',
      areUnfinished: (count: number) => say('add-are-unfinished', { count }),
      goOn: 'add-go-on',
      goOnWithMany: 'add-go-on-many',
      skip: 'add-skip',
      again: 'add-again',
      taken: (name: string) => say('add-taken', { name }),
    },
    along: {
      title: 'add-along',
      user: 'add-user',
      password: 'add-password',
      keep: 'add-keep',
      cookies: 'add-cookies',
      cookiesHint: 'add-cookies.hint',
      headers: 'add-headers',
      headersHint: 'add-headers.hint',
    },
    headerTrouble: (line: number) => say('add-headers-trouble', { line }),
    andMore: (count: number) => say('add-and-more', { count }),
    partly: (added: number, rest: number, text = '') => say('add-partly', { added, count: rest, text }),
  },
  afterwards: {
    title: 'afterwards',
    choices: { nothing: 'afterwards.nothing', sleep: 'afterwards.sleep', 'shut-down': 'afterwards.shut-down' } satisfies {
      [then in PowerActionKind]: string
    },
    is: (then: string) => say('afterwards-is', { then }),
    /** Announces the power action with the remaining seconds. */
    soon: (then: PowerActionKind, seconds: number) => {
      const time = say('span-seconds', { seconds })
      return then === 'sleep' ? say('afterwards-sleeps', { time }) : say('afterwards-shuts-down', { time })
    },
    why: 'afterwards-why',
    stay: 'afterwards-stay',
  },
  checksumTrouble: 'add-checksum-trouble',
  listTooLarge: 'add-list-too-large',
  limit: {
    title: 'limit',
    none: 'limit.none',
    is: (limit: string) => say('limit-is', { limit }),
    asking: 'limit-asking',
    other: 'limit-other',
    field: 'limit-field',
    unit: 'limit-unit',
    hint: 'limit-field.hint',
    wrong: 'limit-field.wrong',
    submit: 'limit-field.submit',
  },
  relink: 'relink',
  relinkDialog: {
    title: 'relink-question',
    about: 'relink-question.body',
    link: 'relink-question.link',
    submit: 'relink-question.submit',
    open: 'relink-question.open',
    openAbout: 'relink-question.open-about',
  },
  signInDialog: {
    title: 'sign-in-question',
    about: (host: string) => say('sign-in-question.body', { host }),
    submit: 'sign-in-question.submit',
  },

  removeDialog: {
    title: (count: number) => say('remove-question', { count }),
    titleFiles: 'remove-question.title-files',
    keeps: 'remove-question.keeps',
    loses: (unfinished: number, of: number) =>
      unfinished === of ? say('remove-loses-all', { count: of }) : say('remove-loses-some', { count: unfinished }),
    files: 'remove-question.files',
    deletes: (count: number) => say('remove-question.deletes', { count }),
    submit: (count: number) => say('remove-question.submit', { count }),
    submitFiles: 'remove-question.submit-files',
  },
  cancelDialog: {
    title: (count: number) => say('cancel-question', { count }),
    body: (count: number) => say('cancel-question.body', { count }),
    submit: (count: number) => say('cancel-question.submit', { count }),
    keep: 'cancel-question.keep',
  },

  details: {
    title: 'details',
    of: (title: string) => say('details.of', { title }),
    hint: 'details.hint',
    close: 'details.close',
    resize: 'details.resize',
    pages: { files: 'details-files', activity: 'details-activity', speed: 'details-speed', about: 'details-about' },
    connections: (count: number) => say('details-connections', { count }),
    connection: {
      number: (number: number) => say('details-connection', { number }),
      left: (size: string) => say('details-connection.left', { size }),
      starting: 'details-connection.starting',
    },
    fileBefore: 'details-file-before',
    fileAfter: 'details-file-after',
    fileOf: filesOf,
    copy: 'details-copy',
    copied: 'details-copied',
    notCopied: 'details-not-copied',
    copyActivity: 'details-copy-activity',
    copyHead: 'details-copy-head',
    attempts: 'details-attempts',
    noAttempts: 'details-no-attempts',
    answer: 'details-answer',
    answered: (host: string, status: string) => say('details-answered', { host, status }),
    redirects: (count: number) => say('details-redirects', { count }),
    raw: 'details-raw',
    attempt: {
      number: (number: number) => say('attempt-number', { number }),
      since: (time: string) => say('attempt-since', { time }),
      took: (time: string) => say('attempt-took', { time }),
      brought: (amount: string) => say('attempt-brought', { amount }),
      // Pass the status as a string, because it must not be formatted as a number.
      status: (status: number) => say('attempt-status', { status: String(status) }),
      arrived: (amount: string) => say('attempt-arrived', { amount }),
      running: (amount: string) => say('attempt-running', { amount }),
      connecting: 'attempt-connecting',
      anew: ({ why, bytes }: Restart) => say(ANEW[why], { amount: size(bytes) }),
    },
    speed: {
      current: 'speed-current',
      mean: 'speed-mean',
      highest: 'speed-highest',
      notRunning: 'speed-not-running',
      now: 'speed-now',
      ago: (seconds: number) => say('speed-ago', { minutes: seconds / 60 }),
      soon: 'speed-soon',
      none: 'speed-none',
      sentence: (minutes: number, current: string | null, mean: string, highest: string) =>
        current === null
          ? say('speed-sentence-not-running', { minutes, mean, highest })
          : say('speed-sentence', { minutes, current, mean, highest }),
    },
    about: {
      address: 'about-address',
      cameFrom: 'about-came-from',
      page: 'about-page',
      mirrors: 'about-mirrors',
      title: 'about-title',
      files: 'about-files',
      filesDone: (done: number, count: number) => (done === count ? files(count) : say('about-files-done', { done, count })),
      file: 'about-file',
      folder: 'about-folder',
      size: 'about-size',
      bytes: (amount: string, bytes: number) => say('about-bytes', { amount, bytes: count(bytes) }),
      checked: 'about-checked',
      verified: {
        'by-digest': 'about-by-digest',
        'on-resume': 'about-on-resume',
        no: 'about-not-verified',
        'size-unknown': 'about-size-unknown',
      } satisfies { [how in NonNullable<FileRecord['verified']>]: string },
      missing: 'about-missing',
      guarantees: {
        permissions: 'about-missing-permissions',
        sync: 'about-missing-sync',
        'folder-sync': 'about-missing-folder-sync',
        'exclusive-name': 'about-missing-exclusive-name',
        'at-once': 'about-missing-at-once',
      } satisfies { [guarantee in FileRecord['missing_guarantees'][number]]: string },
      checksum: 'about-checksum',
      expected: 'about-expected',
      created: 'about-created',
      askedAgain: 'about-asked-again',
      finished: 'about-finished',
      ended: 'about-ended',
      expires: 'about-expires',
      owner: 'about-owner',
      owners: { window: 'about-owner-window', 'command-line': 'about-owner-command-line' },
      id: 'about-id',
      copyAddress: 'about-copy-address',
      copyName: 'about-copy-name',
      copyFolder: 'about-copy-folder',
      copyChecksum: 'about-copy-checksum',
      copyId: 'about-copy-id',
    },
  },

  statistics: {
    title: 'statistics',
    back: 'statistics.back',
    reading: 'statistics.reading',
    inAll: 'statistics-in-all',
    about: 'statistics-in-all.about',
    received: 'statistics-received',
    sent: (amount: string) => say('statistics-sent', { amount }),
    arrived: (count: number) => say('statistics-arrived', { count }),
    added: (count: number) => say('statistics-added', { count }),
    succeeded: 'statistics-succeeded',
    nothingEnded: 'statistics-nothing-ended',
    failed: (count: number) => (count === 0 ? say('statistics-none-failed') : say('statistics-failed', { count })),
    none: 'statistics-none',
    days: (count: number) => say('statistics-days', { count }),
    daysAbout: 'statistics-days.about',
    day: 'statistics-day',
    today: 'statistics-today',
    choose: (count: number) => say('statistics-days.choose', { count }),
    whole: 'statistics-whole',
    onDay: (received: string, count: number, failed: number) =>
      list(received, files(count), failed > 0 && say('statistics-failed', { count: failed })),
    nothing: 'statistics-nothing',
    nothingCame: 'statistics-nothing-came',
    said: (day: string, what: string) => say('statistics-said', { day, what }),
    columns: { received: 'statistics-column-received', files: 'statistics-column-files', failed: 'statistics-column-failed' },
    from: 'statistics-from',
    ofSource: (received: string, count: number) => list(received, files(count)),
    sources: {
      window: 'statistics-from.window',
      'command-line': 'statistics-from.command-line',
      feed: 'statistics-from.feed',
      clipboard: 'statistics-from.clipboard',
      device: 'statistics-from.device',
      browser: 'statistics-from.browser',
      program: 'statistics-from.program',
    } satisfies { [source in Source]: string },
    empty: { title: 'statistics-empty', body: 'statistics-empty.body' },
  },

  notices: 'notices',
  dismiss: 'notice-dismiss',
  copyCommand: 'copy-command',
  commandCopied: 'notice-command-copied',
  commandCopiedWithout: (headers: string) => say('notice-command-copied.without', { headers }),
  againWithout: (title: string, headers: string) => say('notice-again-without', { title, headers }),
  downloadAgain: 'add-again',
  copied: (count: number) => say('notice-copied', { count }),
  notCopied: 'notice-not-copied',
  notForAll: (refused: number, count: number, text: string) => say('notice-not-for-all', { refused, count, text }),
  offered: (count: number) => say('notice-offered', { count }),
  removed: (count: number, title: string) => say('notice-removed', { count, title }),
  filesGo: 'notice-files-go',
  undo: 'notice-undo',
  undoHint: 'notice-undo-hint',
  backAgain: (count: number, title: string) => say('notice-back', { count, title }),
  chosen: (count: number) => say('chosen', { count }),
  areNext: (count: number) => say('notice-are-next', { count }),
  areLast: (count: number) => say('notice-are-last', { count }),
  isNext: (title: string) => say('notice-is-next', { title }),
  isLast: (title: string) => say('notice-is-last', { title }),
  isNumber: (title: string, number: number, count: number) => say('notice-is-number', { title, number, count }),
  wasWaiting: (title: string) => say('notice-was-waiting', { title }),
  wasRunning: (title: string) => say('notice-was-running', { title }),
  sentence,
})
