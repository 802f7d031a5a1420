// Every word the window says, and the line that tells how a download is doing. The words themselves are Fluent messages in
// `locales/`; here stands which message is said where. [pure, but for the language]
import type { Category, FileRecord, Registration, Restart, Source, Totals, Trouble } from '../api/api'
import { list, say, spoken } from '../words/say.svelte'
import { clause, sentence } from '../words/troubles'
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

const files = (number: number): string => say('n-files', { count: number })

const filesOf = (done: number, number: number): string => say('files-of', { done, count: number })

/** Why a file began anew, with what had come before. */
const ANEW = {
  changed: 'attempt-anew-changed',
  'no-ranges': 'attempt-anew-no-ranges',
  differs: 'attempt-anew-differs',
  gone: 'attempt-anew-gone',
} as const satisfies { [why in Restart['why']]: string }

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
    const sent = say('row-sending', { part: part(registration.uploaded, registration.uploadTotal) })
    return list(sent, moving(speed), left(registration.uploadTotal - registration.uploaded, speed))
  }
  const total = expected(registration)
  if (registration.downloaded === 0 && registration.succeeded === 0) {
    return list(filesDone(registration), say('row-connecting'), failures(registration))
  }
  return list(
    filesDone(registration),
    total > 0 ? part(Math.min(registration.downloaded, total), total) : size(registration.downloaded),
    moving(speed),
    total > 0 && left(total - registration.downloaded, speed),
    failures(registration),
  )
}

function waiting(registration: Registration, circumstances: Circumstances): Line {
  const { next_try: due, waiting_for: trouble } = registration
  if (circumstances.everythingIsPaused) return { text: list(say('row-paused-with-everything'), soFar(registration)), trouble: false }
  if (trouble === null) return { text: list(say('row-waits'), soFar(registration)), trouble: false }
  const what = due === null ? say('row-waits-because', { why: clause(trouble) }) : triesAgain(due - circumstances.now, trouble)
  return { text: list(what, failures(registration)), trouble: true }
}

/** In so many milliseconds. */
function triesAgain(due: number, trouble: Trouble | null): string {
  const wait = due / 1000
  if (trouble === null) return wait < 1 ? say('row-tries') : say('row-tries-in', { time: span(wait) })
  const why = clause(trouble)
  return wait < 1 ? say('row-tries-because', { why }) : say('row-tries-in-because', { time: span(wait), why })
}

function paused(registration: Registration): string {
  const percent = progress(registration)
  if (percent !== null && (registration.downloaded > 0 || registration.uploaded > 0)) {
    return list(say('row-paused-at-percent', { percent }), soFar(registration), failures(registration))
  }
  if (registration.downloaded > 0) return list(say('row-paused-at', { amount: size(registration.downloaded) }), filesDone(registration), failures(registration))
  return list(say('row-paused'), !hasOneFile(registration) && files(registration.requests), registration.failed === 0 && say('row-not-started'), failures(registration))
}

function done(registration: Registration, { now, verified, locale }: Circumstances): string {
  return list(
    say('row-done', { moment: moment(registration.settled ?? now, now, locale) }),
    !hasOneFile(registration) &&
      (registration.failed > 0 ? filesOf(registration.succeeded, registration.requests) : files(registration.requests)),
    size(registration.downloaded),
    verified === 'by-digest' && say('row-verified'),
  )
}

function failed(registration: Registration): string {
  const { failure, requests } = registration
  const whole = failure === null ? reason(registration) : sentence(failure)
  if (hasOneFile(registration) || registration.failed === 0) return whole
  const why = clause(failure ?? { code: '', text: whole })
  if (registration.failed === requests) return say('row-all-failed', { count: requests, why })
  return say('row-some-failed', { done: registration.failed, count: requests, why })
}

function cancelled(registration: Registration, { now, locale }: Circumstances): string {
  const { succeeded, requests } = registration
  return list(
    say('row-cancelled-at', { moment: moment(registration.settled ?? now, now, locale) }),
    !hasOneFile(registration) && succeeded > 0 && say('row-files-kept', { done: succeeded, count: requests }),
  )
}

/** The specification's reason, where the engine gives no finer one. */
function reason(registration: Registration): string {
  switch (registration.failureReason) {
    case 'bad-status':
      return say('reason-bad-status')
    case 'quota-exceeded':
      return say('reason-quota-exceeded')
    case 'download-total-exceeded':
      return say('reason-download-total-exceeded')
    default:
      return say('reason-fetch-error')
  }
}

const filesDone = (registration: Registration): string | false =>
  !hasOneFile(registration) && filesOf(registration.succeeded, registration.requests)

const failures = (registration: Registration): string | false =>
  registration.failed > 0 &&
  !hasOneFile(registration) &&
  (registration.failure === null
    ? say('row-failed-files', { count: registration.failed })
    : say('row-failed-files-because', { count: registration.failed, why: clause(registration.failure) }))

const moving = (speed: number | null): string | false => speed !== null && (speed > 0 ? rate(speed) : say('row-stalled'))

const left = (bytes: number, speed: number | null): string | false =>
  speed !== null && speed > 0 && bytes > 0 && say('time-left', { time: span(bytes / speed) })

function soFar(registration: Registration): string | false {
  if (registration.downloaded === 0) return false
  const total = expected(registration)
  return total > 0 ? part(registration.downloaded, total) : size(registration.downloaded)
}

/** How one file of several is doing. */
export function fileLine(record: FileRecord, { now, everythingIsPaused }: Circumstances, owner: Phase): Line {
  const amount =
    record.size !== null && record.size > record.downloaded ? part(record.downloaded, record.size) : size(record.downloaded)
  const said = record.text === null ? null : { code: record.code ?? '', text: record.text }
  const why = (): string => (said === null ? say('reason-fetch-error') : sentence(said))
  switch (record.state) {
    case 'active':
      return { text: record.downloaded > 0 ? amount : say('row-connecting'), trouble: false }
    case 'completed':
      if (record.outcome === 'success') {
        const verified = record.verified === 'by-digest' && say('row-verified')
        return { text: list(size(record.size ?? record.downloaded), verified), trouble: false }
      }
      return { text: why(), trouble: true }
    case 'dead':
      return { text: why(), trouble: true }
    case 'aborted':
      return { text: say('row-cancelled'), trouble: false }
    case 'waiting':
      return { text: triesAgain(record.next_try === null ? 0 : record.next_try - now, said), trouble: said !== null }
    case 'pending': {
      const still = owner === 'paused' || everythingIsPaused === true
      return { text: list(still ? say('row-paused') : say('row-waits'), record.downloaded > 0 && amount), trouble: false }
    }
  }
}

/** `3 running · 12 waiting`, and what they wait for where that is the same for all. */
export function totalsLine(totals: Omit<Totals, 'speed'>): string {
  if (totals.paused) return say('totals-paused')
  if (totals.running === 0 && totals.waiting === 0) return say('totals-idle')
  return list(
    totals.running > 0 && say('totals-running', { count: totals.running }),
    totals.waiting > 0 && say('totals-waiting', { count: totals.waiting }),
    totals.waiting > 0 && totals.gate !== null && clause(totals.gate),
    totals.running > 0 && totals.pace === 'slow' && say('totals-slow-hours'),
  )
}

export const FILTER_NAMES = spoken({
  all: 'filter-all',
  running: 'filter-running',
  waiting: 'filter-waiting',
  done: 'filter-done',
  failed: 'filter-failed',
} satisfies { [filter in Filter]: string })

export const SORT_NAMES = spoken({
  newest: 'sort-newest',
  name: 'sort-name',
  size: 'sort-size',
  progress: 'sort-progress',
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
    case 'show':
      return say('action-show-in-folder')
    case 'remove':
      return say('remove')
  }
}

/** What can be asked of one download, or of several at once. */
export type ManyVerb = 'pause' | 'resume' | 'top' | 'end' | 'retry' | 'copy' | 'cancel' | 'remove' | 'remove-asking' | 'remove-files'

export function verbOn(verb: ManyVerb, registration: Registration): string {
  switch (verb) {
    case 'pause':
      return say('action-pause')
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

/** What the window says beside the lines above. */
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
  sortedBy: (name: string) => say('sorted-by', { name }),
  inTurn: 'in-turn',
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
  },
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
      done: 'nothing-done',
      failed: 'nothing-failed',
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
      isThere: 'add-is-there',
      isThereOtherwise: 'add-is-there-otherwise',
      areThere: (count: number, of: number) => (count === of ? say('add-are-all-there') : say('add-are-there', { count })),
      whatNow: 'add-repeat',
      goOn: 'add-go-on',
      skip: 'add-skip',
      again: 'add-again',
      taken: (name: string) => say('add-taken', { name }),
    },
    along: {
      title: 'add-along',
      user: 'add-user',
      password: 'add-password',
      keep: 'add-keep',
      headers: 'add-headers',
      headersHint: 'add-headers.hint',
    },
    headerTrouble: (line: number) => say('add-headers-trouble', { line }),
    andMore: (count: number) => say('add-and-more', { count }),
    partly: (added: number, rest: number, text = '') => say('add-partly', { added, count: rest, text }),
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
  },
  signInDialog: {
    title: 'sign-in-question',
    about: (host: string) => say('sign-in-question.body', { host }),
    submit: 'sign-in-question.submit',
  },

  removeDialog: {
    title: (count: number) => say('remove-question', { count }),
    keeps: 'remove-question.keeps',
    loses: (unfinished: number, of: number) =>
      unfinished === of ? say('remove-loses-all', { count: of }) : say('remove-loses-some', { count: unfinished }),
    files: 'remove-question.files',
    deletes: 'remove-question.deletes',
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
    nothing: 'details.nothing',
    pages: { files: 'details-files', activity: 'details-activity', speed: 'details-speed', about: 'details-about' },
    connections: (count: number) => say('details-connections', { count }),
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
      // No number to be counted with.
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
      program: 'statistics-from.program',
    } satisfies { [source in Source]: string },
    empty: { title: 'statistics-empty', body: 'statistics-empty.body' },
  },

  notices: 'notices',
  dismiss: 'notice-dismiss',
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
