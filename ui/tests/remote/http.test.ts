import { describe, expect, it } from 'vitest'

import type { Event } from '../../src/api/api'
import { REMOTE_CAPABILITIES } from '../../src/api/capabilities'
import { TooManyAttempts } from '../../src/api/remote/session'
import { RemotePage, PAIRING, problem, Server, settle, storage, TOKEN } from './server'

async function signedIn(): Promise<{ server: Server; page: RemotePage; events: Event[] }> {
  const server = new Server()
  const page = new RemotePage(server)
  const events: Event[] = []
  await page.api.events((event) => events.push(event))
  await page.signIn()
  server.log.length = 0
  return { server, page, events }
}

const failureOf = (call: Promise<unknown>): Promise<{ code: string; text: string }> =>
  call.then(
    () => Promise.reject(new Error('The call succeeded.')),
    (failure: { code: string; text: string }) => ({ code: failure.code, text: failure.text }),
  )

describe('sign-in', () => {
  it('a page without a session connects only after the sign-in', async () => {
    const server = new Server()
    const page = new RemotePage(server)
    await page.pass(60_000)
    expect([page.remote.state.phase, server.log]).toEqual(['signed-out', []])
    expect(await failureOf(page.api.totals())).toEqual({ code: 'signed-out', text: 'signed out' })
    await page.signIn()
    expect(page.remote.state.phase).toBe('open')
    expect(page.remote.device).toEqual({ name: 'Test', scope: 'control' })
    expect(server.log).toEqual(['POST api/session', 'authenticate', 'greet', 'subscribe'])
  })

  it('a pairing code can be used for the sign-in', async () => {
    const page = new RemotePage(new Server())
    await page.remote.signIn({ pairing: PAIRING }, 'Phone')
    await settle()
    expect(page.remote.state.phase).toBe('open')
  })

  it('the session continues when the page is opened again', async () => {
    const [server, kept] = [new Server(), storage()]
    await new RemotePage(server, { kept }).signIn()
    const next = new RemotePage(server, { kept })
    await settle()
    expect(next.remote.state.phase).toBe('open')
  })

  it('a refused sign-in has the message of the server, and the wait if there is one', async () => {
    const server = new Server()
    const page = new RemotePage(server)
    expect(await failureOf(page.remote.signIn({ token: 'guess' }, ''))).toEqual({ code: 'wrong-secret', text: 'Wrong token' })
    server.signInAnswer = () => problem(429, 'too-many-attempts', 'Wait', { 'Retry-After': '32' })
    const refusal = await page.remote.signIn({ token: TOKEN }, '').catch((thrown: unknown) => thrown)
    expect(refusal).toBeInstanceOf(TooManyAttempts)
    expect(refusal).toMatchObject({ code: 'too-many-attempts', text: 'Wait', seconds: 32 })
    expect(page.remote.state.phase).toBe('signed-out')
  })

  it('an answer that is not from Ashore counts as a lost connection', async () => {
    const server = new Server()
    const page = new RemotePage(server)
    server.signInAnswer = () => new Response('<h1>Bad gateway</h1>', { status: 502 })
    expect(await failureOf(page.remote.signIn({ token: TOKEN }, ''))).toEqual({ code: 'connection-lost', text: 'lost' })
    server.isUp = false
    expect(await failureOf(page.remote.signIn({ token: TOKEN }, ''))).toEqual({ code: 'connection-lost', text: 'lost' })
  })

  it('the sign-out ends the session here and on the server', async () => {
    const { server, page } = await signedIn()
    await page.remote.signOut()
    await page.pass(60_000)
    expect(page.remote.state.phase).toBe('signed-out')
    expect(server.log).toEqual(['DELETE api/session'])
    expect(server.sockets.size).toBe(0)
  })

  it('the sign-out works even if the server cannot be reached', async () => {
    const { server, page } = await signedIn()
    server.stop()
    await page.remote.signOut()
    expect([page.remote.state.phase, page.remote.device]).toEqual(['signed-out', null])
  })
})

describe('calls and events', () => {
  it('answers and failures of the engine reach the page', async () => {
    const { page } = await signedIn()
    const [first] = await page.api.list({ limit: 1 })
    expect((await page.api.show(first!.unique_id)).title).toBe(first!.title)
    expect((await failureOf(page.api.show('no id'))).code).toBe('unknown')
  })

  it('the list is requested in portions that fit into one message', async () => {
    const { server, page } = await signedIn()
    const sent: unknown[] = []
    server.engine.list = (query) => Promise.resolve((sent.push(query.limit), []))
    await page.api.list({ limit: 2000 })
    await page.api.list({})
    await page.api.list({ limit: 200 })
    expect(sent).toEqual([500, 500, 200])
    expect(await failureOf(page.api.understand('a'.repeat(2 << 20)))).toEqual({ code: 'too-large', text: 'too large' })
  })

  it('events arrive until the listener is removed', async () => {
    const { server, page, events } = await signedIn()
    const more: Event[] = []
    const stop = await page.api.events((event) => more.push(event))
    server.emit({ type: 'settings' })
    await settle()
    stop()
    server.emit({ type: 'sync' })
    await settle()
    expect([events, more]).toEqual([[{ type: 'settings' }, { type: 'sync' }], [{ type: 'settings' }]])
  })

  it('actions of the desktop are refused, and listed as missing capabilities', async () => {
    const { page } = await signedIn()
    expect(page.api.can).toBe(REMOTE_CAPABILITIES)
    for (const call of [page.api.showFolder('a'), page.api.chooseFile('netrc'), page.api.browsers.browsers()])
      expect((await failureOf(call)).code).toBe('unavailable')
  })
})

describe('a lost connection', () => {
  it('pending calls fail when the connection is lost, and later calls fail immediately', async () => {
    const { server, page } = await signedIn()
    server.held.add('totals')
    const pending = failureOf(page.api.totals())
    await settle()
    server.stop()
    await settle()
    expect(await pending).toEqual({ code: 'connection-lost', text: 'lost' })
    expect(page.remote.state).toEqual({ phase: 'waiting', attempts: 1, due: 500 })
    expect((await failureOf(page.api.totals())).code).toBe('connection-lost')
  })

  it('the page connects again after growing waits, and then reads everything again', async () => {
    const { server, page, events } = await signedIn()
    server.stop()
    await page.pass(3600)
    expect(page.remote.state).toEqual({ phase: 'waiting', attempts: 4, due: 7500 })
    server.isUp = true
    await page.pass(4000)
    expect(page.remote.state.phase).toBe('open')
    expect(events).toEqual([{ type: 'lagged' }])
  })

  it('the wait for a new connection ends if the user asks or the network returns', async () => {
    const { server, page } = await signedIn()
    for (const skip of [() => page.remote.connectNow(), () => page.online()]) {
      server.stop()
      await page.pass(20_000)
      server.isUp = true
      void skip()
      await settle()
      expect(page.remote.state.phase).toBe('open')
    }
  })

  it('a dead connection is noticed even if it was never closed', async () => {
    const { server, page } = await signedIn()
    server.held.add('greet')
    await page.pass(100_000)
    expect(page.remote.state.phase).toBe('open')
    await page.pass(30_000)
    expect(server.log.filter((method) => method === 'authenticate')).toHaveLength(1)
  })

  it('a call that is made during the first connection attempt waits for the connection', async () => {
    const [server, kept] = [new Server(), storage()]
    await new RemotePage(server, { kept }).signIn()
    const page = new RemotePage(server, { kept })
    expect(page.remote.state.phase).toBe('connecting')
    expect((await page.api.totals()).paused).toBe(false)
  })
})

describe('a lost session', () => {
  it('a lost session leads to the sign-in without further connection attempts', async () => {
    const { server, page } = await signedIn()
    const states: string[] = []
    page.remote.watch(({ phase }) => states.push(phase))
    server.endSessions()
    await page.pass(60_000)
    expect(states).toEqual(['signed-out'])
    expect(server.log).toEqual([])
    await page.signIn()
    expect(page.remote.state.phase).toBe('open')
  })

  it('a lost session is also noticed through a refused request', async () => {
    const { server, page } = await signedIn()
    for (const socket of server.sockets) socket.end = () => undefined
    server.endSessions()
    expect((await failureOf(page.api.open('id', 0))).code).toBe('signed-out')
    expect(page.remote.state.phase).toBe('signed-out')
  })
})

describe('a hidden page', () => {
  it('a hidden page disconnects after a pause, and reads everything again when it is shown', async () => {
    const { server, page, events } = await signedIn()
    await page.show(false)
    await page.pass(9000)
    expect(server.sockets.size).toBe(1)
    await page.pass(2000)
    expect([page.remote.state.phase, server.sockets.size]).toEqual(['resting', 0])
    await page.show(true)
    expect(page.remote.state.phase).toBe('open')
    expect(events).toEqual([{ type: 'lagged' }])
  })

  it('a hidden page keeps its connection if it is shown again soon', async () => {
    const { server, page, events } = await signedIn()
    await page.show(false)
    await page.pass(5000)
    await page.show(true)
    await page.pass(20_000)
    expect([server.log.includes('authenticate'), events]).toEqual([false, []])
  })

  it('a hidden page connects for a call without subscribing to events, and disconnects again', async () => {
    const { server, page } = await signedIn()
    await page.show(false)
    await page.pass(11_000)
    server.log.length = 0
    expect((await page.api.totals()).paused).toBe(false)
    expect(server.log).toEqual(['authenticate', 'greet', 'totals'])
    await page.pass(11_000)
    expect(page.remote.state.phase).toBe('resting')
    await page.api.totals()
    await page.show(true)
    expect(server.log.at(-1)).toBe('subscribe')
  })

  it('a hidden page waits for pending calls before it disconnects', async () => {
    const { server, page } = await signedIn()
    server.held.add('totals')
    void page.api.totals().catch(() => undefined)
    await page.show(false)
    await page.pass(11_000)
    expect(page.remote.state.phase).toBe('open')
  })

  it('a hidden page that reconnected when the network returned disconnects again', async () => {
    const { page } = await signedIn()
    await page.show(false)
    await page.pass(11_000)
    await page.online()
    expect(page.remote.state.phase).toBe('open')
    await page.pass(11_000)
    expect(page.remote.state.phase).toBe('resting')
  })

  it('a page opens a new connection after standby, because the old one may be dead', async () => {
    const { server, page, events } = await signedIn()
    await page.show(false)
    page.sleep(3_600_000)
    await page.show(true)
    expect([page.remote.state.phase, server.log]).toEqual(['open', ['authenticate', 'greet', 'subscribe']])
    expect(events).toEqual([{ type: 'lagged' }])
  })
})

describe('a newer server', () => {
  it('a newer server makes the page reload only once', async () => {
    const [server, kept, tab] = [new Server(), storage(), storage()]
    server.program = '0.2.0'
    const page = new RemotePage(server, { kept, tab })
    let saved = 0
    await page.api.leaving(() => Promise.resolve((saved += 1)))
    await page.signIn()
    expect([page.reloads, saved]).toEqual([1, 1])
    const next = new RemotePage(server, { kept, tab })
    await settle()
    expect([next.remote.state.phase, next.reloads]).toEqual(['open', 0])
  })

  it('a reload for a newer server waits only briefly for the page to save its state', async () => {
    const server = new Server()
    server.program = '0.2.0'
    const page = new RemotePage(server)
    await page.api.leaving(() => new Promise(() => undefined))
    await page.signIn()
    expect(page.reloads).toBe(0)
    await page.pass(1000)
    expect(page.reloads).toBe(1)
  })

  it('an older server causes no reload of the page', async () => {
    const page = new RemotePage(new Server(), { version: '0.3.0' })
    await page.signIn()
    expect(page.reloads).toBe(0)
  })
})

describe('files', () => {
  it('a file and the list are downloaded with a ticket', async () => {
    const { page } = await signedIn()
    await page.api.open('id', 2)
    expect(await page.api.saveList()).toBeNull()
    expect(page.downloads.map((address) => decodeURIComponent(address))).toEqual([
      'http://nas.example/ashore/files/1?ticket={"unique_id":"id","index":2}',
      'http://nas.example/ashore/files/1?ticket={"export":true}',
    ])
  })

  it('a list is imported from a file of this device', async () => {
    const { page } = await signedIn()
    expect(await page.api.takeInList()).toBeNull()
    page.file = new Blob(['{}'])
    expect(await page.api.takeInList()).toMatchObject({ registrations: 2, known: 1 })
  })

  it('folders are read with the session, and chosen in a dialog of the page', async () => {
    const { server, page } = await signedIn()
    expect(await page.remote.folders('/srv/a b')).toEqual({ path: '/srv', parent: null, folders: ['a', 'b'] })
    expect(server.log).toEqual(['GET api/folders?path=%2Fsrv%2Fa%20b'])
    page.remote.chooseFoldersWith(() => Promise.resolve('/srv/a'))
    expect(await page.api.chooseFolder()).toBe('/srv/a')
  })
})
