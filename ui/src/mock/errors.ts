// Every message that a download can fail or wait with, read from the catalogue.
import list from '../../../locales/en/messages.ftl?raw'
import { english } from '../i18n/i18n.svelte'
import { inEnglish } from '../i18n/engine-messages'
import { Failure, type UserMessage } from '../api/api'

/** Values for the gaps of the sentences that have any. */
const GAPS: NonNullable<UserMessage['args']> = {
  amount: { bytes: 3.4e9 },
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

/** Messages of one part of the catalogue, by its heading: the sentences of each code, in their order. */
function under(heading: string): UserMessage[] {
  const lines = list.slice(list.indexOf(`\n${heading}\n`) + heading.length + 2).split('\n')
  const end = lines.findIndex((line) => line.startsWith('# '))
  const codes = lines.slice(0, end).flatMap((line) => /^message-([a-z-]+) =/.exec(line)?.[1] ?? [])
  const idsOf = (code: string): string[] => english.idsOf(`message-${code}`).filter((id) => !OF_OPERATIONS.test(id))
  return codes.flatMap((code) => idsOf(code).map((id) => inEnglish(id.slice('message-'.length), GAPS)))
}

/** Failures of transfers, and the end of cancelled downloads. */
export const FAILURES: readonly UserMessage[] = under('# Transfers.')
/** Reasons to wait. */
export const WAITS: readonly UserMessage[] = [
  ...under('# What is waited for.'),
  // The gate of each folder; its sentence stands with those of disks.
  inEnglish('disk.short', GAPS),
]

/** Failure that the engine answers with. */
export function refused(id: string, args: NonNullable<UserMessage['args']> = {}): Failure {
  return Failure.from(inEnglish(id, args))
}
