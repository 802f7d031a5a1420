// Recognises links for sync. [pure]
import { fromBase64Url } from '../lib/base64url'

export interface SyncLink {
  /** Link in the form that the engine reads. */
  link: string
  /** Purpose of the link: to join the list of another machine, or to set up a new list on a server. */
  kind: 'join' | 'set-up'
  /** Description of the list, if the link comes from a machine and contains a description. */
  list?: ListSummary
}

/** Description of a list; the same structure as in the engine. */
export interface ListSummary {
  downloads: number
  /** Number of past downloads. */
  past: number
  /** Name of the machine that created the link. */
  machine: string
}

/** Format of `crates/sync/src/keys/join_link.rs`: `ashore://join/HOST:PORT/UID/ID#SECRET.PIN`, and a description. */
const LINK = /^ashore:\/\/join\/[^/?#\s]+\/(\d{1,10})\/[\w-]+#[\w-]+\.[\w-]+(\..*)?$/
/** Description at the end of a link: `.DOWNLOADS.PAST.MACHINE`. */
const DESCRIPTION = /^\.(0|[1-9]\d*)\.(0|[1-9]\d*)\.([\w-]+)$/

/** User number in a link that creates a user on the server. */
const NEW_USER = 0
/** Maximum length of the name of a machine, in characters. */
const LONGEST_NAME = 64

/** Returns null if the text is not exactly one link for sync. */
export function readSyncLink(text: string): SyncLink | null {
  const [link, uid, description] = LINK.exec(text.trim()) ?? []
  if (link === undefined) return null
  const kind = Number(uid) === NEW_USER ? 'set-up' : 'join'
  if (description === undefined) return { link, kind }
  const list = readSummary(description)
  return list === null ? null : { link, kind, list }
}

function readSummary(description: string): ListSummary | null {
  const [, ...parts] = DESCRIPTION.exec(description) ?? []
  const [downloads, past] = [Number(parts[0]), Number(parts[1])]
  const machine = fromBase64Url(parts[2] ?? '') ?? ''
  const isName = machine.trim() !== '' && [...machine].length <= LONGEST_NAME && !/\p{Cc}/u.test(machine)
  return isName && Number.isSafeInteger(downloads) && Number.isSafeInteger(past) ? { downloads, past, machine } : null
}

/**
 * First link for sync among the lines of texts that came from outside, and the texts without this link; null if there is no
 * such link. Also removes other links for sync from the texts, because they are secrets and cannot be downloaded.
 */
export function syncLinkAmong(texts: readonly string[]): { found: SyncLink; others: string[] } | null {
  const lines = texts.map((text) => text.split(/\r?\n/))
  const [found] = lines.flat().flatMap((line) => readSyncLink(line) ?? [])
  if (found === undefined) return null
  const others = lines.map((text) => text.filter((line) => readSyncLink(line) === null).join('\n'))
  return { found, others: others.filter((text) => text.trim() !== '') }
}
