// The cURL command that fetches a file, for a POSIX shell. Contains no sign-in and no cookie. [pure]
import type { FileRecord } from '../../api/api'

/** Characters with which cURL would read several links out of one. */
const GLOB = /[[\]{}]/

/** Returns `text` as one word of a POSIX shell. A quoted word has no special characters but the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/**
 * Returns the command that fetches a file into the current folder under `name`. `page` is the page on which the link was found.
 *
 * The command continues an existing file of this name, and follows redirects.
 */
export function curlCommand({ url }: Pick<FileRecord, 'url'>, name: string, page: string | null): string {
  // A name that begins with a hyphen would be an option, and a single hyphen the standard output.
  const output = name.startsWith('-') ? `./${name}` : name
  const words = [
    'curl --location --continue-at -',
    ...(GLOB.test(url) ? ['--globoff'] : []),
    ...(page === null ? [] : [`--referer ${quoted(withoutSignIn(page))}`]),
    `--output ${quoted(output)}`,
    quoted(withoutSignIn(url)),
  ]
  return words.join(' ')
}

/** Returns a link without the user name and password that it may contain. */
function withoutSignIn(link: string): string {
  if (!URL.canParse(link)) return link
  const address = new URL(link)
  if (address.username === '' && address.password === '') return link
  address.username = address.password = ''
  return address.href
}
