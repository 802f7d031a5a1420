// State of the list and the Add dialog, saved when the window closes and restored by the next window. Invalid values
// are dropped. [pure]
import type { Category, NewRequest, UnderstoodLine } from '../../api/api'
import { CATEGORIES, type Filter, FILTERS } from '../../lib/phase'

export interface Left {
  filter: Filter
  category: Category | null
  search: string
  /** Ids of the registrations whose files are expanded. */
  opened: readonly string[]
  /** Selected row, which is scrolled into view again. */
  selected: string | null
}

const NOTHING: Left = { filter: 'all', category: null, search: '', opened: [], selected: null }

export function readLeft(text: string | null): Left {
  let found: Record<string, unknown>
  try {
    found = { ...(JSON.parse(text ?? '{}') as object) }
  } catch {
    return NOTHING
  }
  const { filter, category, search, opened, selected } = found
  return {
    filter: FILTERS.find((known) => known === filter) ?? NOTHING.filter,
    category: CATEGORIES.find((known) => known === category) ?? null,
    search: typeof search === 'string' ? search : '',
    opened: Array.isArray(opened) ? opened.filter((id): id is string => typeof id === 'string') : [],
    selected: typeof selected === 'string' ? selected : null,
  }
}

/** Unfinished input of the Add dialog. */
export interface LeftDraft {
  text: string
  folder: string
  /** Whether the dialog was open. */
  isOpen: boolean
}

export function readDraft(written: string | null): LeftDraft {
  let found: Record<string, unknown>
  try {
    found = { ...(JSON.parse(written ?? '{}') as object) }
  } catch {
    found = {}
  }
  const { text, folder, isOpen } = found
  return { text: typeof text === 'string' ? text : '', folder: typeof folder === 'string' ? folder : '', isOpen: isOpen === true }
}

/** Removes lines that must not be stored: lines with credentials or headers, and lines that begin with `curl`. */
export function withoutSecrets(text: string, lines: readonly UnderstoodLine[]): string {
  const gone = new Set(
    lines.filter(isSecret).flatMap(({ number, lines }) => Array.from({ length: lines }, (_, more) => number + more)),
  )
  return text
    .split('\n')
    .filter((_, place) => !gone.has(place + 1))
    .join('\n')
}

/** Returns the links of `lines` that are not in `added`, without those that must not be stored. */
export function openLinks(lines: readonly UnderstoodLine[], added: ReadonlySet<NewRequest>): string {
  const requests = lines.filter((line) => !isSecret(line)).flatMap((line) => line.requests)
  return requests
    .filter((request) => !added.has(request))
    .map(({ url }) => url)
    .join('\n')
}

function isSecret({ text, requests, sign_in, trouble }: UnderstoodLine): boolean {
  return (
    sign_in !== null ||
    trouble?.code === 'credentials' ||
    /^curl\b/.test(text) ||
    requests.some(({ headers }) => headers !== undefined && headers.length > 0)
  )
}
