// Converts text to base64url and back: UTF-8 without padding, as links use it. [pure]

export function toBase64Url(text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte))
  return btoa(bytes.join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** Returns null for text that cannot be a result of `toBase64Url`. */
export function fromBase64Url(encoded: string): string | null {
  try {
    const bytes = Uint8Array.from(atob(encoded.replaceAll('-', '+').replaceAll('_', '/')), (byte) => byte.charCodeAt(0))
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return toBase64Url(text) === encoded ? text : null
  } catch {
    return null
  }
}
