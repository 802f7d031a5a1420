// The `Cookie` header that the browser sends for an address. [pure]
import type { Cookie } from '../browser/api'

/**
 * Joins the cookies of an address: those without a partition, and those of the partition of `page`. Longer paths come
 * first (RFC 6265, section 5.4). Returns null without cookies, and leaves out values that would split the header.
 */
export function cookieLine(cookies: readonly Cookie[], page: string | null): string | null {
  const belongs = ({ partitionKey }: Cookie): boolean => {
    const site = partitionKey?.topLevelSite
    return site === undefined || site === '' || isOfSite(page, site)
  }
  const line = cookies
    .filter((cookie) => belongs(cookie) && !/[\r\n\0;]/.test(cookie.name + cookie.value))
    .toSorted((one, other) => other.path.length - one.path.length)
    .map(({ name, value }) => (name === '' ? value : `${name}=${value}`))
    .join('; ')
  return line === '' ? null : line
}

/** Whether a page belongs to the site of a cookie's partition, which has the form `https://example.com`. */
function isOfSite(page: string | null, topLevelSite: string): boolean {
  try {
    const [own, site] = [new URL(page ?? ''), new URL(topLevelSite)]
    return own.protocol === site.protocol && (own.hostname === site.hostname || own.hostname.endsWith(`.${site.hostname}`))
  } catch {
    return false
  }
}
