import { describe, expect, it } from 'vitest'

import { sentence } from '../../src/i18n/engine-messages'
import { PretendedSync } from '../../src/mock/sync'
import { syncWords } from '../../src/sync/sync-labels'

const MINUTE = 60_000
const pretended = (address: string): PretendedSync =>
  new PretendedSync({ parameters: new URLSearchParams(address), answer: async () => undefined, say: () => undefined })
const plain = (text: string): string => text.replaceAll('\u00a0', ' ')

describe('the clock of this machine', () => {
  it('the text about a wrong clock says how far it is ahead or behind', () => {
    const rest = "Sync uses the server's clock. Set the clock of this machine."
    expect(plain(syncWords.state.clock(120 * MINUTE))).toBe(`This machine's clock is 2 h ahead. ${rest}`)
    expect(plain(syncWords.state.clock(-6 * MINUTE))).toBe(`This machine's clock is 6 min behind. ${rest}`)
  })
})

it('the text about a link that another machine downloaded names machine, day and title', () => {
  expect(syncWords.past('Laptop', '3 May')).toBe('Laptop downloaded this on 3 May.')
  expect(syncWords.pastOf('Laptop', 'debian.iso', '3 May')).toBe('Laptop downloaded “debian.iso” on 3 May.')
})

describe('the server on this machine', () => {
  it('the text about the firewall shows the port number without thousands separators', () => {
    expect(syncWords.server.firewall('15350')).toBe(
      'If another machine cannot reach the server, allow incoming TCP connections to port 15350 in the firewall of this machine.',
    )
    expect(syncWords.server.asleep).toBe(
      'While this machine sleeps or is off, the other machines keep their changes and send them later.',
    )
  })

  it('a server that cannot start shows the reason until it is started', async () => {
    const api = pretended('sync=no-server')
    const { is_kept, is_running, fault } = await api.ownServer()
    expect([is_kept, is_running]).toEqual([true, false])
    expect(sentence(fault!)).toBe(
      'The sync server of this machine does not run: The disk is full. Ashore tries again every ten seconds.',
    )
    await api.startServer()
    expect(await api.ownServer()).toMatchObject({ is_running: true, fault: null })
  })
})
