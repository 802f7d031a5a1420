import { describe, expect, it } from 'vitest'

import type { BrowserApi } from '../../src/browser/api'
import { hostOf, refusalOfError } from '../../src/host/host'
import { answerOf, downloadsOf, FAILED, greetingOf, MISSING, refusalOf } from '../../src/host/protocol'

describe('answerOf', () => {
  it.each([{ type: 'taken' }, { type: 'already' }])(
    'answer_%j_to_the_hand_off_request_means_that_ashore_accepted_it',
    (answer) => {
      expect(answerOf({ ...answer, ask: 'a/1', unique_id: 'g' }, 'a/1')).toEqual({ type: 'taken' })
    },
  )

  it.each([
    null,
    undefined,
    'taken',
    5,
    [],
    {},
    { type: 'taken' },
    { type: 'taken', ask: 'a/2' },
    { type: 'released', ask: 'a/1' },
    { type: 'failed', code: 'unknown', text: 'No.' },
    { type: 'Taken', ask: 'a/1' },
  ])('answer_%j_to_the_hand_off_request_means_that_ashore_declined_it', (answer) => {
    expect(answerOf(answer, 'a/1').type).toBe('declined')
  })

  it('refusal_keeps_code_and_text', () => {
    const message = { type: 'declined', ask: 'a/1', code: 'browser-disk', args: {}, text: 'The disk is full.' }
    expect(answerOf(message, 'a/1')).toEqual({ type: 'declined', refusal: { code: 'browser-disk', text: 'The disk is full.' } })
  })

  it('refusal_without_reason_has_a_code', () => {
    expect(answerOf({ type: 'declined', code: 5 }, 'a/1')).toEqual({ type: 'declined', refusal: { code: 'no-answer', text: '' } })
  })
})

describe('downloadsOf', () => {
  it('size_0_in_a_report_counts_as_unknown_and_missing_fields_get_defaults', () => {
    const message = {
      type: 'downloads',
      is_running: true,
      downloads: [{ title: 'a', state: 'running', expected_total: 0 }, null, 'x'],
    }
    expect(downloadsOf(message)).toEqual({
      type: 'downloads',
      is_running: true,
      downloads: [{ unique_id: '', title: 'a', state: 'running', downloaded: 0, expected_total: null, speed: 0, trouble: null }],
    })
  })

  it.each([null, {}, { type: 'downloads' }, { type: 'downloads', downloads: 'x' }])(
    'message_%j_is_not_a_report_about_downloads',
    (message) => {
      expect(downloadsOf(message)).toBeNull()
    },
  )
})

it('greeting_is_recognised', () => {
  expect(greetingOf({ type: 'greeting', version: 1, program: '0.1.0', is_running: true })).toMatchObject({ program: '0.1.0' })
  expect(greetingOf({ type: 'failed' })).toBeNull()
})

describe('refusalOf', () => {
  const declined = (args: unknown) => refusalOf({ type: 'declined', ask: 'a/1', code: 'browser-refused', args, text: 'No.' })

  it.each([
    [{ why: { code: 'bad-status', variant: 'gone', text: 'Gone.' } }, 'bad-status.gone'],
    [{ why: { code: 'dns', text: 'Unknown name.' } }, 'dns'],
    [{ why: 'Gone.' }, undefined],
    [{}, undefined],
    [null, undefined],
  ])('reason_of_the_engine_is_read_from_%j_as_%s', (args, reason) => {
    expect(declined(args)).toEqual({ code: 'browser-refused', text: 'No.', reason })
  })
})

describe('refusalOfError', () => {
  it.each([
    ['Specified native messaging host not found.', MISSING],
    ['Access to the specified native messaging host is forbidden.', MISSING],
    ['No such native application com.ashore.browser', MISSING],
    ['Native host has exited.', FAILED],
    ['Error when communicating with the native messaging host.', FAILED],
    ['An unexpected error occurred', FAILED],
  ])('%s', (text, refusal) => {
    expect(refusalOfError(new Error(text))).toBe(refusal)
    expect(refusalOfError({ message: text })).toBe(refusal)
  })
})

describe('hostOf', () => {
  const answering = (answer: unknown) => {
    const sent: unknown[] = []
    const sendNativeMessage = async (_: string, message: unknown): Promise<unknown> => {
      sent.push(message)
      if (answer instanceof Error) throw answer
      return answer
    }
    const runtime = { sendNativeMessage, getManifest: () => ({ version: '0.1.0' }) }
    return { host: hostOf({ runtime } as unknown as BrowserApi), sent }
  }

  it('every_message_contains_its_version', async () => {
    const { host, sent } = answering({ type: 'released' })
    await host.greet()
    await host.letGo('a/1')
    await host.offer([])
    expect(sent).toEqual([
      { type: 'greet', extension: '0.1.0', version: 1 },
      { type: 'let_go', ask: 'a/1', version: 1 },
      { type: 'offer', links: [], version: 1 },
    ])
  })

  it.each([
    [{ type: 'released', ask: 'a/1' }, true],
    [{ type: 'failed', code: 'unreachable', text: '' }, false],
    [new Error('Native host has exited.'), false],
  ])('answer_%j_to_a_release_means_success: %s', async (answer, isReleased) => {
    expect(await answering(answer).host.letGo('a/1')).toBe(isReleased)
  })

  it.each([
    [{ type: 'offered' }, null],
    [
      { type: 'declined', ask: null, code: 'browser-busy', text: 'Too many.' },
      { code: 'browser-busy', text: 'Too many.' },
    ],
    [new Error('Native host has exited.'), FAILED],
  ])('answer_%j_to_an_offer_of_links_is_read_as_the_matching_refusal', async (answer, refusal) => {
    expect(await answering(answer).host.offer([])).toEqual(refusal)
  })

  it.each([
    [true, ['report', 'end']],
    [false, []],
  ])('with_an_earlier_report_%s_the_end_of_the_native_host_causes_the_events_%j', (hasReported, expected) => {
    const listeners = { message: (_: unknown): void => {}, end: (): void => {} }
    const port = {
      onMessage: { addListener: (listener: (message: unknown) => void) => (listeners.message = listener) },
      onDisconnect: { addListener: (listener: () => void) => (listeners.end = listener) },
      postMessage: () => undefined,
    }
    const events: string[] = []
    hostOf({ runtime: { connectNative: () => port } } as unknown as BrowserApi).follow(
      () => events.push('report'),
      () => events.push('end'),
    )
    if (hasReported) listeners.message({ type: 'downloads', is_running: true, downloads: [] })
    listeners.end()
    expect(events).toEqual(expected)
  })

  it('missing_native_host_sends_no_greeting', async () => {
    expect(await answering(new Error('No such native application')).host.greet()).toBeNull()
  })
})
