import { describe, expect, it } from 'vitest'

import { readSyncLink, syncLinkAmong } from '../../src/sync/sync-link'

const SECRET = 'Zk4vR8sT1yB6nP3hL5dG0w'
const JOIN = `ashore://join/192.168.1.20:5000/17/q7Wm2Xc9#${SECRET}.mN7jQ2xV9cF4`

describe('readSyncLink', () => {
  it('recognises the link of another machine by its user', () => {
    expect(readSyncLink(JOIN)).toEqual({ link: JOIN, kind: 'join' })
  })

  it('recognises the link of a server by user 0', () => {
    const link = `ashore://join/sync.example.org:443/0/s3Tup#${SECRET}.tls`
    expect(readSyncLink(link)).toEqual({ link, kind: 'set-up' })
  })

  it('accepts IPv6 addresses, plain HTTP and surrounding white space', () => {
    const link = `ashore://join/[fe80::1]:5000/3/id#${SECRET}.-`
    expect(readSyncLink(`\n ${link} \n`)).toEqual({ link, kind: 'join' })
  })

  it.each([
    ['cut off before the secret', 'ashore://join/192.168.1.20:5000/17/q7Wm2Xc9'],
    ['cut off before the pin', `ashore://join/192.168.1.20:5000/17/q7Wm2Xc9#${SECRET}`],
    ['without a user', `ashore://join/192.168.1.20:5000/q7Wm2Xc9#${SECRET}.tls`],
    ['with more text', `${JOIN} and more`],
    ['a download', 'https://files.example.org/join/a.iso'],
    ['a web link', JOIN.replace('ashore://', 'https://ashore.example.org/')],
    ['in capitals', JOIN.replace('ashore://join', 'ASHORE://JOIN')],
    ['another path', JOIN.replace('/join/', '/add/')],
    ['empty', ''],
  ])('refuses a text that is %s', (_, text) => {
    expect(readSyncLink(text)).toBeNull()
  })
})

it('syncLinkAmong finds the first link for sync among other texts', () => {
  expect(syncLinkAmong(['https://files.example.org/a.iso', JOIN])?.link).toBe(JOIN)
  expect(syncLinkAmong(['https://files.example.org/a.iso'])).toBeNull()
  expect(syncLinkAmong([])).toBeNull()
})
