import { describe, expect, it } from 'vitest'

import { toBase64Url } from '../../src/lib/base64url'
import { PretendedSync } from '../../src/mock/sync'
import { syncWords } from '../../src/sync/sync-labels'
import { readSyncLink, syncLinkAmong } from '../../src/sync/sync-link'

const SECRET = 'Zk4vR8sT1yB6nP3hL5dG0w'
const JOIN = `ashore://join/192.168.1.20:5000/17/q7Wm2Xc9#${SECRET}.mN7jQ2xV9cF4`

describe('readSyncLink', () => {
  it('a sync link with a user number is read as a link for joining', () => {
    expect(readSyncLink(JOIN)).toEqual({ link: JOIN, kind: 'join' })
  })

  it('a sync link with user number 0 is read as a link for a new list', () => {
    const link = `ashore://join/sync.example.org:443/0/s3Tup#${SECRET}.tls`
    expect(readSyncLink(link)).toEqual({ link, kind: 'set-up' })
  })

  it('a sync link may have an IPv6 address, plain HTTP and surrounding white space', () => {
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
  ])('a text is not read as a sync link if it is %s', (_, text) => {
    expect(readSyncLink(text)).toBeNull()
  })
})

describe('a link that describes the list', () => {
  const describing = (machine: string): string => `${JOIN}.31.412.${toBase64Url(machine)}`

  it.each(['Laptop', 'Robin’s Rechner im Büro', 'حاسوب', '仕事用', 'x'.repeat(64), '💻'.repeat(64)])(
    'a link that describes the list contains the machine name %s',
    (machine) => {
      const link = describing(machine)
      expect(readSyncLink(` ${link}\n`)).toEqual({ link, kind: 'join', list: { downloads: 31, past: 412, machine } })
    },
  )

  it.each([
    ['cut off after the first number', `${JOIN}.31`],
    ['cut off after the second number', `${JOIN}.31.412`],
    ['cut off before the name', `${JOIN}.31.412.`],
    ['longer', `${JOIN}.31.412.TGFwdG9w.1`],
    ['with a number that is not plain', `${JOIN}.031.412.TGFwdG9w`],
    ['with a number that is not a number', `${JOIN}.x.412.TGFwdG9w`],
    ['with a number that is too large', `${JOIN}.31.9007199254740993.TGFwdG9w`],
    ['with a name that is not base64url', `${JOIN}.31.412.TGFwdG9`],
    ['with padding', `${JOIN}.31.412.TGFwdG8=`],
    ['with a name that is not UTF-8', `${JOIN}.31.412._w`],
    ['with spare bits', `${JOIN}.31.412.QR`],
    ['with a blank name', describing('  ')],
    ['with a name of two lines', describing('Lap\ntop')],
    ['with a name that is too long', describing('x'.repeat(65))],
  ])('a link is not valid if the description of its list is %s', (_, text) => {
    expect(readSyncLink(text)).toBeNull()
  })

  it('the question before joining uses the right plural forms', () => {
    const question = (downloads: number, past: number) => syncWords.link.joins({ downloads, past, machine: 'Laptop' })
    expect(question(31, 412)).toBe('Join the list of Laptop (31 downloads, 412 past ones)?')
    expect(question(1, 1)).toBe('Join the list of Laptop (1 download, 1 past one)?')
    expect(question(0, 1930)).toBe('Join the list of Laptop (0 downloads, 1,930 past ones)?')
  })

  it('the invite link of the simulated machine describes its list', async () => {
    const parameters = new URLSearchParams('sync')
    const { link } = await new PretendedSync({ parameters, answer: async () => undefined, say: () => undefined }).invite()
    expect(readSyncLink(link)?.list).toEqual({ downloads: 31, past: 412, machine: 'Workshop' })
  })
})

describe('syncLinkAmong', () => {
  const FILE = 'https://files.example.org/a.iso'

  it('syncLinkAmong separates the first sync link from the other texts', () => {
    expect(syncLinkAmong([FILE, JOIN])).toEqual({ found: { link: JOIN, kind: 'join' }, others: [FILE] })
    expect(syncLinkAmong([JOIN])?.others).toEqual([])
    expect(syncLinkAmong([FILE])).toBeNull()
    expect(syncLinkAmong([])).toBeNull()
  })

  it('syncLinkAmong finds a sync link in one line and keeps the other lines', () => {
    expect(syncLinkAmong([`${FILE}\r\n  ${JOIN}\n${FILE}?2`])).toMatchObject({
      found: { link: JOIN },
      others: [`${FILE}\n${FILE}?2`],
    })
  })

  it('syncLinkAmong discards every sync link after the first', () => {
    const second = JOIN.replace('/17/', '/18/')
    expect(syncLinkAmong([`${JOIN}\n${second}`, FILE])).toMatchObject({ found: { link: JOIN }, others: [FILE] })
  })
})
