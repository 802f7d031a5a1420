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

describe('syncLinkAmong', () => {
  const FILE = 'https://files.example.org/a.iso'

  it('separates the first link for sync from the other texts', () => {
    expect(syncLinkAmong([FILE, JOIN])).toEqual({ found: { link: JOIN, kind: 'join' }, others: [FILE] })
    expect(syncLinkAmong([JOIN])?.others).toEqual([])
    expect(syncLinkAmong([FILE])).toBeNull()
    expect(syncLinkAmong([])).toBeNull()
  })

  it('finds the link in a line of a text, and keeps the other lines', () => {
    expect(syncLinkAmong([`${FILE}\r\n  ${JOIN}\n${FILE}?2`])).toMatchObject({
      found: { link: JOIN },
      others: [`${FILE}\n${FILE}?2`],
    })
  })

  it('hands no second link for sync to the downloads', () => {
    const second = JOIN.replace('/17/', '/18/')
    expect(syncLinkAmong([`${JOIN}\n${second}`, FILE])).toMatchObject({ found: { link: JOIN }, others: [FILE] })
  })
})
