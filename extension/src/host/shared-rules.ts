// Rules about hand-overs. Ashore stores them, and the messages of the host contain them in this form. [pure]

/** Rules, as stored in the settings of Ashore. */
export interface BrowserRules {
  /** With `menu`, downloads are handed over only by a menu entry. */
  mode: 'automatic' | 'menu'
  /** Minimum size in bytes. Downloads that are known to be smaller stay in the browser. */
  least_size: number
  /** Sites whose downloads stay with the browser; a site includes its subdomains. */
  sites: string[]
  /** File name endings, without the dot. Downloads with such an ending stay in the browser. */
  endings: string[]
  /** Whether a click with Alt leaves the download to the browser. */
  has_bypass_key: boolean
}

export const DEFAULTS: BrowserRules = {
  mode: 'automatic',
  least_size: 1_048_576,
  sites: [],
  endings: ['htm', 'html', 'xhtml', 'php', 'asp', 'aspx', 'jsp', 'js', 'mjs', 'css', 'xpi', 'crx'],
  has_bypass_key: true,
}

export const recordOf = (stored: unknown): Record<string, unknown> =>
  typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {}

const texts = (value: unknown, fallback: string[]): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : fallback

/** Reads the rules from their stored form, or from a message of the host. */
export function rulesOf(stored: unknown): BrowserRules {
  const given = recordOf(stored)
  const size = given['least_size']
  return {
    mode: given['mode'] === 'menu' ? 'menu' : DEFAULTS.mode,
    least_size: typeof size === 'number' && Number.isFinite(size) && size >= 0 ? size : DEFAULTS.least_size,
    sites: texts(given['sites'], DEFAULTS.sites),
    endings: texts(given['endings'], DEFAULTS.endings),
    has_bypass_key: given['has_bypass_key'] !== false,
  }
}
