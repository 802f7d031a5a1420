// Texts of the details panel for a file and its download. [pure]
import type { Attempt, FileDetails, FileRecord, Registration } from '../api/api'
import { list } from '../i18n/i18n.svelte'
import { hostOf, nameOf } from '../add/links'
import { exactly, type Locale, moment, part, rate, size, span, typed } from '../i18n/format'
import { expected, hasOneFile, phase } from '../i18n/phase'
import type { Shown } from './speed-history'
import type { Line } from '../i18n/status-text'
import { words } from '../i18n/labels'

const said = words.details

export interface Moment {
  /** Current time in milliseconds of Unix time. */
  now: number
  locale?: Locale
}

/** Named fact about a file or a download. */
export interface DetailsFact {
  name: string
  values: readonly string[]
  /** Label of the copy button; undefined if the value has no copy button. */
  copy?: string
  /** Whether the value is the folder of the registration, which the user can change. */
  isFolder?: boolean
}

/** File name on disk; before the file exists, the name that the address suggests. */
export function fileName(record: FileRecord): string {
  return record.path?.split(/[\\/]/).at(-1) ?? nameOf(record.url)
}

/**
 * The record with the latest progress of its download. Progress arrives more often than records are read. Changes only the
 * record of a running download of one file, because the progress of a set does not name the file.
 */
export function withProgress(record: FileRecord, registration: Registration): FileRecord {
  if (!hasOneFile(registration) || record.state !== 'active') return record
  const size = record.size ?? (expected(registration) || null)
  return { ...record, size, downloaded: Math.max(record.downloaded, registration.downloaded) }
}

/** Outcome of an attempt. Only a final failure counts as trouble; earlier failures were retried. */
export function attemptLine(attempt: Attempt, record: FileRecord): Line {
  if (attempt.trouble !== null) return { text: words.sentence(attempt.trouble), trouble: attempt.is_final }
  if (attempt.ended !== null) return { text: said.attempt.arrived(size(attempt.bytes)), trouble: false }
  const there = Math.max(attempt.bytes, record.downloaded)
  const amount = record.size !== null && record.size > there ? part(there, record.size) : size(there)
  return { text: there > 0 ? said.attempt.running(amount) : said.attempt.connecting, trouble: false }
}

/** Reason for a restart and the bytes that the restart discarded; null if the attempt did not restart. */
export function anewLine(attempt: Attempt): string | null {
  return attempt.restart === null ? null : said.attempt.anew(attempt.restart)
}

/** Number, start time, duration and received bytes of the attempt. */
export function attemptWhen(attempt: Attempt, record: FileRecord, { now, locale }: Moment): string {
  const { started, ended, status } = attempt
  const begun = started ?? ended
  const brought =
    ended === null && attempt.brought !== null
      ? attempt.brought + Math.max(0, record.downloaded - attempt.bytes)
      : attempt.brought
  return list(
    said.attempt.number(attempt.number),
    begun !== null && exactly(begun, now, locale),
    started !== null &&
      (ended === null ? said.attempt.since(span((now - started) / 1000)) : said.attempt.took(span((ended - started) / 1000))),
    brought !== null && brought > 0 && said.attempt.brought(size(brought)),
    status !== null && said.attempt.status(status),
  )
}

/** Whether the response head is stored. For a refused response, only the status is stored. */
export function isHeadKept(record: FileRecord): boolean {
  return record.status_text !== null
}

/** Summary of the last response, in one sentence. */
export function answerLine(record: FileRecord, known: FileDetails): string {
  const chain = isHeadKept(record) ? record.url_chain : (known.attempts[0]?.url_chain ?? [])
  return said.answered(hostOf(chain.at(-1) ?? record.url), `${record.status ?? ''} ${record.status_text ?? ''}`.trim())
}

/** Response head, status line first. */
export function rawHead(record: FileRecord): string {
  const first = [record.status ?? '', record.status_text ?? ''].join(' ').trim()
  return [first, ...record.headers.map(([name, value]) => `${name}: ${value}`)].join('\n')
}

/** Plain text of the whole activity page, to be sent to the operator of the server. */
export function activityText(record: FileRecord, known: FileDetails, moment: Moment): string {
  const attempts = known.attempts.map((attempt) =>
    [attemptWhen(attempt, record, moment), anewLine(attempt), attemptLine(attempt, record).text]
      .filter((line) => line !== null)
      .map(typed)
      .concat(wayOf(attempt.url_chain))
      .join('\n'),
  )
  const hasHead = isHeadKept(record)
  const way = hasHead && record.url_chain.length > 1 ? wayOf(record.url_chain).join('\n') : null
  const answer = record.status === null ? null : [answerLine(record, known), ...(hasHead ? [rawHead(record)] : [])].join('\n')
  return [record.url, ...attempts, way, answer].filter((block) => block !== null).join('\n\n')
}

function wayOf(addresses: readonly string[]): string[] {
  return addresses.map((address, place) => (place === 0 ? address : `→ ${address}`))
}

/** Facts about one file. */
export function fileFacts(
  record: FileRecord,
  known: FileDetails | null,
  registration: Registration,
  { now, locale }: Moment,
): DetailsFact[] {
  const about = said.about
  const last = record.url_chain.at(-1)
  const page = registration.page ?? known?.referrer ?? null
  const folder = record.path?.replace(/[\\/][^\\/]*$/, '')
  const checksums = (known?.checksums ?? []).filter((checksum) => checksum !== record.digest)
  const facts: (DetailsFact | false)[] = [
    { name: about.address, values: [record.url], copy: about.copyAddress },
    last !== undefined && last !== record.url && { name: about.cameFrom, values: [last], copy: about.copyAddress },
    page !== null && { name: about.page, values: [page], copy: about.copyAddress },
    known !== null && known.mirrors.length > 0 && { name: about.mirrors, values: known.mirrors, copy: about.copyAddress },
    { name: about.file, values: [fileName(record)], copy: about.copyName },
    (hasOneFile(registration) || (folder !== undefined && folder !== registration.folder)) && {
      name: about.folder,
      values: [folder ?? registration.folder],
      copy: about.copyFolder,
      isFolder: hasOneFile(registration),
    },
    record.size !== null && { name: about.size, values: [exactSize(record.size)] },
    record.verified !== null && { name: about.checked, values: [about.verified[record.verified]] },
    record.missing_guarantees.length > 0 && {
      name: about.missing,
      values: record.missing_guarantees.map((guarantee) => about.guarantees[guarantee]),
    },
    record.digest !== null && { name: about.checksum, values: [record.digest], copy: about.copyChecksum },
    checksums.length > 0 && { name: about.expected, values: checksums, copy: about.copyChecksum },
    !hasOneFile(registration) &&
      known !== null &&
      known.finished !== null && { name: about.finished, values: [moment(known.finished, now, locale)] },
  ]
  return facts.filter((fact) => fact !== false)
}

/** Facts about the download as a whole. */
export function registrationFacts(registration: Registration, { now, locale }: Moment): DetailsFact[] {
  const about = said.about
  const total = expected(registration)
  const isMany = !hasOneFile(registration)
  const facts: (DetailsFact | false)[] = [
    isMany && { name: about.title, values: [registration.title], copy: about.copyName },
    isMany && { name: about.files, values: [about.filesDone(registration.succeeded, registration.requests)] },
    isMany && { name: about.folder, values: [registration.folder], copy: about.copyFolder, isFolder: true },
    isMany && total > 0 && { name: about.size, values: [exactSize(total)] },
    { name: about.created, values: [moment(registration.created, now, locale)] },
    registration.last_updated > registration.first_enqueued && {
      name: about.askedAgain,
      values: [moment(registration.last_updated, now, locale)],
    },
    registration.settled !== null && {
      name: phase(registration) === 'done' ? about.finished : about.ended,
      values: [moment(registration.settled, now, locale)],
    },
    registration.expires !== null && { name: about.expires, values: [moment(registration.expires, now, locale)] },
    { name: about.owner, values: [about.owners[registration.owner as keyof typeof about.owners] ?? registration.owner] },
    { name: about.id, values: [registration.unique_id], copy: about.copyId },
  ]
  return facts.filter((fact) => fact !== false)
}

/** Text alternative of the speed chart. */
export function speedSentence({ speeds, current, mean, highest }: Shown): string {
  return said.speed.sentence(speeds.length / 60, current === null ? null : rate(current), rate(mean ?? 0), rate(highest))
}

function exactSize(bytes: number): string {
  return bytes < 1000 ? size(bytes) : said.about.bytes(size(bytes), bytes)
}
