import { describe, expect, it } from 'vitest'

import type { BrowserApi, PermissionSet } from '../../src/browser/api'
import { askForAccess, removeAccess } from '../../src/pages/access'

function simulated(origin: string) {
  const calls: [string, PermissionSet][] = []
  const record = (name: string) => async (set: PermissionSet) => (calls.push([name, set]), true)
  const browser = {
    runtime: { getURL: () => origin },
    permissions: { request: record('request'), remove: record('remove') },
  } as unknown as BrowserApi
  return { browser, calls }
}

describe('access', () => {
  it.each([
    ['chrome-extension://id/', { permissions: ['cookies'], origins: ['<all_urls>'] }],
    ['moz-extension://id/', { permissions: ['cookies'], origins: ['<all_urls>'], data_collection: ['authenticationInfo'] }],
  ])('every_granted_permission_is_revoked_when_the_user_removes_access_in_%s', async (origin, set) => {
    const { browser, calls } = simulated(origin)
    await askForAccess(browser)
    await removeAccess(browser)
    expect(calls).toEqual([
      ['request', set],
      ['remove', set],
    ])
  })
})
