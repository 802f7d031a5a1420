// What is handed to other programs, and what they hand over.

/** A longer list is for the command line, which reads it piece by piece. */
export const LARGEST_LIST = 8 << 20

/** The texts of lists that were dropped, or the links or words that were. Null stands for a file that is too large for a list. */
export function dropped(data: Pick<DataTransfer, 'files' | 'getData'>): Promise<(string | null)[]> {
  // Everything is taken out at once: what was dropped is gone when the event is over.
  const files = [...data.files]
  const text = data.getData('text/uri-list') || data.getData('text/plain')
  if (files.length === 0) return Promise.resolve([text])
  return Promise.all(files.map((file) => (file.size > LARGEST_LIST ? null : file.text())))
}

/** The address of a file: `file:///home/a/b%20c.pdf`, `file:///C:/a/b.pdf`, `file://server/share/b.pdf`. */
export function fileUrl(path: string): string {
  const isWindows = /^(?:[A-Za-z]:|\\\\)/.test(path)
  const parts = (isWindows ? path.replaceAll('\\', '/') : path).split('/')
  const encoded = parts.map((part, position) => (isWindows && position === 0 ? part : encodeURIComponent(part))).join('/')
  return encoded.startsWith('//') ? `file:${encoded}` : encoded.startsWith('/') ? `file://${encoded}` : `file:///${encoded}`
}

/** Stands for the files of a row that has many. It leads nowhere: the shell gives them to who takes it. */
const MANY = 'ashore:carried'

/**
 * Fills what is dragged: an address for file managers and mails, the path for what takes only words; of a row with many files
 * none. One address: WebKit glues several into one that leads nowhere, so the shell gives the others to who takes this one.
 */
export function carry(data: DataTransfer, path: string | null): void {
  // It is copied. Who takes it must not take it away.
  data.effectAllowed = 'copy'
  data.setData('text/uri-list', path === null ? MANY : fileUrl(path))
  if (path !== null) data.setData('text/plain', path)
}
