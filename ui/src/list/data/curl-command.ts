// The cURL command that fetches a file, for a POSIX shell. Contains no sign-in, no cookie and no hidden header. [pure]
import type { FileRequest } from './file-sources'

/** Characters with which cURL would read several links out of one. */
const GLOB = /[[\]{}]/

/** Returns `text` as one word of a POSIX shell. A quoted word has no special characters but the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/**
 * Returns the command that fetches a file into the current folder under `name`. `page` is the page on which the link was found;
 * a `Referer` among the headers replaces it.
 *
 * The command continues an existing file of this name, and follows redirects.
 */
export function curlCommand({ record: { url, method }, headers }: FileRequest, name: string, page: string | null): string {
  // A name that begins with a hyphen would be an option, and a single hyphen the standard output.
  const output = name.startsWith('-') ? `./${name}` : name
  const hasReferrer = headers.some(([name]) => name.toLowerCase() === 'referer')
  const words = [
    'curl --location --continue-at -',
    ...(method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : [`--request ${quoted(method)}`]),
    ...(GLOB.test(url) ? ['--globoff'] : []),
    ...(page === null || hasReferrer ? [] : [`--referer ${quoted(withoutSignIn(page))}`]),
    ...headers.map(option),
    `--output ${quoted(output)}`,
    quoted(withoutSignIn(url)),
  ]
  return words.join(' ')
}

function option([name, value]: [string, string]): string {
  if (name.toLowerCase() === 'referer') return `--referer ${quoted(withoutSignIn(value))}`
  // With a semicolon, cURL sends an empty header. With a colon, it would send none.
  return `--header ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`
}

/** Returns a link without the user name and password that it may contain. */
function withoutSignIn(link: string): string {
  if (!URL.canParse(link)) return link
  const address = new URL(link)
  if (address.username === '' && address.password === '') return link
  address.username = address.password = ''
  return address.href
}
