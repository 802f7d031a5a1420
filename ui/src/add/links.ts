// Parses links and checksums for display. The engine decides which links may be fetched. [pure]
import type { NewRequest, UnderstoodLine } from '../api/api'

/** Number of lines without a link at which a text with links counts as prose. */
const PROSE = 4

/**
 * Lines in the order in which they are shown. A few lines that cannot be used come first, so that a hundred links do not
 * hide them. In prose, the lines without a link come last, so that they do not hide the links.
 */
export function inOrder(lines: readonly UnderstoodLine[]): readonly UnderstoodLine[] {
  const [links, unused] = [lines.filter(({ trouble }) => trouble === null), lines.filter(({ trouble }) => trouble !== null)]
  if (!isProse(lines)) return [...unused, ...links]
  return [...unused.filter((line) => !hasNoLink(line)), ...links, ...unused.filter(hasNoLink)]
}

/** Whether the text has links among many lines without a link. */
export function isProse(lines: readonly UnderstoodLine[]): boolean {
  return lines.some(({ trouble }) => trouble === null) && lines.filter(hasNoLink).length >= PROSE
}

function hasNoLink({ trouble }: UnderstoodLine): boolean {
  return trouble?.code === 'not-a-link'
}

/**
 * Returns the text without the `added` requests. If only some links of a line were added, the text keeps the other links
 * of this line. `lines` are the parsed lines of `pasted`. `now` is the text if it was edited after `pasted` was parsed.
 */
export function without(
  pasted: string,
  lines: readonly UnderstoodLine[],
  added: ReadonlySet<NewRequest>,
  now: string = pasted,
): string {
  const places = ({ number, lines }: UnderstoodLine): number[] => Array.from({ length: lines }, (_, more) => number + more)
  const gone = new Set(lines.filter((line) => line.requests.some((request) => added.has(request))).flatMap(places))
  // The user may have moved the lines of an edited text, so their numbers no longer apply.
  const texts = new Set(pasted.split('\n').filter((_, place) => gone.has(place + 1)))
  const left = now.split('\n').filter((line, place) => (now === pasted ? !gone.has(place + 1) : !texts.has(line)))
  // Several entries share a line if the line has several links.
  const touched = lines.filter((line) => places(line).some((place) => gone.has(place)))
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
