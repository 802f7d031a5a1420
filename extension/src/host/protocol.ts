// Messages between the extension and the native host, version 1. The host program defines them.
import { type BrowserRules, rulesOf } from './shared-rules'

export const HOST = 'com.ashore.browser'
export const VERSION = 1
/** Maximum number of links that the host accepts in one offer. */
export const MOST_LINKS = 20_000
/** Maximum size of the links in one offer, in bytes. The host accepts messages of up to 4 MiB. */
export const MOST_LINK_BYTES = 3 * 1024 * 1024

export interface OfferedDownload {
  url: string
  /** Address before the first redirect. */
  first_url: string | null
  name: string | null
  content_type: string | null
  /** Size in bytes; null if unknown. */
  size: number | null
  etag: string | null
  last_modified: string | null
  content_encoding: string | null
  referrer: string | null
  user_agent: string | null
  /** Value of a `Cookie` header. */
  cookies: string | null
  title: string | null
  /** Address of the page with the link. Ashore opens it again when the link has expired. */
  page: string | null
  /** Whether a person chose a menu entry for exactly this download. */
  was_clicked: boolean
}

export interface Link {
  url: string
  text: string
}

export type Request =
  | { type: 'greet'; version: number; extension: string }
  | { type: 'ask'; version: number; ask: string; download: OfferedDownload; rules: BrowserRules | null }
  | { type: 'rules'; version: number; change: Partial<BrowserRules> }
  | { type: 'let_go'; version: number; ask: string }
  | { type: 'offer'; version: number; links: Link[] }
  | { type: 'follow'; version: number }

export interface Greeting {
  type: 'greeting'
  program: string
  is_running: boolean
}

/** Refusal of a request. The text states the reason for the popup; decisions use only `code`. */
export interface Refusal {
  code: string
  text: string
  /** Code of the engine's reason, with its variant, such as `bad-status.gone`. */
  reason?: string
}

/** Refusal if the host does not exist. Ashore then cannot have taken anything. */
export const MISSING: Refusal = { code: 'host-missing', text: '' }
/** Refusal of a host that ended without an answer. */
export const FAILED: Refusal = { code: 'host-failed', text: '' }
/** Refusal of a host that did not answer in time. */
export const SILENT: Refusal = { code: 'host-silent', text: '' }

export interface FollowedDownload {
  unique_id: string
  title: string
  state: string
  downloaded: number
  /** Expected total size in bytes; null if unknown. */
  expected_total: number | null
  speed: number
  trouble: string | null
}

export interface Downloads {
  type: 'downloads'
  is_running: boolean
  downloads: FollowedDownload[]
}

/** Answer to a request, reduced to the cases that the extension distinguishes. */
export type Answer = { type: 'taken' } | { type: 'rules'; rules: BrowserRules } | { type: 'declined'; refusal: Refusal }

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Rules in an answer; null for any other answer. */
export function rulesIn(message: unknown): BrowserRules | null {
  return isRecord(message) && message['type'] === 'rules' ? rulesOf(message['rules']) : null
}

/** Reads the answer to the request with the id `ask`. Any other message is treated as a refusal. */
export function answerOf(message: unknown, ask: string): Answer {
  if (isRecord(message) && message['ask'] === ask && (message['type'] === 'taken' || message['type'] === 'already')) {
    return { type: 'taken' }
  }
  const rules = isRecord(message) && message['ask'] === ask ? rulesIn(message) : null
  if (rules !== null) return { type: 'rules', rules }
  return { type: 'declined', refusal: refusalOf(message) }
}

/** Reads the reason of a refusal. An answer without a reason has the code `no-answer` and no text. */
export function refusalOf(message: unknown): Refusal {
  const isRefusal = isRecord(message) && (message['type'] === 'declined' || message['type'] === 'failed')
  const code = isRefusal && typeof message['code'] === 'string' ? message['code'] : 'no-answer'
  const text = isRefusal && typeof message['text'] === 'string' ? message['text'] : ''
  const reason = isRefusal ? reasonOf(message['args']) : null
  return { code, text, ...(reason !== null && { reason }) }
}

/** Returns the code of the message in the argument `why`. */
function reasonOf(args: unknown): string | null {
  const why = isRecord(args) ? args['why'] : null
  if (!isRecord(why) || typeof why['code'] !== 'string') return null
  return typeof why['variant'] === 'string' ? `${why['code']}.${why['variant']}` : why['code']
}

export function greetingOf(message: unknown): Greeting | null {
  if (!isRecord(message) || message['type'] !== 'greeting') return null
  return { type: 'greeting', program: String(message['program'] ?? ''), is_running: message['is_running'] === true }
}

const numberOr = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null)

export function downloadsOf(message: unknown): Downloads | null {
  if (!isRecord(message) || message['type'] !== 'downloads' || !Array.isArray(message['downloads'])) return null
  const downloads = message['downloads'].filter(isRecord).map((one) => ({
    unique_id: String(one['unique_id'] ?? ''),
    title: String(one['title'] ?? ''),
    state: String(one['state'] ?? ''),
    downloaded: numberOr(one['downloaded']) ?? 0,
    expected_total: numberOr(one['expected_total']) || null,
    speed: numberOr(one['speed']) ?? 0,
    trouble: typeof one['trouble'] === 'string' ? one['trouble'] : null,
  }))
  return { type: 'downloads', is_running: message['is_running'] === true, downloads }
}
