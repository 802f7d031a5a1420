// All messages about failures of downloads and about their reasons to wait, from the catalogue.
import list from '../../../locales/en/messages.ftl?raw'
import { english } from '../i18n/i18n.svelte'
import { inEnglish } from '../i18n/engine-messages'
import { Failure, type UserMessage } from '../api/api'

/** Sample values for the variables of the sentences. */
const GAPS: NonNullable<UserMessage['args']> = {
  amount: { bytes: 3.4e9 },
  floor: { bytes: 5.12e8 },
  folder: '/home/robin/Downloads',
  path: '/home/robin/Downloads/notes.tar',
  percent: '20',
  status: '418',
  until: { day: 'monday', time: '08:00' },
  used: '4.0 GB of 4.0 GB',
  whose: '"feeds"',
  why: inEnglish('io.permission'),
}

/** Messages of operations, such as saving a list, that share their code with a failure of a download. */
export const OF_OPERATIONS = /^message-(?:disk|target|upload-source|bad-manifest|quota)\.(?!short|silent|needs|refused)/

/** Messages under one heading of the catalogue: the sentences of each code, in catalogue order. */
function under(heading: string): UserMessage[] {
  const lines = list.slice(list.indexOf(`\n${heading}\n`) + heading.length + 2).split('\n')
  const end = lines.findIndex((line) => line.startsWith('# '))
  const codes = lines.slice(0, end).flatMap((line) => /^message-([a-z-]+) =/.exec(line)?.[1] ?? [])
  const idsOf = (code: string): string[] => english.idsOf(`message-${code}`).filter((id) => !OF_OPERATIONS.test(id))
  return codes.flatMap((code) => idsOf(code).map((id) => inEnglish(id.slice('message-'.length), GAPS)))
}

/** Messages of failed transfers and of cancelled downloads. */
export const FAILURES: readonly UserMessage[] = under('# Transfers.')
/** Reasons to wait. */
export const WAITS: readonly UserMessage[] = [
  ...under('# Reasons to wait.'),
  // A folder without enough space is a reason to wait too, but the catalogue has its sentence under another heading.
  inEnglish('disk.short', GAPS),
  inEnglish('disk.below-floor', GAPS),
]

/** Failure with which the simulated engine refuses a call. */
export function refused(id: string, args: NonNullable<UserMessage['args']> = {}): Failure {
  return Failure.from(inEnglish(id, args))
}
