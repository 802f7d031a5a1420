// Permissions that the welcome page requests and the settings page can remove.
import { type BrowserApi, isFirefox, type PermissionSet } from '../browser/api'

const ACCESS: PermissionSet = { permissions: ['cookies'], origins: ['<all_urls>'] }

/** Returns the required permissions. In Firefox, they include the consent to pass cookies on. */
const withConsent = (browser: BrowserApi): PermissionSet =>
  isFirefox(browser) ? { ...ACCESS, data_collection: ['authenticationInfo'] } : ACCESS

export const askForAccess = (browser: BrowserApi): Promise<boolean> => browser.permissions.request(withConsent(browser))

export const removeAccess = (browser: BrowserApi): Promise<boolean> => browser.permissions.remove(withConsent(browser))

export const hasAccess = (browser: BrowserApi): Promise<boolean> => browser.permissions.contains(ACCESS)
