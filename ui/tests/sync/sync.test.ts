import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { type Event, Failure } from '../../src/api/api'
import { type SyncApi, type SyncStatus } from '../../src/api/sync-api'
import { PretendedSync } from '../../src/mock/sync'
import { DESKTOP, LAPTOP } from '../../src/mock/sync-data'
import { beginningOf, HISTORY_AGES } from '../../src/sync/dialogs/history-age'
import { isUnstartedSend, senderId } from '../../src/i18n/phase'
import { conflictKey, Sync } from '../../src/sync/sync.svelte'
import { registration } from '../registration'

const OFF = { is_on: false, name: 'workbench', conflicts: 0, collections: [] } as unknown as SyncStatus

/** Sync with the simulated engine; `spies` replaces single calls. */
function fakes(address: string, spies: Partial<SyncApi> = {}) {
  let listener: (event: Event) => void = () => undefined
  const say = (event: Event): void => listener(event)
  const pretended = new PretendedSync({ parameters: new URLSearchParams(address), answer: async () => undefined, say })
  const api = Object.assign(pretended, spies)
  const calls = {
    status: vi.spyOn(api, 'status'),
    devices: vi.spyOn(api, 'devices'),
    others: vi.spyOn(api, 'others'),
    conflicts: vi.spyOn(api, 'conflicts'),
    ownServer: vi.spyOn(api, 'ownServer'),
  }
  const [failed, turnedOn] = [vi.fn(), vi.fn()]
  const sync = new Sync({ api, watch: (next) => (listener = next), failed, turnedOn })
  return { api, calls, failed, say, sync, turnedOn }
}

const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1000)

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('reading', () => {
  it('the page reads only the status while sync is off', async () => {
    const { calls, sync } = fakes('')
    await sync.read()
    for (const list of [sync.deviceList, sync.otherList, sync.conflictList]) list.follow()
    await settle()
    expect(sync.isOn).toBe(false)
    expect(sync.setUp.name).toBe('Workshop')
    expect(sync.devices).toEqual([])
    expect(sync.otherList.items).toBeNull()
    expect(calls.devices).not.toHaveBeenCalled()
    expect(calls.others).not.toHaveBeenCalled()
    expect(calls.conflicts).not.toHaveBeenCalled()
  })

  it('the page reads a list only while sync is on and a view follows the list', async () => {
    const { calls, sync } = fakes('sync')
    await sync.read()
    await settle()
    expect(calls.devices).not.toHaveBeenCalled()
    expect(sync.status?.others).toBe(4)
    sync.deviceList.follow()
    await settle()
    expect(sync.devices.map(({ name }) => name)).toEqual(['Workshop', 'Laptop', 'Desktop'])
    expect(sync.targets.map(({ name }) => name)).toEqual(['Laptop', 'Desktop'])
    expect([calls.others, calls.conflicts].map((call) => call.mock.calls.length)).toEqual([0, 0])
    sync.otherList.follow()
    sync.conflictList.follow()
    await settle()
    expect(sync.otherList.items?.length).toBe(4)
    expect(sync.conflictList.items?.length).toBe(3)
  })

  it('conflicts are not read if the status contains none', async () => {
    const { calls, sync } = fakes('sync&empty')
    await sync.read()
    sync.conflictList.follow()
    await settle()
    expect(calls.conflicts).not.toHaveBeenCalled()
    expect(sync.conflictList.items).toBeNull()
  })

  it('the status is read again after sync events and lost events, but not after other events', async () => {
    const { calls, say, sync } = fakes('sync')
    const counts = () => [calls.status, calls.others].map((call) => call.mock.calls.length)
    await sync.read()
    const end = sync.otherList.follow()
    await settle()
    say({ type: 'sync' })
    await settle()
    expect(counts()).toEqual([2, 2])
    say({ type: 'lagged' })
    await settle()
    expect(counts()).toEqual([3, 3])
    say({ type: 'settings' })
    await settle()
    expect(counts()).toEqual([3, 3])
    end()
    say({ type: 'sync' })
    await settle()
    expect(counts()).toEqual([4, 3])
  })

  it('the list of sent downloads shows every delivery state, and new downloads first', async () => {
    const { api, sync } = fakes('sync')
    await sync.read()
    sync.sendList.follow()
    await settle()
    expect(sync.sendList.items?.map(({ state }) => state)).toEqual(['waiting', 'delivered', 'refused', 'expired', 'missed'])
    await api.sendNew(null, [{ url: 'https://files.example.org/a.iso' }], sync.sendList.items![0]!.device)
    await settle()
    expect(sync.sendList.items?.[0]).toMatchObject({ title: 'a.iso', state: 'waiting' })
  })

  it('after a requested change, the status and the list are each read once', async () => {
    const { calls, sync } = fakes('sync')
    await sync.read()
    sync.otherList.follow()
    await settle()
    await sync.change('o1', 'pause')
    await settle()
    expect([calls.status, calls.others].map((call) => call.mock.calls.length)).toEqual([2, 2])
  })

  it('the reason for a failed read of a list is shown until the list can be read', async () => {
    const { calls, sync } = fakes('sync')
    await sync.read()
    calls.devices.mockRejectedValueOnce(new Failure('engine-lost', 'No reply.'))
    calls.conflicts.mockRejectedValueOnce(new Failure('ledger', 'Not read.'))
    sync.deviceList.follow()
    sync.conflictList.follow()
    await settle()
    expect([sync.deviceList.failure?.code, sync.conflictList.failure?.code]).toEqual(['engine-lost', 'ledger'])
    await sync.read()
    await settle()
    expect([sync.deviceList.failure, sync.conflictList.failure]).toEqual([null, null])
  })

  it('the server on this machine is not read unless its view is open', async () => {
    const { calls, say, sync } = fakes('sync=server')
    await sync.read()
    expect(calls.ownServer).not.toHaveBeenCalled()
    const end = sync.followOwnServer()
    await settle()
    expect(sync.ownServer?.is_kept).toBe(true)
    say({ type: 'sync' })
    await settle()
    expect(calls.ownServer).toHaveBeenCalledTimes(2)
    end()
    expect(sync.ownServer).toBeNull()
    say({ type: 'sync' })
    await settle()
    expect(calls.ownServer).toHaveBeenCalledTimes(2)
  })

  it('the form suggests the host name of this machine once while sync is off', async () => {
    const { calls, sync } = fakes('')
    calls.status.mockResolvedValueOnce(OFF)
    await sync.read()
    expect(sync.setUp.name).toBe('workbench')
    sync.setUp.name = ''
    await sync.read()
    expect(sync.setUp.name).toBe('')
    const on = fakes('sync')
    await on.sync.read()
    expect(on.sync.setUp.name).toBe('')
    on.calls.status.mockResolvedValueOnce(OFF)
    await on.sync.read()
    expect(on.sync.setUp.name).toBe('workbench')
  })

  it('the last status stays if a read fails, and the failure is reported', async () => {
    const { calls, sync } = fakes('sync')
    await sync.read()
    calls.status.mockRejectedValueOnce(new Failure('engine-lost', 'No reply.'))
    await sync.read()
    expect(sync.isOn).toBe(true)
    expect(sync.failure?.code).toBe('engine-lost')
    await sync.read()
    expect(sync.failure).toBeNull()
  })

  it('a status is discarded if a later read has finished first', async () => {
    const { calls, sync } = fakes('sync')
    let end: (status: SyncStatus) => void = () => undefined
    calls.status.mockReturnValueOnce(new Promise((resolve) => (end = resolve)))
    const early = sync.read()
    await sync.read()
    end(OFF)
    await early
    expect(sync.isOn).toBe(true)
  })
})

describe('turning sync on and off', () => {
  it('the recovery words of a new list are shown although sync is already on', async () => {
    const { sync, turnedOn } = fakes('')
    await sync.read()
    sync.setUp.choose('server')
    await sync.setUp.start()
    await settle()
    expect(sync.isOn).toBe(true)
    expect(sync.setUp.step).toBe(3)
    expect(turnedOn).toHaveBeenCalledExactlyOnceWith('set-up')
  })

  it('the other machines are forgotten after this machine leaves the list', async () => {
    const { sync } = fakes('sync')
    await sync.read()
    sync.deviceList.follow()
    sync.otherList.follow()
    await settle()
    sync.asking = { what: 'leave' }
    await sync.leave()
    expect(sync.asking).toBeNull()
    await settle()
    expect([sync.isOn, sync.otherList.items, sync.devices]).toEqual([false, null, []])
  })
})

it('after sync is turned off, the server on this machine is still shown and can be stopped', async () => {
  const { sync } = fakes('sync=server')
  await sync.read()
  sync.followOwnServer()
  await settle()
  await sync.leave()
  await settle()
  expect([sync.isOn, sync.ownServer?.is_kept]).toEqual([false, true])
  await sync.stopServer()
  expect(sync.ownServer).toMatchObject({ is_kept: false, is_running: false })
})

describe('a call that the user declines', () => {
  it.each(['invite', 'showWords'] as const)('a declined %s call opens no dialog and shows no failure', async (verb) => {
    const { failed, sync } = fakes('sync&declined')
    await sync.read()
    await sync[verb]()
    expect(sync.asking).toBeNull()
    expect(failed).not.toHaveBeenCalled()
  })

  it('no machine is changed if the user declines the confirmation', async () => {
    const { failed, sync } = fakes('sync&declined')
    await sync.read()
    sync.deviceList.follow()
    await settle()
    const before = sync.devices
    expect(await sync.trust(sync.targets[0]!.device, true)).toBe(false)
    await sync.removeDevice(sync.targets[0]!)
    await settle()
    expect(sync.devices).toEqual(before)
    expect(sync.asking).toBeNull()
    expect(failed).not.toHaveBeenCalled()
  })
})

describe('a call', () => {
  it('a refused call shows its failure', async () => {
    const { api, failed, sync } = fakes('sync')
    vi.spyOn(api, 'invite').mockRejectedValueOnce(new Failure('sync-unreachable', 'No reply.'))
    await sync.read()
    await sync.invite()
    expect(sync.asking).toBeNull()
    expect(failed).toHaveBeenCalledOnce()
    expect(failed.mock.calls[0]![0].code).toBe('sync-unreachable')
  })

  it('removal of a machine shows the new recovery words', async () => {
    const { sync } = fakes('sync')
    await sync.read()
    sync.deviceList.follow()
    await settle()
    const laptop = sync.targets[0]!
    await sync.removeDevice(laptop)
    expect(sync.asking).toMatchObject({ what: 'words', removed: 'Laptop' })
    await settle()
    expect(sync.targets.map(({ name }) => name)).toEqual(['Desktop'])
  })

  it('renaming this machine closes the dialog and shows the new name', async () => {
    const { sync } = fakes('sync')
    await sync.read()
    sync.deviceList.follow()
    sync.asking = { what: 'rename', name: 'Workshop' }
    expect(await sync.rename(' laptop ')).toBeNull()
    expect(sync.asking).toBeNull()
    await settle()
    expect([sync.status?.name, sync.devices.find(({ is_own }) => is_own)?.name]).toEqual(['laptop (2)', 'laptop (2)'])
  })

  it.each(['', '  ', 'x'.repeat(65)])('the refused machine name "%s" is reported in the open dialog', async (name) => {
    const { failed, sync } = fakes('sync')
    await sync.read()
    sync.asking = { what: 'rename', name: 'Workshop' }
    expect((await sync.rename(name))?.code).toBe('sync-name')
    expect(sync.asking).toEqual({ what: 'rename', name: 'Workshop' })
    expect(failed).not.toHaveBeenCalled()
  })

  it('forgetting past downloads closes the dialog and frees space on the server', async () => {
    const { api, sync } = fakes('sync=full')
    await sync.read()
    sync.asking = { what: 'clear-history' }
    const clear = vi.spyOn(api, 'clearHistory')
    const before = beginningOf('all', Date.now())
    expect(await sync.clearHistory(before)).toBe(true)
    expect(sync.asking).toBeNull()
    expect(clear).toHaveBeenCalledExactlyOnceWith(before)
    await settle()
    expect([sync.status?.fault, sync.status?.space]).toEqual([null, null])
    expect(sync.status?.collections.find(({ collection }) => collection === 'dl-history')?.records).toBe(0)
  })

  it('forgetting past downloads shows a failure if the engine refuses', async () => {
    const { api, failed, sync } = fakes('sync')
    vi.spyOn(api, 'clearHistory').mockRejectedValueOnce(new Failure('sync-unreachable', 'No reply.'))
    await sync.read()
    expect(await sync.clearHistory(0)).toBe(false)
    expect(failed).toHaveBeenCalledOnce()
  })

  it('a requested state is shown after the engine confirms it', async () => {
    const { sync } = fakes('sync')
    await sync.read()
    sync.otherList.follow()
    await settle()
    expect(await sync.change('o1', 'pause')).toBe(true)
    await settle()
    expect(sync.otherList.items?.find(({ id }) => id === 'o1')?.requested).toBe('paused')
    await sync.change('o1', 'move-here')
    await settle()
    expect(sync.otherList.items?.some(({ id }) => id === 'o1')).toBe(false)
  })

  it('a manual sync shows its outcome if it succeeds, and a fault in the status if it fails', async () => {
    const { sync } = fakes('sync')
    await sync.read()
    await sync.now()
    expect(sync.outcome).toMatchObject({ received: 3, sent: 12 })
    const unreachable = fakes('sync=fault')
    await unreachable.sync.read()
    await unreachable.sync.now()
    expect(unreachable.sync.outcome).toBeNull()
    expect(unreachable.sync.status?.fault?.code).toBe('sync-unreachable')
    expect(unreachable.failed).not.toHaveBeenCalled()
  })

  it('a manual sync ends only when the status that was read after the cycle is shown', async () => {
    const { api, sync } = fakes('sync=fault')
    await sync.read()
    await sync.now()
    expect(sync.status?.fault).not.toBeNull()
    // The event of this cycle does not arrive before the answer.
    const after = { ...sync.status!, fault: null }
    vi.spyOn(api, 'now').mockResolvedValue({ received: 0, sent: 1, arrived: [], is_restored: false })
    vi.spyOn(api, 'status').mockResolvedValue(after)
    await sync.now()
    expect(sync.isSyncing).toBe(false)
    expect(sync.status?.fault).toBeNull()
    expect(sync.outcome).toMatchObject({ sent: 1 })
  })

  it('a manual sync can be repeated after an unexpected error of the read', async () => {
    const { api, sync } = fakes('sync')
    // Without an event, the only read is the one at the end of the manual sync.
    vi.spyOn(api, 'now').mockResolvedValue({ received: 3, sent: 12, arrived: [], is_restored: false })
    vi.spyOn(sync, 'read').mockRejectedValueOnce(new Error('unexpected'))
    await expect(sync.now()).rejects.toThrow('unexpected')
    expect(sync.isSyncing).toBe(false)
    await sync.now()
    expect(sync.outcome).toMatchObject({ received: 3, sent: 12 })
  })

  it('an answer is shown unless a later read has already been answered', async () => {
    const { api, sync } = fakes('sync')
    const answers: ((status: SyncStatus) => void)[] = []
    vi.spyOn(api, 'status').mockImplementation(() => new Promise((answer) => answers.push(answer)))
    const reads = [sync.read(), sync.read(), sync.read()]
    answers[0]!({ ...OFF, name: 'first' })
    await reads[0]
    expect(sync.status?.name).toBe('first')
    answers[2]!({ ...OFF, name: 'third' })
    await reads[2]
    answers[1]!({ ...OFF, name: 'second' })
    await reads[1]
    expect(sync.status?.name).toBe('third')
  })
})

describe('a double click', () => {
  it.each([
    ['invites', 'invite', (sync: Sync) => sync.invite()],
    ['reads the words', 'words', (sync: Sync) => sync.showWords()],
    ['resolves a conflict', 'resolve', (sync: Sync) => sync.resolve(1, true)],
    ['fetches', 'changeOther', (sync: Sync) => sync.change('o1', 'fetch-here')],
    ['removes a machine', 'removeDevice', (sync: Sync) => sync.removeDevice(sync.targets[0]!)],
  ] as const)('a double click %s only once', async (_, verb, act) => {
    const { api, failed, sync } = fakes('sync')
    await sync.read()
    sync.deviceList.follow()
    await settle()
    const call = vi.spyOn(api, verb)
    const first = act(sync)
    void act(sync)
    await first
    // A second click may come after the reply of the engine.
    await act(sync)
    expect(call).toHaveBeenCalledOnce()
    await settle()
    await act(sync)
    expect(call).toHaveBeenCalledTimes(2)
    expect(failed).not.toHaveBeenCalled()
  })

  it('a click disables only the buttons of its own item until the call ends', async () => {
    const { sync } = fakes('sync')
    await sync.read()
    const first = sync.resolve(1, true)
    expect([conflictKey(1), conflictKey(2), 'invite'].map((key) => sync.isBusy(key))).toEqual([true, false, false])
    await first
    await settle()
    expect(sync.isBusy(conflictKey(1))).toBe(false)
  })
})

describe('a chosen machine', () => {
  it('a chosen machine stays chosen after the key changes or while the list is unknown', async () => {
    const { api, calls, sync } = fakes('sync')
    expect(sync.hasLeft(LAPTOP)).toBe(false)
    await sync.read()
    expect(sync.hasLeft(LAPTOP)).toBe(false)
    sync.deviceList.follow()
    await settle()
    calls.status.mockResolvedValueOnce({ ...(await api.status()), fingerprint: 'of-the-new-key' })
    await sync.read()
    expect(sync.targets.map(({ device }) => device)).toContain(LAPTOP)
    expect(sync.hasLeft(LAPTOP)).toBe(false)
  })

  it('a machine counts as no longer in the list when it is removed or sync is turned off', async () => {
    const { sync } = fakes('sync')
    await sync.read()
    sync.deviceList.follow()
    await settle()
    await sync.removeDevice(sync.device(LAPTOP)!)
    await settle()
    expect([sync.hasLeft(LAPTOP), sync.hasLeft(DESKTOP)]).toEqual([true, false])
    await sync.leave()
    await settle()
    expect(sync.hasLeft(DESKTOP)).toBe(true)
  })
})

it('beginningOf returns the time that is 30, 365 or 0 days ago', () => {
  const now = Date.UTC(2026, 10, 27)
  const days = HISTORY_AGES.map((age) => (now - beginningOf(age, now)) / 86_400_000)
  expect(days).toEqual([30, 365, 0])
})

describe('senderOf', () => {
  it('senderOf names the sending machine until the download starts or the machine is trusted', async () => {
    const { sync } = fakes('sync')
    await sync.read()
    sync.deviceList.follow()
    await settle()
    const laptop = sync.targets[0]!
    const sent = registration({ owner: `device-${laptop.device}`, state: 'paused' })
    expect(sync.senderOf(sent)).toBe('Laptop')
    expect(sync.senderOf({ ...sent, state: 'running' })).toBeNull()
    expect(sync.senderOf({ ...sent, downloaded: 1 })).toBeNull()
    expect(sync.senderOf({ ...sent, owner: 'device-unknown' })).toBeNull()
    expect(sync.senderOf({ ...sent, owner: 'window' })).toBeNull()
    await sync.trust(laptop.device, true)
    await settle()
    expect(sync.senderOf(sent)).toBeNull()
    expect(isUnstartedSend(sent)).toBe(true)
  })

  it('senderId reads the id of the sending machine from the owner', () => {
    expect(senderId('device-abc')).toBe('abc')
    expect(senderId('window')).toBe('')
  })
})
