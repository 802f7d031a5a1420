import { describe, expect, it, vi } from 'vitest'

import { Failure } from '../../src/api/api'
import type { DevicesApi, RemoteReport, SignedInDevice } from '../../src/api/devices-api'
import { isSectionFound, scopeName } from '../../src/settings/device-labels'
import { OtherDevices } from '../../src/settings/devices.svelte'

const OFF: RemoteReport = { is_on: false, url: null, is_local: false, fault: null, devices: [], link_seconds: null }
const ON: RemoteReport = { ...OFF, is_on: true, url: 'http://192.0.2.7:6800/' }
const LINK = { url: `${ON.url}#pair=0f`, seconds: 300, qr: { size: 1, path: '' } }
const PHONE: SignedInDevice = { name: 'Phone', is_program: false, scope: 'control', seen_at: 0 }

function fakes(report: RemoteReport = OFF) {
  let now = report
  const api = {
    remoteAccess: vi.fn<DevicesApi['remoteAccess']>(async () => now),
    allowDevices: vi.fn<DevicesApi['allowDevices']>(async (isOn) => (now = isOn ? ON : OFF)),
    linkDevice: vi.fn<DevicesApi['linkDevice']>(async () => ((now = { ...now, link_seconds: 300 }), LINK)),
    signOutDevice: vi.fn<DevicesApi['signOutDevice']>(async () => (now = { ...now, devices: [] })),
  }
  return { api, others: new OtherDevices(api, () => 0), become: (next: RemoteReport) => (now = next) }
}

describe('the link that signs a device in', () => {
  it('the link disappears and the device is named as soon as a device has used it', async () => {
    const { others, become } = fakes(ON)
    await others.makeLink()
    expect([others.link, others.isAwaited]).toEqual([LINK, true])
    become({ ...ON, devices: [PHONE] })
    await others.read()
    expect([others.link, others.added, others.isAwaited]).toEqual([null, 'Phone', false])
  })

  it('the link disappears without a device if another link replaced it or the server closed', async () => {
    const { others, become } = fakes(ON)
    await others.makeLink()
    become({ ...ON, link_seconds: 310 })
    await others.read()
    expect([others.link, others.added]).toEqual([null, null])
    await others.makeLink()
    await others.allow(false)
    expect([others.link, others.report]).toEqual([null, OFF])
  })

  it('an answer to a read is ignored if an action has ended since the read began', async () => {
    const { api, others } = fakes(ON)
    let answer: (report: RemoteReport) => void = () => undefined
    api.remoteAccess.mockImplementationOnce(() => new Promise((done) => (answer = done)))
    const reading = others.read()
    await others.allow(false)
    answer(ON)
    await reading
    expect(others.report).toEqual(OFF)
  })
})

describe('the switch', () => {
  it('a declined question changes nothing and shows no failure', async () => {
    const { api, others } = fakes()
    await others.read()
    api.allowDevices.mockRejectedValueOnce(new Failure('declined', 'You declined.'))
    expect(await others.allow(true)).toBe(false)
    expect([others.report, others.failure, others.isBusy]).toEqual([OFF, null, false])
  })

  it('a failure is shown until the next action', async () => {
    const { api, others } = fakes()
    api.allowDevices.mockRejectedValueOnce(new Failure('remote-switch', 'The port is in use.'))
    expect(await others.allow(true)).toBe(false)
    expect(others.failure?.code).toBe('remote-switch')
    expect(await others.allow(true)).toBe(true)
    expect([others.failure, others.report]).toEqual([null, ON])
  })

  it('the state is awaited while the server is on but has no address', async () => {
    const { others, become } = fakes({ ...ON, url: null })
    await others.read()
    expect(others.isAwaited).toBe(true)
    become(ON)
    await others.read()
    expect(others.isAwaited).toBe(false)
  })
})

it('a device that is signed out disappears from the list', async () => {
  const { api, others } = fakes({ ...ON, devices: [PHONE] })
  await others.read()
  expect(await others.signOut('Phone')).toBe(true)
  expect([api.signOutDevice.mock.calls, others.report?.devices]).toEqual([[['Phone']], []])
})

it('a program is named together with its permission', () => {
  expect(scopeName(PHONE)).toBe('It may do everything.')
  expect(scopeName({ is_program: true, scope: 'add' })).toBe('Program. It may add downloads and see the list.')
})

it('the search finds the section by its texts and by familiar words', () => {
  for (const search of ['', 'other devices', 'phone', 'qr code', 'sign out']) expect(isSectionFound(search), search).toBe(true)
  expect(isSectionFound('metered')).toBe(false)
})
