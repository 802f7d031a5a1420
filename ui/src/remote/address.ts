// Properties of the address under which a browser opened the page. [pure]

/** Pairing code in the fragment `#pair=CODE`; null if there is none. */
export function pairingCode(hash: string): string | null {
  const code = new URLSearchParams(hash.replace(/^#/, '')).get('pair')?.trim() ?? ''
  return code === '' ? null : code
}

/** Whether others on the network can read the traffic of the page. */
export function isReadable({ protocol, hostname }: Pick<Location, 'protocol' | 'hostname'>): boolean {
  const isLoopback = hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\.|^\[::1\]$/.test(hostname)
  return protocol === 'http:' && !isLoopback
}
