// What a person pasted, line by line: links, and what is wrong with the rest. [pure] A hint for the person while
// typing; what may be fetched is decided by the engine.

export type LineTrouble = 'not-a-link' | 'other-scheme' | 'credentials' | 'twice'

export interface PastedLine {
  /** From 1, as an editor counts. */
  number: number
  text: string
  /** The link as it will be asked for, where it is one. */
  url: string | null
  trouble: LineTrouble | null
  /** Such as `ftp`, for `other-scheme`. */
  scheme: string | null
}

/** Every line that says something; empty lines and `#` comments say nothing. */
export function understand(pasted: string): PastedLine[] {
  const seen = new Set<string>()
  const understood: PastedLine[] = []
  pasted.split(/\r\n|\r|\n/).forEach((raw, position) => {
    for (const text of pieces(raw)) {
      const read = readLink(text)
      const again = read.url !== null && seen.has(read.url)
      if (read.url !== null) seen.add(read.url)
      understood.push({ number: position + 1, text, ...read, ...(again ? { url: null, trouble: 'twice' as const } : {}) })
    }
  })
  return understood
}

export function linksOf(lines: PastedLine[]): string[] {
  return lines.flatMap((line) => (line.url === null ? [] : [line.url]))
}

/** The pasted text without the lines whose links are in `done`. */
export function without(pasted: string, done: ReadonlySet<string>): string {
  return pasted
    .split(/\r\n|\r|\n/)
    .filter((raw) => !pieces(raw).some((text) => done.has(readLink(text).url ?? '')))
    .join('\n')
}

/** The last part of the path, readable; the host where there is none. */
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

// Several links on one line are several links; anything else with spaces is one line as it stands.
function pieces(raw: string): string[] {
  const line = raw.trim()
  if (line === '' || line.startsWith('#')) return []
  const parts = line.split(/\s+/)
  return parts.length > 1 && parts.every((text) => /^[<"']?https?:\/\//i.test(text)) ? parts : [line]
}

function readLink(text: string): Pick<PastedLine, 'url' | 'trouble' | 'scheme'> {
  // Links are often copied with the brackets or quotes that stood around them.
  const bare = text.replace(/^[<"'](.*)[>"']$/, '$1')
  const refuse = (trouble: LineTrouble, scheme: string | null = null) => ({ url: null, trouble, scheme })
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(bare)?.[1]?.toLowerCase()
  if (scheme === undefined || /\s/.test(bare)) return refuse('not-a-link')
  if (scheme !== 'http' && scheme !== 'https') {
    // `localhost:8080/x` and `example.com:80` are addresses without a scheme, not addresses of another scheme.
    const looksLikeScheme = bare.startsWith(`${scheme}://`) || ['magnet', 'mailto', 'data', 'file', 'blob'].includes(scheme)
    return looksLikeScheme ? refuse('other-scheme', scheme) : refuse('not-a-link')
  }
  const address = parse(bare)
  if (address === null || address.hostname === '' || !/^https?:\/\//i.test(bare)) return refuse('not-a-link')
  if (address.username !== '' || address.password !== '') return refuse('credentials')
  return { url: bare, trouble: null, scheme: null }
}

function parse(url: string): URL | null {
  try {
    return new URL(url)
  } catch {
    return null
  }
}

/** A checksum as the engine takes it, or null when it is none. Bare digits of a known length get their algorithm. */
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
