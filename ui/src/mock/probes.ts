// Simulated server answers for links that are not in the list yet.
import { inEnglish } from '../i18n/engine-messages'
import type { ExistingLinks, KnownFile, NewRequest, Probed, UserMessage } from '../api/api'
import { FOLDER, kindOf, type Pretended } from './registrations'

const FAILURES: { [path: string]: UserMessage } = {
  missing: inEnglish('bad-status.gone'),
  private: inEnglish('bad-status.sign-in'),
  page: inEnglish('web-page'),
}

export function pretendToProbe({ url }: NewRequest): Probed {
  const address = new URL(url)
  const name = decodeURIComponent(address.pathname.split('/').filter(Boolean).at(-1) ?? address.host)
  const trouble = FAILURES[name]
  if (trouble !== undefined)
    return {
      probe: null,
      waits_seconds: 0,
      status: name === 'private' ? 401 : name === 'missing' ? 404 : 200,
      name: null,
      size: null,
      may_resume: null,
      trouble,
    }
  const size = [...url].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 4_000_000_000, 7)
  return {
    probe: crypto.randomUUID(),
    waits_seconds: 120,
    status: 200,
    name,
    size: name.startsWith('live') ? null : size,
    may_resume: !name.startsWith('live'),
    trouble: null,
  }
}

export function pretendToKnow(links: readonly string[], name: string | null, list: Iterable<Pretended>): ExistingLinks {
  const bare = (url: string): string => url.split(/[?#]/)[0]!
  const files: KnownFile[] = []
  for (const { registration, urls } of list) {
    for (const [link, url] of links.entries()) {
      const index = urls.findIndex((other) => bare(other) === bare(url))
      if (index >= 0 && !files.some((file) => file.link === link))
        files.push({ link, index, is_same: urls[index] === url, registration })
    }
  }
  const category = kindOf(name ?? bare(links[0] ?? ''))
  const folder = category === 'other' ? FOLDER : `${FOLDER}/${category}`
  return { files, category, folder, is_name_taken: name?.startsWith('taken') ?? false }
}
