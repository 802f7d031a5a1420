// Settings of the extension and what it remembers about sites, as stored in `storage.local`. [pure]
//
// - Stored values are read field by field: a value of the wrong type is replaced by its default.

export interface Settings {
  /** `menu`: downloads are handed over only by a menu entry. */
  mode: 'automatic' | 'menu'
  /** Bytes; downloads of a known smaller size stay with the browser. */
  least_size: number
  /** Sites whose downloads stay with the browser; a site includes its subdomains. */
  sites: string[]
  /** File name endings that stay with the browser, without the dot. */
  endings: string[]
  /** Whether a click with Alt leaves the download to the browser. */
  has_bypass_key: boolean
}

export const DEFAULTS: Settings = {
  mode: 'automatic',
  least_size: 1_048_576,
  sites: [],
  endings: ['htm', 'html', 'xhtml', 'php', 'asp', 'aspx', 'jsp', 'js', 'mjs', 'css', 'xpi', 'crx'],
  has_bypass_key: true,
}

const texts = (value: unknown, fallback: string[]): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : fallback

/** Settings from their stored form. */
export function settingsOf(stored: unknown): Settings {
  const given = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>
  const size = given['least_size']
  return {
    mode: given['mode'] === 'menu' ? 'menu' : DEFAULTS.mode,
    least_size: typeof size === 'number' && Number.isFinite(size) && size >= 0 ? size : DEFAULTS.least_size,
    sites: texts(given['sites'], DEFAULTS.sites),
    endings: texts(given['endings'], DEFAULTS.endings),
    has_bypass_key: given['has_bypass_key'] !== false,
  }
}

/** Host name of a web address; null for other addresses. */
export function hostNameOf(address: string | null | undefined): string | null {
  try {
    const { protocol, hostname } = new URL(address ?? '')
    return protocol === 'http:' || protocol === 'https:' ? hostname : null
  } catch {
    return null
  }
}

/** Whether `site` is `listed` or a subdomain of it. */
export const isWithin = (site: string, listed: string): boolean => site === listed || site.endsWith(`.${listed}`)

/** Adds or removes a site. Removal also removes the listed domains that contain the site. */
export function withSite(settings: Settings, site: string, isLeft: boolean): Settings {
  const others = settings.sites.filter((listed) => !isWithin(site, listed))
  return { ...settings, sites: isLeft ? [...others, site].sort() : others }
}

/** Endings from a person's text: separated by commas or spaces, with or without dots. */
export function endingsOf(text: string): string[] {
  const endings = text.split(/[\s,;]+/).map((one) => one.replace(/^[*.]+/, '').toLowerCase())
  return [...new Set(endings.filter((one) => one !== ''))]
}
