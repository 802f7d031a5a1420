// What pretend servers say of files that nobody has added yet.
import type { Known, KnownFile, NewRequest, Probed } from '../api'
import { FOLDER, kindOf, type Pretended } from './registrations'

const TROUBLES: { [path: string]: { code: string; text: string } } = {
  missing: { code: 'bad-status', text: 'The server no longer has this file. Look for a new link.' },
  private: {
    code: 'bad-status',
    text: 'The server asks for a sign-in, and Ashore has none that it takes. Sign in, or use a link that carries its own permission.',
  },
  page: {
    code: 'web-page',
    text: 'This looks like a web page, not the file. The site may want you to sign in: open the link in a browser, and use the link it gives for the file.',
  },
}

export function pretendToProbe({ url }: NewRequest): Probed {
  const address = new URL(url)
  const name = decodeURIComponent(address.pathname.split('/').filter(Boolean).at(-1) ?? address.host)
  const trouble = TROUBLES[name]
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

export function pretendToKnow(links: readonly string[], name: string | null, list: Iterable<Pretended>): Known {
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
