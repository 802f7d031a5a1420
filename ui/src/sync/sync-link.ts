// Recognises links for sync. [pure]

export interface SyncLink {
  /** Link in the form that the engine reads. */
  link: string
  /** Whether the link joins the list of another machine, or sets up a new list on a server. */
  kind: 'join' | 'set-up'
}

/** `ashore://join/HOST:PORT/UID/ID#SECRET.PIN`, the format of `crates/sync/src/keys/join_link.rs`. */
const LINK = /^ashore:\/\/join\/[^/?#\s]+\/(\d{1,10})\/[\w-]+#[\w-]+\.[\w-]+$/

/** User of a link that creates a user on the server. */
const NEW_USER = 0

/** Returns null if the text is not exactly one link for sync. */
export function readSyncLink(text: string): SyncLink | null {
  const [link, uid] = LINK.exec(text.trim()) ?? []
  return link === undefined ? null : { link, kind: Number(uid) === NEW_USER ? 'set-up' : 'join' }
}

/**
 * First link for sync among the lines of texts that came from outside, and the texts without it; null if there is none.
 * Other links for sync are left out as well, because they are secrets and cannot be downloaded.
 */
export function syncLinkAmong(texts: readonly string[]): { found: SyncLink; others: string[] } | null {
  const lines = texts.map((text) => text.split(/\r?\n/))
  const [found] = lines.flat().flatMap((line) => readSyncLink(line) ?? [])
  if (found === undefined) return null
  const others = lines.map((text) => text.filter((line) => readSyncLink(line) === null).join('\n'))
  return { found, others: others.filter((text) => text.trim() !== '') }
}
