// A finished file as it is handed to other programs. [pure]

/** The address of a file: `file:///home/a/b%20c.pdf`, `file:///C:/a/b.pdf`, `file://server/share/b.pdf`. */
export function fileUrl(path: string): string {
  const isWindows = /^(?:[A-Za-z]:|\\\\)/.test(path)
  const parts = (isWindows ? path.replaceAll('\\', '/') : path).split('/')
  const encoded = parts.map((part, position) => (isWindows && position === 0 ? part : encodeURIComponent(part))).join('/')
  return encoded.startsWith('//') ? `file:${encoded}` : encoded.startsWith('/') ? `file://${encoded}` : `file:///${encoded}`
}

/**
 * Fills what is dragged: an address for file managers and mails, the path for what takes only words. One file at a time:
 * WebKit glues several addresses into one that leads nowhere.
 */
export function carry(data: DataTransfer, path: string): void {
  // It is copied. Who takes it must not take it away.
  data.effectAllowed = 'copy'
  data.setData('text/uri-list', fileUrl(path))
  data.setData('text/plain', path)
}
