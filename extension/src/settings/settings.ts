// Settings of the extension and its records about sites, as stored in `storage.local`. [pure]
//
// - Stored values are read field by field: a value of the wrong type is replaced by its default.
import { DEFAULTS, recordOf, type BrowserRules, rulesOf } from '../host/shared-rules'

export interface Settings extends BrowserRules {
  /** Rules that were changed here and that Ashore does not know yet. */
  unsent: (keyof BrowserRules)[]
  /** Whether Ashore has already sent its rules. */
  is_shared: boolean
}

const RULES = Object.keys(DEFAULTS) as (keyof BrowserRules)[]

const isSame = (one: BrowserRules, other: BrowserRules, key: keyof BrowserRules): boolean =>
  JSON.stringify(one[key]) === JSON.stringify(other[key])

/** Reads the settings from their stored form. */
export function settingsOf(stored: unknown): Settings {
  const given = recordOf(stored)
  const rules = rulesOf(given)
  const isUnsent = (key: keyof BrowserRules): boolean =>
    // Until the first exchange of rules, a rule that differs from its default is a choice of the person.
    Array.isArray(given['unsent']) ? given['unsent'].includes(key) : !isSame(rules, DEFAULTS, key)
  const unsent = RULES.filter(isUnsent)
  return { ...rules, unsent, is_shared: given['is_shared'] === true }
}

/** Returns the settings after a person changed `before` to `after`. */
export function withChange(before: Settings, after: Settings): Settings {
  const changed = RULES.filter((key) => !isSame(before, after, key))
  return changed.length === 0 ? before : { ...after, unsent: [...new Set([...before.unsent, ...changed])] }
}

/** Rules to send to Ashore. */
export const changesOf = (settings: Settings): Partial<BrowserRules> =>
  Object.fromEntries(settings.unsent.map((key) => [key, settings[key]]))

/**
 * Rules that the extension applies, which Ashore compares with its own. Null if Ashore cannot know them. Before the first
 * exchange, these are the defaults, and the rules of Ashore may differ.
 */
export function sharedRules({ unsent, is_shared: _, ...rules }: Settings): BrowserRules | null {
  return unsent.length === 0 ? rules : null
}

/**
 * Returns the settings after Ashore received the changes in `sent` and answered with its rules. A rule that was changed
 * again in the meantime stays unsent. Returns `now` itself if nothing changes.
 */
export function withRules(now: Settings, sent: Settings, rules: BrowserRules): Settings {
  const unsent = now.unsent.filter((key) => !sent.unsent.includes(key) || !isSame(now, sent, key))
  const kept = Object.fromEntries(unsent.map((key) => [key, now[key]])) as Partial<BrowserRules>
  const after: Settings = { ...rules, ...kept, unsent, is_shared: true }
  return JSON.stringify(settingsOf(now)) === JSON.stringify(settingsOf(after)) ? now : after
}

/** Returns the host name from a web address; null for other addresses. */
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

/** Adds or removes a site. If a site is removed, the listed domains that contain it are removed too. */
export function withSite(settings: Settings, site: string, isLeft: boolean): Settings {
  const others = settings.sites.filter((listed) => !isWithin(site, listed))
  return { ...settings, sites: isLeft ? [...others, site].sort() : others }
}

/** Reads file name endings from a person's text, where they are separated by commas or spaces, with or without dots. */
export function endingsOf(text: string): string[] {
  const endings = text.split(/[\s,;]+/).map((one) => one.replace(/^[*.]+/, '').toLowerCase())
  return [...new Set(endings.filter((one) => one !== ''))]
}
