// Messages about a damaged list and about partial files that are not in the list. [pure, except for the language]
import type { KeptFile, Orphan, Recovery } from '../api/api'
import { apart } from '../i18n/catalogue'
import { language, say, spoken } from '../i18n/i18n.svelte'
import { sentence } from '../i18n/engine-messages'
import { moment } from '../i18n/format'

/** Maximum number of names listed. */
const NAMED = 3

export const recoveryWords = spoken({
  seen: 'recovery-seen',
  adopt: 'recovery-adopt',
  later: 'recovery-later',
  keptFiles: 'recovery-kept-files',
})

/** Lines of text about the recovery; each line has one or two sentences. */
export function became(recovery: Recovery, now: number): string[] {
  if (recovery.is_ahead) return [say('recovery-ahead')]
  const { copy_of, found_again, kept_as } = recovery
  return [
    copy_of === null ? say('recovery-begun') : say('recovery-restored', { moment: moment(copy_of, now) }),
    ...(found_again.length > 0 ? [say('recovery-found-again', { names: some(found_again.map(({ title }) => title)) })] : []),
    ...(kept_as === null ? [] : [say('recovery-kept', { path: own(kept_as) })]),
  ]
}

export function stray(orphans: readonly Orphan[]): string {
  return say('recovery-orphans', { names: some(orphans.map(({ name }) => name)) })
}

/** Path and reason of each file that is not in the trash, one per line. */
export function keptLines(kept: readonly KeptFile[]): string[] {
  return [
    ...kept.slice(0, NAMED).map(({ path, why }) => `${own(path)} (${sentence(why)})`),
    ...(kept.length > NAMED ? ['…'] : []),
  ]
}

/** Names and paths keep their own text direction. */
const own = (name: string): string => (language().direction === 'rtl' ? apart(name) : name)

/** First names of the list, followed by an ellipsis if the list has more names. */
function some(names: readonly string[]): string {
  const shown = [...names.slice(0, NAMED).map(own), ...(names.length > NAMED ? ['…'] : [])]
  return new Intl.ListFormat(language().tag, { type: 'unit', style: 'short' }).format(shown)
}
