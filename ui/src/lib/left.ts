// How the list was left, written down when its window goes and read by the next one. What makes no sense is left out. [pure]
import type { Category } from '../api/api'
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
