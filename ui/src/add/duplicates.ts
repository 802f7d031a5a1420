// What can be done with links that are in the list already. [pure]
import type { Known, KnownFile, NewRequest } from '../api/api'
import { phase, sends } from '../list/data/phase'

/** What makes two requests the same question to a server. */
export function keyOf({ url, headers }: NewRequest): string {
  return JSON.stringify([url, headers ?? []])
}

/** The unfinished files that these links belong to: they can go on with them, and keep what has come. Of two links to one file, the first. */
export function unfinished(known: Known, links: number): readonly KnownFile[] {
  const taken = new Set<string>()
  return known.files.filter((file) => {
    // An upload keeps its address.
    if (sends(file.registration)) return false
    const now = phase(file.registration)
    // Among several, one that waits for its turn with this very link needs no other.
    if (now === 'waiting' && file.is_same && links > 1) return false
    if (now !== 'failed' && now !== 'paused' && now !== 'waiting' && now !== 'cancelled') return false
    const key = `${file.registration.unique_id} ${file.index}`
    return !taken.has(key) && taken.add(key)
  })
}

/** Positions of the links that are in the list just so. */
export function twice(known: Known): ReadonlySet<number> {
  return new Set(known.files.filter((file) => file.is_same).map((file) => file.link))
}

/** `Name: value` lines as pairs, or the number of the first line that is none, from 1. */
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
