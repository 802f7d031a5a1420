// State of the list and the Add dialog, saved when the window closes and restored by the next window. Invalid values
// are dropped. [pure]
import type { Category, NewRequest, UnderstoodLine } from '../../api/api'
import type { Options } from '../../add/input'
import { CATEGORIES, type Filter, FILTERS } from '../../i18n/phase'

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

/** Unfinished input of the Add dialog or of a job that adds links. */
export type LeftDraft = Pick<Options, 'folder' | 'each' | 'start' | 'device' | 'deviceName'> & { text: string }

const NO_OPTIONS: Omit<LeftDraft, 'text'> = { folder: '', each: 'set', start: 'now', device: null, deviceName: '' }

/** Merges the saved drafts, because the dialog shows only one draft. Keeps the options that all saved drafts share. */
export function readDraft(written: string | null): LeftDraft {
  let found: unknown
  try {
    found = JSON.parse(written ?? '[]')
  } catch {
    found = []
  }
  const [first, ...others] = (Array.isArray(found) ? found : [found]).map(validDraft).filter(({ text }) => text !== '')
  if (first === undefined) return { ...NO_OPTIONS, text: '' }
  const isShared = (option: keyof LeftDraft): boolean => others.every((other) => other[option] === first[option])
  return {
    text: [first, ...others].map(({ text }) => text).join('\n'),
    folder: isShared('folder') ? first.folder : NO_OPTIONS.folder,
    each: isShared('each') ? first.each : NO_OPTIONS.each,
    start: isShared('start') ? first.start : NO_OPTIONS.start,
    device: isShared('device') ? first.device : NO_OPTIONS.device,
    deviceName: isShared('device') ? first.deviceName : NO_OPTIONS.deviceName,
  }
}

function validDraft(found: unknown): LeftDraft {
  const { text, folder, each, start, device, deviceName } = { ...(found as { [name: string]: unknown } | null) }
  const string = (value: unknown): string => (typeof value === 'string' ? value : '')
  return {
    text: string(text),
    folder: string(folder),
    each: each === 'each' ? each : 'set',
    start: start === 'first' || start === 'later' ? start : 'now',
    device: typeof device === 'string' ? device : null,
    deviceName: string(deviceName),
  }
}

/**
 * Removes lines that must not be stored: lines with credentials, and lines that begin with `curl`. Replaces lines with
 * headers by their plain links.
 */
export function withoutSecrets(text: string, lines: readonly UnderstoodLine[]): string {
  const placesOf = (some: readonly UnderstoodLine[]): Set<number> =>
    new Set(some.flatMap(({ number, lines }) => Array.from({ length: lines }, (_, more) => number + more)))
  const gone = placesOf(lines.filter((line) => hasCredentials(line) || /^curl\b/.test(line.text)))
  const replaced = placesOf(lines.filter(({ requests }) => requests.some(({ headers }) => (headers ?? []).length > 0)))
  return text
    .split('\n')
    .flatMap((line, index) => {
      const place = index + 1
      if (gone.has(place)) return []
      if (!replaced.has(place)) return [line]
      return lines.filter(({ number }) => number === place).flatMap(({ requests }) => requests.map(({ url }) => url))
    })
    .join('\n')
}

/** Returns the links of `lines` that are not in `added`. Omits links that need credentials. */
export function openLinks(lines: readonly UnderstoodLine[], added: ReadonlySet<NewRequest>): string {
  const requests = lines.filter((line) => !hasCredentials(line)).flatMap((line) => line.requests)
  return requests
    .filter((request) => !added.has(request))
    .map(({ url }) => url)
    .join('\n')
}

function hasCredentials({ sign_in, trouble }: UnderstoodLine): boolean {
  return sign_in !== null || trouble?.code === 'credentials'
}
