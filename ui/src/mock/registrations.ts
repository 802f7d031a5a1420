// Sample registrations of the simulated engine: one of every kind, one for every failure, or a long list.
import { inEnglish } from '../i18n/engine-messages'
import type { Category, FileRecord, NewRegistration, Registration, Source, UserMessage } from '../api/api'
import { FAILURES, WAITS } from './errors'
import { waitingRegistration } from './waiting'

/** Registration with further facts that a real engine would know. */
export interface Pretended {
  /** Replaced, never mutated, because listeners keep a reference to this object. */
  registration: Readonly<Registration>
  urls: string[]
  /** Speed while the registration runs, in bytes per second. */
  speed: number
  verified: FileRecord['verified']
  /** Missing guarantees: the file system of the file cannot give them. */
  missing: FileRecord['missing_guarantees']
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const MB = 1_000_000
const GB = 1000 * MB
export const FOLDER = '/home/robin/Downloads'

const GONE: UserMessage = inEnglish('bad-status.gone')
export const BUSY: UserMessage = inEnglish('bad-status.busy')

let last = 0

function uniqueId(): string {
  last += 1
  return `00000000-0000-4000-8000-${last.toString(16).padStart(12, '0')}`
}

function make(
  title: string,
  created: number,
  parts: Partial<Registration> = {},
  besides: Partial<Omit<Pretended, 'registration'>> = {},
): Pretended {
  const id = uniqueId()
  const requests = parts.requests ?? 1
  const registration: Registration = {
    ...waitingRegistration(id),
    title,
    requests,
    active: parts.state === 'running' ? 1 : 0,
    rank: created,
    folder: FOLDER,
    category: kindOf(title),
    created,
    first_enqueued: created,
    last_updated: created,
    ...parts,
  }
  const name = encodeURIComponent(title)
  const urls = besides.urls ?? (requests === 1 ? [`https://files.example.org/pub/${name}`] : [])
  return { registration, urls, speed: 4 * MB, verified: 'no', missing: [], ...besides }
}

const KINDS: { [ending: string]: Category } = {
  mp4: 'video',
  mkv: 'video',
  flac: 'music',
  mp3: 'music',
  wav: 'music',
  jpg: 'picture',
  png: 'picture',
  tiff: 'picture',
  csv: 'document',
  docx: 'document',
  epub: 'document',
  json: 'document',
  pdf: 'document',
  txt: 'document',
  gz: 'archive',
  tar: 'archive',
  zip: 'archive',
  zst: 'archive',
  bin: 'program',
  img: 'program',
}

/** Category by file extension. Covers only the extensions of the samples; the engine knows many more. */
export const kindOf = (title: string): Category => KINDS[title.split('.').at(-1) ?? ''] ?? 'other'

/** Sample failure with this code; if the code has several messages, a representative message. */
const trouble = (code: string): UserMessage =>
  code === 'bad-status' ? GONE : (FAILURES.find((trouble) => trouble.code === code) ?? { code, text: code })

function arrived(
  title: string,
  created: number,
  bytes: number,
  took: number,
  verified: FileRecord['verified'] = 'no',
  missing: FileRecord['missing_guarantees'] = [],
): Pretended {
  return make(
    title,
    created,
    {
      state: 'settled',
      result: 'success',
      downloaded: bytes,
      expected_total: bytes,
      succeeded: 1,
      settled: created + took,
      path: `${FOLDER}/${title}`,
    },
    { verified, missing },
  )
}

function broken(title: string, created: number, why: string | UserMessage, parts: Partial<Registration> = {}): Pretended {
  const failure = typeof why === 'string' ? trouble(why) : why
  return make(title, created, {
    state: 'settled',
    result: 'failure',
    failureReason: reasonOf(failure.code),
    failure,
    failed: 1,
    settled: created + 3 * MINUTE,
    ...parts,
  })
}

/** Returns the failure reason of the specification for this code. */
function reasonOf(code: string): Registration['failureReason'] {
  switch (code) {
    case 'bad-status':
    case 'download-total-exceeded':
    case 'aborted':
      return code
    case 'link-expired':
      return 'bad-status'
    case 'disk-full':
    case 'quota-reached':
      return 'quota-exceeded'
    default:
      return 'fetch-error'
  }
}

export function one(now: number): Pretended[] {
  return [
    make(
      'lecture-07.mp4',
      now - 2 * MINUTE,
      { state: 'running', downloaded: 312 * MB, expected_total: 845 * MB },
      { speed: 6.2 * MB },
    ),
  ]
}

export function everything(now: number): Pretended[] {
  return [
    make(
      'Debian 13 installer set',
      now - MINUTE,
      { category: 'program', state: 'running', requests: 4, succeeded: 3, downloaded: 3.1 * GB, expected_total: 4.2 * GB },
      { speed: 11.4 * MB },
    ),
    make(
      'lecture-07.mp4',
      now - 2 * MINUTE,
      { state: 'running', downloaded: 312 * MB, expected_total: 845 * MB },
      { speed: 6.2 * MB },
    ),
    make('nightly-build.tar.zst', now - 3 * MINUTE, { state: 'running', downloaded: 48.3 * MB }, { speed: 1.9 * MB }),
    make(
      'survey-answers.csv',
      now - 4 * MINUTE,
      { state: 'running', uploaded: 3.1 * MB, uploadTotal: 42 * MB, expected_total: 2000 },
      { speed: 0.4 * MB },
    ),
    make('interview-raw.wav', now - 5 * MINUTE, {
      state: 'waiting',
      downloaded: 81 * MB,
      expected_total: 410 * MB,
      next_try: now + 40_000,
      waiting_for: BUSY,
    }),
    make('ocean-currents.nc', now - 6 * MINUTE),
    make('Map tiles, northern coast', now - 7 * MINUTE, { category: 'picture', requests: 2001 }),
    make('backup-2026-09.tar', now - 8 * MINUTE, { state: 'paused', downloaded: 5.3 * GB, expected_total: 12.9 * GB }),
    make('font-specimens.zip', now - 9 * MINUTE, { state: 'paused' }),
    arrived('thesis.pdf', now - 20 * MINUTE, 8.1 * MB, 40_000, 'by-digest'),
    make('Photos from the archive', now - HOUR, {
      category: 'picture',
      state: 'settled',
      result: 'success',
      requests: 48,
      succeeded: 48,
      downloaded: 620 * MB,
      expected_total: 620 * MB,
      settled: now - 50 * MINUTE,
    }),
    make('dataset-2026', now - 2 * HOUR, {
      state: 'settled',
      result: 'failure',
      failureReason: 'bad-status',
      failure: trouble('bad-status'),
      requests: 312,
      succeeded: 309,
      failed: 3,
      downloaded: 7.7 * GB,
      expected_total: 7.7 * GB,
      settled: now - HOUR,
    }),
    broken('old-manual.pdf', now - 3 * HOUR, 'bad-status'),
    broken('signed-release.img', now - 4 * HOUR, 'digest-mismatch', { downloaded: 902 * MB, expected_total: 902 * MB }),
    make('conference-stream.mkv', now - 5 * HOUR, {
      state: 'settled',
      result: 'failure',
      failureReason: 'aborted',
      downloaded: 210 * MB,
      expected_total: GB,
      settled: now - 4.5 * HOUR,
    }),
    arrived(
      'A very long file name that a server chose without thinking of the people who would have to read it, final version (2), approved and corrected once more.docx',
      now - 26 * HOUR,
      1.2 * MB,
      9000,
    ),
    arrived('水の流れ — 海流の観測記録.pdf', now - 27 * HOUR, 24.6 * MB, 12_000, 'on-resume'),
    arrived('طقس البحر.epub', now - 28 * HOUR, 780_000, 2000),
    arrived('cover.png', now - 50 * HOUR, 412_000, 1000),
    arrived('podcast-112.mp3', now - 400 * 24 * HOUR, 64 * MB, 30_000, 'no', [
      'permissions',
      'sync',
      'folder-sync',
      'exclusive-name',
      'at-once',
    ]),
  ]
}

/** Parts of a registration that waits for a click in the browser. */
export const awaitsClick = (other: string | null = null): Partial<Registration> => ({
  awaited_link: { until: Date.now() + 15 * MINUTE, other },
})

/** Failed downloads from a browser. A click in the browser continues them. */
function ofBrowser(now: number): Pretended[] {
  const partial = { owner: 'browser', page: 'https://example.org/files', downloaded: 410 * MB, expected_total: 980 * MB }
  const refused = inEnglish('bad-status.forbidden')
  return [
    broken('signed-link.iso', now - 90 * MINUTE, 'link-expired', partial),
    broken('signed-out.iso', now - 91 * MINUTE, refused, partial),
    broken('awaits-click.iso', now - 92 * MINUTE, 'link-expired', { ...partial, ...awaitsClick() }),
    broken('awaits-other.iso', now - 93 * MINUTE, 'link-expired', { ...partial, ...awaitsClick('readme-first.pdf') }),
  ]
}

/** Downloads for every failure and every reason for waiting. */
export function everyTrouble(now: number): Pretended[] {
  const titled = FAILURES.map((failure, index) => broken(titleOf(FAILURES, index), now - index * MINUTE, failure))
  const waiting = WAITS.map((waiting_for, index) =>
    make(titleOf([...FAILURES, ...WAITS], FAILURES.length + index), now - (100 + index) * MINUTE, {
      downloaded: index % 2 === 0 ? 0 : 10 * MB,
      expected_total: 80 * MB,
      waiting_for,
    }),
  )
  const some: Partial<Registration> = {
    category: 'picture',
    requests: 12,
    succeeded: 5,
    failed: 3,
    failure: GONE,
    failureReason: 'bad-status',
    downloaded: 410 * MB,
    expected_total: 980 * MB,
  }
  return [
    make('Some of those that run', now + 3 * MINUTE, { ...some, state: 'running' }),
    make('Some of those that are paused', now + 2 * MINUTE, { ...some, state: 'paused' }),
    make('Some of those that wait', now + MINUTE, { ...some, waiting_for: BUSY, next_try: now + 40_000 }),
    ...titled,
    broken('One of a few', now - 80 * MINUTE, 'timeout', {
      requests: 12,
      succeeded: 11,
      downloaded: 900 * MB,
      expected_total: GB,
    }),
    ...ofBrowser(now),
    broken('All of them', now - 81 * MINUTE, 'dns', { requests: 5, failed: 5 }),
    ...waiting,
    ...['connect', 'disk-full', 'protocol'].map((code, index) =>
      make(`${code}-for-now.bin`, now - (150 + index) * MINUTE, {
        downloaded: 10 * MB,
        expected_total: 80 * MB,
        next_try: now + (index + 1) * 95_000,
        waiting_for: trouble(code),
      }),
    ),
  ]
}

/** Title made of the code, with a number if the code has several messages. */
function titleOf(troubles: readonly UserMessage[], index: number): string {
  const { code } = troubles[index]!
  const before = troubles.slice(0, index).filter((other) => other.code === code).length
  return before === 0 ? `${code}.bin` : `${code} (${before + 1}).bin`
}

const SOURCES: readonly Source[] = ['window', 'window', 'window', 'command-line', 'command-line', 'feed', 'program']
const NAMES = ['report', 'lecture', 'photo', 'scan', 'archive', 'recording', 'map', 'index', 'release', 'notes']
const ENDINGS = ['pdf', 'mp4', 'jpg', 'tiff', 'zip', 'flac', 'gpkg', 'json', 'tar.gz', 'txt']

/** Returns `rows` registrations, of which the first `running` have the state "running". */
export function long(rows: number, now: number, running = 8): Pretended[] {
  // Every call returns the same rows, so that screenshots can be compared.
  return Array.from({ length: rows }, (_, index) => {
    const pretended = oneOfMany(index, rows, now, running)
    pretended.registration = { ...pretended.registration, source: SOURCES[index % SOURCES.length]! }
    return pretended
  })
}

function oneOfMany(index: number, rows: number, now: number, running: number): Pretended {
  const turn = (index * 7919) % 1000
  const title = `${NAMES[turn % 10]}-${String(rows - index).padStart(6, '0')}.${ENDINGS[(turn >> 2) % 10]}`
  const created = now - index * 20_000
  const bytes = ((turn * turn * 977) % 900_000_000) + 20_000
  if (index < running)
    return make(
      title,
      created,
      { state: 'running', downloaded: bytes / 3, expected_total: bytes * 4 },
      { speed: (1 + turn / 300) * MB },
    )
  if (index < 2000 && turn < 600) return make(title, created, { expected_total: bytes })
  if (turn < 15) return make(title, created, { state: 'paused', downloaded: bytes / 2, expected_total: bytes })
  if (turn < 60) return broken(title, created, FAILURES[turn % 20]!)
  if (turn < 80)
    return make(`Set ${title}`, created, {
      state: 'settled',
      result: 'success',
      requests: 40,
      succeeded: 40,
      downloaded: bytes,
      expected_total: bytes,
      settled: created + MINUTE,
    })
  return arrived(title, created, bytes, 30_000, turn % 3 === 0 ? 'by-digest' : 'no')
}

export function registrationOf(wanted: NewRegistration, now: number): Pretended {
  const urls = wanted.requests.map((request) => request.url)
  const name = decodeURIComponent(new URL(urls[0]!).pathname.split('/').at(-1) || new URL(urls[0]!).host)
  const title = wanted.title ?? (urls.length === 1 ? name : `${name} and ${urls.length - 1} more`)
  return make(
    title,
    now,
    {
      state: wanted.paused ? 'paused' : 'running',
      ...(wanted.owner !== undefined && { owner: wanted.owner }),
      requests: urls.length,
      expected_total: 60 * MB * urls.length,
      folder: wanted.folder ?? FOLDER,
    },
    { urls, speed: 7 * MB },
  )
}

export function recordOf({ registration, urls, verified, missing }: Pretended, index: number): FileRecord {
  const each = Math.round(registration.expected_total / registration.requests)
  const isLost = registration.failed > 0 && index >= registration.requests - registration.failed
  const isDone = !isLost && index < registration.succeeded
  const isActive = registration.state === 'running' && index === registration.succeeded
  const over = registration.state === 'settled'
  const name = registration.requests === 1 ? registration.title : `part-${String(index + 1).padStart(4, '0')}.bin`
  const here = isDone ? each : isActive ? Math.max(0, registration.downloaded - each * registration.succeeded) : 0
  return {
    index,
    url: urls[index] ?? `https://files.example.org/pub/${encodeURIComponent(name)}`,
    method: 'GET',
    state: isLost || isDone ? 'completed' : isActive ? 'active' : over ? 'aborted' : 'pending',
    optional: false,
    status: isLost ? statusOf(registration.failure) : isDone || isActive ? 200 : null,
    status_text: isDone || isActive ? 'OK' : null,
    headers: isDone || isActive ? headOf(name, each) : [],
    url_chain:
      isDone || isActive ? chainOf(urls[index] ?? `https://files.example.org/pub/${encodeURIComponent(name)}`, index) : [],
    path: isDone ? (registration.path ?? `${registration.folder}/${registration.title}/${name}`) : null,
    size: each > 0 ? each : null,
    downloaded: here,
    outcome: isLost ? 'failure' : isDone ? 'success' : null,
    code: isLost ? (registration.failure?.code ?? null) : null,
    text: isLost ? (registration.failure?.text ?? null) : null,
    ...(isLost && { variant: registration.failure?.variant, args: registration.failure?.args }),
    verified: isDone ? verified : null,
    digest: isDone && verified === 'by-digest' ? `sha-256=${'9f86d081884c7d65'.repeat(4)}` : null,
    missing_guarantees: isDone ? missing : [],
    attempts: isLost ? 3 : isDone || isActive ? 1 + (index % 3) : registration.next_try === null ? 0 : 2,
    next_try: null,
  }
}

/** HTTP status of the server's answer. */
function statusOf(failure: UserMessage | null): number | null {
  if (failure?.code !== 'bad-status') return null
  return failure.variant === 'sign-in' ? 401 : 404
}

function headOf(name: string, bytes: number): [string, string][] {
  return [
    ['date', 'Mon, 02 Nov 2026 13:58:01 GMT'],
    ['server', 'nginx'],
    ['content-type', 'application/octet-stream'],
    ...(bytes > 0 ? [['content-length', String(bytes)] as [string, string]] : []),
    ['content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`],
    ['last-modified', 'Tue, 13 Oct 2026 07:02:44 GMT'],
    ['accept-ranges', 'bytes'],
    ['etag', '"6530a1c4-8f2b7c00"'],
  ]
}

function chainOf(url: string, index: number): string[] {
  if (index % 3 !== 0) return [url]
  const { pathname } = new URL(url)
  return [url, `https://mirror.example.net${pathname}`, `https://ftp3.mirror.example.net/7${pathname}?token=c2FtcGxlLXRva2Vu`]
}
