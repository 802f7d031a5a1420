// Functions that run inside a page after a user action. Each function must be self-contained, because the browser
// copies its source into the page.
import type { Link } from '../host/protocol'

/**
 * Returns the links and pictures of a frame, or only those that the selection touches. Returns at most the first `most`, and
 * at most as many as fit into `mostBytes` of a message. `is_whole` is false if others were left out.
 */
export function collectLinks(isSelection: boolean, most: number, mostBytes: number): { links: Link[]; is_whole: boolean } {
  const selection = getSelection()
  const found = new Map<string, string>()
  for (const node of document.querySelectorAll('a[href], area[href], img[src], source[src]')) {
    if (found.size > most) break
    if (isSelection && selection?.containsNode(node, true) !== true) continue
    const whole = 'href' in node ? String(node.href) : 'src' in node ? String(node.src) : ''
    // Remove the fragment, which only names a place in the same file.
    const url = whole.replace(/#.*$/, '')
    const text = (node.textContent || node.getAttribute('alt') || node.getAttribute('title') || '').trim().replace(/\s+/g, ' ')
    // Keep the first non-empty text of each address.
    if (/^https?:/.test(url) && !found.get(url)) found.set(url, text.slice(0, 200))
  }
  const links: Link[] = []
  const encoder = new TextEncoder()
  let bytes = 0
  for (const [url, text] of found) {
    // Chromium serialises `<` as six characters.
    bytes += encoder.encode(JSON.stringify({ url, text }).replaceAll('<', '\\u003C')).length + 1
    if (links.length === most || bytes > mostBytes) break
    links.push({ url, text })
  }
  return { links, is_whole: links.length === found.size }
}

/** Returns the media files that a frame names. */
export function collectMedia(): { url: string; type: string | null }[] {
  const found = new Map<string, string | null>()
  const add = (url: string | null | undefined, type: string | null): void => {
    try {
      const whole = new URL(url ?? '', document.baseURI).href
      if (url && /^https?:/.test(whole) && !found.has(whole)) found.set(whole, type)
    } catch {
      // Ignore an address that is not valid.
    }
  }
  for (const node of document.querySelectorAll<HTMLMediaElement>('video, audio')) {
    add(node.currentSrc || node.getAttribute('src'), node.localName)
    for (const source of node.querySelectorAll('source')) add(source.getAttribute('src'), source.type || node.localName)
  }
  for (const node of document.querySelectorAll('meta')) {
    const name = node.getAttribute('property') ?? ''
    if (/^og:(video|audio)(:(secure_)?url)?$/.test(name)) add(node.content, name.slice(3, 8))
  }
  for (const node of document.querySelectorAll<HTMLLinkElement>('link[rel~=preload]')) {
    if (node.as === 'video' || node.as === 'audio') add(node.getAttribute('href'), node.type || node.as)
  }
  return [...found].map(([url, type]) => ({ url, type }))
}
