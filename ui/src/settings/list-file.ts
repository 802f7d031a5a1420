// Messages about the export and import of the list. [pure, except for the language]
import type { Exported, Imported } from '../api/api'
import { apart } from '../i18n/catalogue'
import { isFound } from '../lib/text-search'
import { language, say, spoken } from '../i18n/i18n.svelte'
import { synonymsOfList } from './synonyms'

export const savedWords = spoken({
  title: 'list',
  save: { name: 'list-save', about: 'list-save.about', choose: 'list-save.choose' },
  takeIn: { name: 'list-take-in', about: 'list-take-in.about', choose: 'list-take-in.choose' },
})

/** Sentences about an exported file. */
export function saved({ path, registrations, without_headers }: Exported): string[] {
  // A path keeps its own text direction.
  const place = language().direction === 'rtl' ? apart(path) : path
  return [
    say('list-saved', { path: place, count: registrations }),
    ...(without_headers > 0 ? [say('list-saved-without-headers', { count: without_headers })] : []),
  ]
}

/** Sentences about an import. */
export function takenIn({ registrations, known, elsewhere, without_headers }: Imported): string[] {
  return [
    registrations > 0 ? say('list-taken-in', { count: registrations }) : say('list-taken-in-nothing'),
    ...(known > 0 ? [say('list-taken-in-known', { count: known })] : []),
    ...(elsewhere > 0 ? [say('list-taken-in-elsewhere', { count: elsewhere })] : []),
    ...(without_headers > 0 ? [say('list-taken-in-without-headers', { count: without_headers })] : []),
  ]
}

/** Whether the rows for export and import match the search. */
export function isListFound(search: string): boolean {
  const { title, save, takeIn } = savedWords
  return isFound(search, [title, save.name, save.about, takeIn.name, takeIn.about, synonymsOfList()])
}
