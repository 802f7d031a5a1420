// Parses links and checksums for display. The engine decides which links may be fetched. [pure]
import type { NewRequest, UnderstoodLine } from '../api/api'

/**
 * Returns the pasted text without the `added` requests. If only some links of a line were added, the line keeps
 * the other links.
 */
export function without(pasted: string, lines: readonly UnderstoodLine[], added: ReadonlySet<NewRequest>): string {
  const touched = lines.filter((line) => line.requests.some((request) => added.has(request)))
  const gone = new Set(touched.flatMap(({ number, lines }) => Array.from({ length: lines }, (_, more) => number + more)))
  const left = pasted.split('\n').filter((_, place) => !gone.has(place + 1))
  const rest = touched.flatMap((line) => line.requests.filter((request) => !added.has(request)).map((request) => request.url))
  return [...left, ...rest].join('\n')
}

/** Last path segment, percent-decoded, or the host if the path is empty. */
export function nameOf(url: string): string {
  const address = parse(url)
  if (address === null) return url
  const last = address.pathname.split('/').filter(Boolean).at(-1)
  if (last === undefined) return address.host
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

export function hostOf(url: string): string {
  return parse(url)?.host ?? ''
}

function parse(url: string): URL | null {
  try {
    return new URL(url)
  } catch {
    return null
  }
}

/**
 * Normalises a checksum for the engine; null for an invalid checksum. If no algorithm is named, the number of digits
 * determines the algorithm.
 */
export function readChecksum(text: string): string | null {
  const bare = text.trim()
  const named = /^(sha-?256|sha-?512|sha-?1|md5)\s*[=:]\s*([0-9a-f]+)$/i.exec(bare)
  const digits = (named?.[2] ?? bare).toLowerCase()
  if (!/^[0-9a-f]+$/.test(digits)) return null
  const algorithm = { 32: 'md5', 40: 'sha-1', 64: 'sha-256', 128: 'sha-512' }[digits.length]
  if (algorithm === undefined) return null
  const asked = named?.[1]?.toLowerCase().replace(/^sha-?/, 'sha-')
  return asked === undefined || asked === algorithm ? `${algorithm}=${digits}` : null
}
