// The `Cookie` header that the browser sends with a request. [pure]
import type { Cookie } from '../browser/api'

/** Circumstances of a request that determine which cookies it carries. */
export interface CookieContext {
  url: string
  /** Kind of the request, as `webRequest` names it; `main_frame` is a navigation of the whole tab. */
  type: string
  /**
   * Page that caused the request, or the origin of that page. Null if no page caused the request, or if the page is unknown.
   */
  initiator: string | null
  /** Address that the tab shows; null if unknown. */
  top: string | null
}

/**
 * Joins the cookies that the browser sends. `SameSite` must allow them, and they must have no partition or the partition of
 * the request. Longer paths come first (RFC 6265, section 5.4). Returns null if there are no such cookies. Leaves out values
 * that would split the header.
 */
export function cookieLine(cookies: readonly Cookie[], context: CookieContext): string | null {
  const isTop = context.type === 'main_frame'
  const page = isTop ? context.url : context.top
  const allowed = allowedSameSite(cookies, context)
  const belongs = ({ partitionKey }: Cookie): boolean => {
    const site = partitionKey?.topLevelSite
    if (site === undefined || site === '') return true
    // A top-level navigation has no ancestor frames.
    return isOfSite(page, site) && !(isTop && partitionKey?.hasCrossSiteAncestor === true)
  }
  const line = cookies
    .filter((cookie) => belongs(cookie) && allowed.has(cookie.sameSite ?? 'unspecified'))
    .filter(({ name, value }) => !/[\r\n\0;]/.test(name + value))
    .toSorted((one, other) => other.path.length - one.path.length)
    .map(({ name, value }) => (name === '' ? value : `${name}=${value}`))
    .join('; ')
  return line === '' ? null : line
}

const FROM_OTHER_SITES = ['no_restriction']
/** Chromium treats a cookie without `SameSite` as `Lax`. */
const WITH_NAVIGATION = [...FROM_OTHER_SITES, 'lax', 'unspecified']
const FROM_OWN_SITE = [...WITH_NAVIGATION, 'strict']

/** Returns the values of `SameSite` that the request's cookies may have (RFC 6265bis, section 5.2). */
function allowedSameSite(cookies: readonly Cookie[], { url, type, initiator, top }: CookieContext): ReadonlySet<string> {
  const isTop = type === 'main_frame'
  // Without an initiator, a top-level navigation comes from a typed address or a bookmark. For other requests, the
  // initiating page is unknown.
  const isCausedBySite = initiator === null ? isTop : isSameSite(initiator, url, cookies)
  const isEmbeddedInSite = isTop || top === null || isSameSite(top, url, cookies)
  if (isCausedBySite && isEmbeddedInSite) return new Set(FROM_OWN_SITE)
  return new Set(isTop ? WITH_NAVIGATION : FROM_OTHER_SITES)
}

/**
 * Whether two addresses certainly belong to one site. Extensions cannot read the list of public suffixes. But browsers
 * reject cookies for a public suffix. So a cookie whose domain contains both hosts proves that they share a site.
 */
function isSameSite(one: string, other: string, cookies: readonly Cookie[]): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return false
  const [a, b] = [new URL(one), new URL(other)]
  if (a.protocol !== b.protocol || a.hostname === '' || b.hostname === '') return false
  if (isWithinDomain(a.hostname, b.hostname) || isWithinDomain(b.hostname, a.hostname)) return true
  return cookies.some(({ domain }) => {
    if (domain?.startsWith('.') !== true) return false
    return [a, b].every(({ hostname }) => isWithinDomain(hostname, domain.slice(1)))
  })
}

const isWithinDomain = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)

/** Whether a page belongs to the site of a cookie's partition, which has the form `https://example.com`. */
function isOfSite(page: string | null, topLevelSite: string): boolean {
  if (page === null || !URL.canParse(page) || !URL.canParse(topLevelSite)) return false
  const [own, site] = [new URL(page), new URL(topLevelSite)]
  return own.protocol === site.protocol && isWithinDomain(own.hostname, site.hostname)
}
