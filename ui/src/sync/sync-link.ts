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

/** Link for sync among texts that came from outside; null if there is none. */
export function syncLinkAmong(texts: readonly string[]): SyncLink | null {
  for (const text of texts) {
    const found = readSyncLink(text)
    if (found !== null) return found
  }
  return null
}
