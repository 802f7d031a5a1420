// Drag and drop of data between the window and other programs.

/** Maximum size of a dropped list file, in bytes; the command line streams larger files. */
export const LARGEST_LIST = 8 << 20

/**
 * Texts of the dropped list files, or the dropped links or text if no file was dropped. Null stands for a file that is
 * too large.
 */
export function dropped(data: Pick<DataTransfer, 'files' | 'getData'>): Promise<(string | null)[]> {
  // Read all data synchronously, because it is not available after the event.
  const files = [...data.files]
  const text = data.getData('text/uri-list') || data.getData('text/plain')
  if (files.length === 0) return Promise.resolve([text])
  return Promise.all(files.map((file) => (file.size > LARGEST_LIST ? null : file.text())))
}

/** File URL of a path: `file:///home/a/b%20c.pdf`, `file:///C:/a/b.pdf`, `file://server/share/b.pdf`. */
export function fileUrl(path: string): string {
  const isWindows = /^(?:[A-Za-z]:|\\\\)/.test(path)
  const parts = (isWindows ? path.replaceAll('\\', '/') : path).split('/')
  const encoded = parts.map((part, position) => (isWindows && position === 0 ? part : encodeURIComponent(part))).join('/')
  return encoded.startsWith('//') ? `file:${encoded}` : encoded.startsWith('/') ? `file://${encoded}` : `file:///${encoded}`
}

/** Placeholder address for a row with many files. The shell supplies the files to the drop target. */
const MANY = 'ashore:carried'

/**
 * Fills the drag data: a URL for file managers and mail programs, and the path for text targets. For many files
 * there is only a placeholder: WebKit joins several URLs into one invalid URL, so the shell supplies the files to
 * the drop target.
 */
export function carry(data: DataTransfer, path: string | null): void {
  // Copy only: a move would delete the download.
  data.effectAllowed = 'copy'
  data.setData('text/uri-list', path === null ? MANY : fileUrl(path))
  if (path !== null) data.setData('text/plain', path)
}
