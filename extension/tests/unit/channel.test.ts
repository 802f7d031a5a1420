import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'

import { Stored } from '../../src/browser/stored'
import {
  browserName,
  ChannelError,
  NO_ASHORE,
  PairedChannel,
  portIndexOf,
  PORTS,
  proofOf,
  stateOf,
  WRONG_CODE,
} from '../../src/host/channel'
import { hostOf, refusalOfError } from '../../src/host/host'
import { MISSING } from '../../src/host/protocol'
import type { BrowserApi } from '../../src/browser/api'

const [first, second, third] = PORTS as [number, number, number]
const PAIRING = { id: 'id', token: 'secret', port: first }
const REMOVED = { code: 'browser-pairing.removed', text: 'Removed.' }

type Message = { type: string; [name: string]: unknown }
/** Simulated program that listens on a port. Returns its answer to a message, or null if it does not answer. */
type Listener = (message: Message, port: number) => object | null | Promise<object>

/** Simulated Ashore that knows `token`. */
const ashore =
  (token: string, others: Listener = () => null): Listener =>
  async (message, port) => {
    if (message.type === 'prove') return { type: 'proof', proof: await proofOf(token, port, String(message['nonce'])) }
    if (message.type === 'sign_in')
      return message['token'] === token ? { type: 'signed_in' } : { type: 'refused', code: 'x', text: '' }
    return (await others(message, port)) ?? { type: 'greeting', version: 1, program: '0.1.0', is_running: true }
  }

function world(listeners: Record<number, Listener>, stored: unknown = PAIRING) {
  const values: Record<string, unknown> = { pairing: stored }
  const area = {
    get: async () => values,
    set: async (changed: object) => void Object.assign(values, changed),
    remove: async () => undefined,
  }
  const log: { port: number; message: Message }[] = []
  const sockets: WebSocket[] = []
  const open = (port: number): WebSocket => {
    const listener = listeners[port]
    const socket = {
      send: (text: string) => {
        const message = JSON.parse(text) as Message
        log.push({ port, message })
        void Promise.resolve(listener!(message, port)).then((answer) => {
          if (answer === null) socket.end()
          else socket.onmessage?.({ data: JSON.stringify(answer) })
        })
      },
      close: () => undefined,
      readyState: 1,
      end: () => {
        socket.readyState = 3
        socket.onclose?.()
      },
      onopen: undefined as (() => void) | undefined,
      onclose: undefined as (() => void) | undefined,
      onmessage: undefined as ((event: { data: string }) => void) | undefined,
    }
    queueMicrotask(() => (listener === undefined ? socket.onclose?.() : socket.onopen?.()))
    sockets.push(socket as unknown as WebSocket)
    return socket as unknown as WebSocket
  }
  const channel = new PairedChannel(new Stored(area, 'pairing', stateOf), open)
  return {
    channel,
    sockets,
    log,
    values,
    open,
    area,
    sentTo: (port: number) => log.filter((one) => one.port === port).map(({ message }) => message),
  }
}

/** Lets pending promises continue until `isSo` returns true. */
async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1000 && !isSo(); turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

const refusal = (failing: Promise<unknown>) =>
  failing.then(
    () => null,
    (error: unknown) => refusalOfError(error),
  )

describe('send', () => {
  it('message_is_answered_by_the_program_that_knows_the_token', async () => {
    const { channel, values } = world({ [third]: ashore('secret'), [first]: ashore('other') })
    expect(await channel.send({ type: 'greet' })).toMatchObject({ type: 'greeting' })
    expect(values['pairing']).toEqual({ ...PAIRING, port: third })
  })

  it('program_without_the_token_gets_neither_token_nor_message', async () => {
    const { channel, sentTo } = world({
      [first]: () => ({ type: 'proof', proof: '0'.repeat(64) }),
      [second]: () => ({ type: 'signed_in' }),
    })
    expect(await refusal(channel.send({ type: 'ask', cookies: 'canary' }))).toBe(MISSING)
    for (const port of [first, second]) expect(sentTo(port).map(({ type }) => type)).toEqual(['prove'])
  })

  it('proof_from_another_port_is_not_accepted', async () => {
    const real = ashore('secret')
    const { channel, sentTo } = world({ [first]: async (message) => (await real(message, second))!, [second]: real })
    await channel.send({ type: 'greet' })
    expect(sentTo(first).map(({ type }) => type)).toEqual(['prove'])
    expect(sentTo(second).map(({ type }) => type)).toEqual(['prove', 'sign_in', 'greet'])
  })

  it('result_is_uncertain_if_the_connection_ends_after_the_message_was_sent', async () => {
    const silent: Listener = (message, port) => (message.type === 'ask' ? null : ashore('secret')(message, port))
    expect(await refusal(world({ [first]: silent }).channel.send({ type: 'ask' }))).toMatchObject({ code: 'host-failed' })
  })

  it.each(['sign_in', 'ask'])('removal_reported_at_%s_deletes_the_token_and_its_reason_is_stored', async (at) => {
    const refusing: Listener = (message, port) =>
      message.type === at ? { type: 'refused', ...REMOVED } : ashore('secret')(message, port)
    const { channel, values, log } = world({ [first]: refusing })
    expect(await refusal(channel.send({ type: 'ask' }))).toEqual(REMOVED)
    expect(values['pairing']).toEqual({ removed: REMOVED })
    const count = log.length
    expect(await refusal(channel.send({ type: 'ask' }))).toEqual(REMOVED)
    expect(log.length).toBe(count)
  })

  it('late_removal_of_an_old_pairing_keeps_the_new_one', async () => {
    const renewed = { id: 'new', token: 'other', port: second }
    const removing: Listener = (message, port) => {
      if (message.type !== 'ask') return ashore('secret')(message, port)
      values['pairing'] = renewed
      return { type: 'refused', ...REMOVED }
    }
    const { channel, values } = world({ [first]: removing })
    expect(await refusal(channel.send({ type: 'ask' }))).toEqual(REMOVED)
    expect(values['pairing']).toEqual(renewed)
  })

  it('message_fails_if_the_connection_ends_before_it_is_sent', async () => {
    const { channel, area, sockets, sentTo } = world({ [second]: ashore('secret') })
    const store = area.set
    // The pairing is stored after the sign-in, because the port has changed.
    area.set = async (changed) => {
      await store(changed)
      ;(sockets.at(-1) as unknown as { end: () => void }).end()
    }
    expect(await refusal(channel.send({ type: 'ask' }))).toMatchObject({ code: 'host-failed' })
    expect(sentTo(second).map(({ type }) => type)).toEqual(['prove', 'sign_in'])
    const ends: string[] = []
    await channel.state.update(() => PAIRING)
    await channel.follow(
      { type: 'follow' },
      () => undefined,
      () => ends.push('end'),
    )
    expect(ends).toEqual(['end'])
  })

  it.each<[string, number, boolean]>([
    ['before_its_limit', 19_999, false],
    ['at_its_limit', 20_000, true],
  ])('call_without_an_answer_%s_has_failed_%#', async (_, passed, hasFailed) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const hanging: Listener = (message, port) =>
        message.type === 'ask' ? new Promise(() => {}) : ashore('secret')(message, port)
      const { channel, sentTo } = world({ [first]: hanging })
      let result: unknown = null
      void refusal(channel.send({ type: 'ask' })).then((failed) => (result = failed))
      await until(() => sentTo(first).some(({ type }) => type === 'ask'))
      vi.advanceTimersByTime(passed)
      await until(() => result !== null)
      expect(result).toEqual(hasFailed ? expect.objectContaining({ code: 'host-failed' }) : null)
    } finally {
      vi.useRealTimers()
    }
  })

  it('message_about_removal_is_ignored_if_the_program_gave_no_proof', async () => {
    const { channel, values } = world({ [first]: () => ({ type: 'refused', ...REMOVED }) })
    expect(await refusal(channel.send({ type: 'ask' }))).toBe(MISSING)
    expect(values['pairing']).toEqual(PAIRING)
  })

  it.each([[null], [{}], [{ id: 'id' }], ['text']])('no_connection_is_opened_without_a_valid_pairing: %j', async (stored) => {
    const { channel, log } = world({ [first]: ashore('secret') }, stored)
    expect(await refusal(channel.send({ type: 'ask' }))).toBe(MISSING)
    expect(log).toEqual([])
  })
})

describe('follow', () => {
  it('all_reports_are_received_until_the_connection_ends', async () => {
    const report = { type: 'downloads', is_running: true, downloads: [] }
    let reports = 0
    const reporting: Listener = (message, port) =>
      message.type === 'follow' ? ((reports += 1) === 1 ? report : null) : ashore('secret')(message, port)
    const { channel, sockets } = world({ [first]: reporting })
    const events: unknown[] = []
    await channel.follow(
      { type: 'follow' },
      (answer) => events.push(answer),
      () => events.push('end'),
    )
    await until(() => events.length === 1)
    sockets[0]!.send(JSON.stringify({ type: 'follow' }))
    await until(() => events.length === 2)
    expect(events).toEqual([report, 'end'])
  })
})

describe('pair', () => {
  const paired: Listener = ({ type }) => (type === 'pair' ? { type: 'paired', id: 'i', token: 't', name: 'Firefox' } : null)

  it('code_is_sent_only_to_the_port_that_it_names', async () => {
    const { channel, values, sentTo } = world({ [first]: paired, [second]: paired, [third]: paired }, null)
    // '3' is the second character of the alphabet.
    expect(await channel.pair('3abc-defg', 'Firefox')).toBeNull()
    expect(sentTo(second)).toEqual([{ type: 'pair', code: '3abc-defg', browser: 'Firefox' }])
    expect([...sentTo(first), ...sentTo(third)]).toEqual([])
    expect(values['pairing']).toEqual({ id: 'i', token: 't', port: second })
  })

  it('slow_answer_to_a_pairing_code_is_awaited', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      let answer: (answer: object) => void = () => undefined
      const slow: Listener = () => new Promise((resolve) => (answer = resolve))
      const { channel, sentTo, values } = world({ [second]: slow }, null)
      const pairing = channel.pair('3abc-defg', '')
      await until(() => sentTo(second).length === 1)
      vi.advanceTimersByTime(14_000)
      answer({ type: 'paired', id: 'i', token: 't', name: 'Firefox' })
      expect(await pairing).toBeNull()
      expect(values['pairing']).toEqual({ id: 'i', token: 't', port: second })
    } finally {
      vi.useRealTimers()
    }
  })

  it.each(['', '3ABC-DEF', '3ABCDEFGH', '1BCDEFGH', 'ÄBCDEFGH'])('text_%j_is_not_a_pairing_code', async (code) => {
    expect(await world({}, null).channel.pair(code, '')).toBe(WRONG_CODE)
  })

  it('refused_pairing_code_and_missing_ashore_are_reported', async () => {
    const wrong = { code: 'browser-pairing', text: 'Wrong.' }
    const { channel, values } = world({ [second]: () => ({ type: 'refused', ...wrong }) }, null)
    expect(await channel.pair('3ABCDEFG', '')).toEqual(wrong)
    expect(await channel.pair('2ABCDEFG', '')).toBe(NO_ASHORE)
    expect(values['pairing']).toBeNull()
  })
})

it('first_character_of_pairing_code_determines_port', () => {
  expect(['2', '3', '4', '5', 'Z'].map((letter) => portIndexOf(`${letter}2222222`))).toEqual([0, 1, 2, 0, 1])
})

it('proof_is_computed_as_in_ashore', async () => {
  const key = createHash('sha256').update('ashore server key\0secret').digest('hex')
  expect(await proofOf('secret', 7, 'n')).toBe(createHmac('sha256', key).update('7 n').digest('hex'))
})

it('manifest_allows_connections_only_to_the_ports_of_ashore', () => {
  const { content_security_policy: policy } = JSON.parse(readFileSync('manifest.json', 'utf8'))
  const connect = policy.extension_pages.match(/connect-src ([^;]*)/)[1].split(' ')
  expect(connect).toEqual(["'self'", ...PORTS.map((port) => `ws://127.0.0.1:${port}`)])
})

it.each([
  ['Mozilla/5.0 (X11; rv:153.0) Gecko/20100101 Firefox/153.0', undefined, 'Firefox'],
  ['Chrome/156', [{ brand: 'Not:A-Brand' }, { brand: 'Chromium' }], 'Chromium'],
  ['Chrome/156', [{ brand: 'Chromium' }, { brand: 'Google Chrome' }, { brand: 'Not)A;Brand' }], 'Google Chrome'],
  ['Chrome/156', undefined, ''],
])('name_of_%s', (userAgent, brands, name) => {
  expect(browserName({ userAgent, ...(brands && { userAgentData: { brands } }) })).toBe(name)
})

describe('hostOf', () => {
  const host = (error: string, listeners: Record<number, Listener>) => {
    const { area, open, log } = world(listeners)
    const fail = async (): Promise<never> => Promise.reject(new Error(error))
    const runtime = { sendNativeMessage: fail, getManifest: () => ({ version: '0.1.0' }) }
    return { host: hostOf({ runtime, storage: { local: area } } as unknown as BrowserApi, open), log }
  }

  it('channel_is_used_if_the_native_host_is_missing', async () => {
    const { host: paired } = host('No such native application', { [first]: ashore('secret') })
    expect(await paired.greet()).toMatchObject({ program: '0.1.0', is_running: true })
  })

  it('channel_is_not_used_if_the_native_host_failed', async () => {
    const { host: paired, log } = host('Native host has exited.', { [first]: ashore('secret') })
    expect(await refusal(paired.ask('a', {} as never, null))).toMatchObject({ code: 'host-failed' })
    expect(log).toEqual([])
  })

  it('refusal_is_read_unchanged_from_an_error_of_the_channel', () => {
    expect(refusalOfError(new ChannelError(REMOVED))).toBe(REMOVED)
  })
})
