// How list and Add dialog were left, written down when their window goes and read by the next one. What makes no sense is left
// out. [pure]
import type { Category, UnderstoodLine } from '../../api/api'
import { CATEGORIES, type Filter, FILTERS } from './phase'

export interface Left {
  filter: Filter
  category: Category | null
  search: string
  /** Sets that show their files. */
  opened: readonly string[]
  /** The selected row, which is brought into sight again. */
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

/** What somebody was about to add. */
export interface LeftDraft {
  text: string
  folder: string
  /** The dialog was in front of them. */
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

/** What may be written down of it: no line that signs in or brings headers along, nor one that would if it were whole. */
export function withoutSecrets(text: string, lines: readonly UnderstoodLine[]): string {
  const isSecret = ({ text, requests, sign_in, trouble }: UnderstoodLine): boolean =>
    sign_in !== null ||
    trouble?.code === 'credentials' ||
    /^curl\b/.test(text) ||
    requests.some(({ headers }) => headers !== undefined && headers.length > 0)
  const gone = new Set(
    lines.filter(isSecret).flatMap(({ number, lines }) => Array.from({ length: lines }, (_, more) => number + more)),
  )
  return text
    .split('\n')
    .filter((_, place) => !gone.has(place + 1))
    .join('\n')
}
