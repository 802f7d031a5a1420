// Decides which actions are possible for links that are already in the list. [pure]
import type { ExistingLinks, KnownFile, NewRequest } from '../api/api'
import { phase, sends } from '../i18n/phase'

/** Key of a request; requests with the same key share one probe. */
export function keyOf({ url, headers }: NewRequest): string {
  return JSON.stringify([url, headers ?? []])
}

/**
 * Unfinished files that can continue with these links, keeping their bytes. If two links match one file, the first
 * link is used.
 */
export function unfinished(known: ExistingLinks, links: number): readonly KnownFile[] {
  const taken = new Set<string>()
  return known.files.filter((file) => {
    // The address of an upload cannot be changed.
    if (sends(file.registration)) return false
    const now = phase(file.registration)
    if (now === 'done') return false
    // A running file with exactly this link needs no new link. If several links are added, a queued file does not either.
    if (file.is_same && (now === 'running' || (now === 'waiting' && links > 1))) return false
    const key = `${file.registration.unique_id} ${file.index}`
    return !taken.has(key) && taken.add(key)
  })
}

/** Positions of the links that are in the list with exactly the same URL. */
export function twice(known: ExistingLinks): ReadonlySet<number> {
  return new Set(known.files.filter((file) => file.is_same).map((file) => file.link))
}

/** Parses `Name: value` lines into pairs, or returns the number of the first invalid line, counted from 1. */
export function readHeaders(text: string): [string, string][] | number {
  const headers: [string, string][] = []
  for (const [place, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).trim()
    if (colon < 1 || !/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) return place + 1
    headers.push([name, line.slice(colon + 1).trim()])
  }
  return headers
}
