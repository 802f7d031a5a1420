// What can be done with links that are in the list already. [pure]
import type { Known, KnownFile, NewRequest } from '../api/api'
import { phase, sends } from './phase'

/** What makes two requests the same question to a server. */
export function keyOf({ url, headers }: NewRequest): string {
  return JSON.stringify([url, headers ?? []])
}

/** The unfinished download that the only link belongs to, where there is one: it can go on with this link. */
export function unfinished(known: Known, links: number): KnownFile | null {
  const [only] = known.files
  if (links !== 1 || only === undefined) return null
  // An upload keeps its address.
  if (sends(only.registration)) return null
  const now = phase(only.registration)
  return now === 'failed' || now === 'paused' || now === 'waiting' || now === 'cancelled' ? only : null
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
