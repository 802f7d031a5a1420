// Input of the Add dialog: its types, and pure functions on them. [pure]
import type { NewRequest, UnderstoodLine } from '../api/api'

/** Part of the form at which a failure is shown. */
export type Place = 'links' | 'folder' | 'checksum' | 'headers' | 'cookies' | 'form'

/** Action for links that are already in the list. */
export type Repeat = 'go-on' | 'skip' | 'again'

/** Fields of the form other than the links. */
export interface Options {
  title: string
  name: string
  checksum: string
  folder: string
  headers: string
  cookies: string
  user: string
  password: string
  isKept: boolean
  each: 'set' | 'each'
  start: 'now' | 'first' | 'later'
  device: string | null
  deviceName: string
}

/** Input of the dialog. A job in the background returns the input to the dialog if links are refused. */
export interface Input extends Options {
  text: string
  wanted: readonly UnderstoodLine[]
  /** Keys of the lines that the user has excluded. */
  excluded: ReadonlySet<string>
  /** Action that the user has chosen for links that are already in the list. */
  chosen: Repeat | null
}

/** Adds `headers` to the request; the headers that the line itself contains take precedence. */
export function along(request: NewRequest, headers: readonly [string, string][]): NewRequest {
  const own = new Set((request.headers ?? []).map(([name]) => name.toLowerCase()))
  return { ...request, headers: [...(request.headers ?? []), ...headers.filter(([name]) => !own.has(name.toLowerCase()))] }
}

export function placeOf(code: string): Place {
  switch (code) {
    case 'empty':
    case 'bad-url':
    case 'bad-scheme':
    case 'bad-port':
    case 'credentials':
      return 'links'
    case 'target':
    case 'quota-exceeded':
      return 'folder'
    default:
      return 'form'
  }
}
