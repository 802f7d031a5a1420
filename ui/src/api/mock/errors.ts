// Every sentence that a download may be said to have failed or to wait with, off the one list of them all: the catalogue.
import list from '../../../../locales/en/troubles.ftl?raw'
import { english } from '../../i18n/i18n.svelte'
import type { Trouble } from '../api'

/** What stands in the gaps of those that have any. */
const GAPS: { readonly [name: string]: string } = {
  amount: '3.4 GB',
  folder: '/home/robin/Downloads',
  path: '/home/robin/Downloads/notes.tar',
  percent: '20',
  status: '418',
  until: 'Monday 08:00',
  used: '4.0 GB of 4.0 GB',
  whose: '"feeds"',
  why: 'Permission denied',
}

const SHORT = 'trouble-disk.short'

/** Of one part of the catalogue, by its headline: what each code may say, in its order. */
function under(headline: string): Trouble[] {
  const lines = list.slice(list.indexOf(`\n${headline}\n`) + headline.length + 2).split('\n')
  const end = lines.findIndex((line) => line.startsWith('# '))
  const codes = lines.slice(0, end).flatMap((line) => /^trouble-([a-z-]+) =/.exec(line)?.[1] ?? [])
  return codes.flatMap((code) => english.idsOf(`trouble-${code}`).map((id) => ({ code, text: english.say(id, GAPS) })))
}

/** What befalls transfers, and what became of all that somebody cancelled. */
export const FAILURES: readonly Trouble[] = under('# Transfers.')
/** What is waited for. */
export const WAITS: readonly Trouble[] = [
  ...under('# What is waited for.'),
  // A gate of each folder, and a failure of a disk: the sentence stands with the others of disks.
  { code: 'disk', text: english.say(SHORT, GAPS) },
]
