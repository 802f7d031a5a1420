import { beforeEach, describe, expect, it, vi } from 'vitest'

import { Failure } from '../../src/api/api'
import { DECLINED, type SyncApi } from '../../src/api/sync-api'
import { sheetOf } from '../../src/sync/recovery-sheet'
import { SetUp } from '../../src/sync/set-up.svelte'

const REPORT = { words: Array.from({ length: 24 }, (_, place) => `word${place}`), address: '10.0.0.1:5000#pin', uid: 1 }
const SECRET = 'Zk4vR8sT1yB6nP3hL5dG0w'
const JOIN = `ashore://join/10.0.0.1:5000/7/abc#${SECRET}.tls`
const NEW_LIST = `ashore://join/10.0.0.1:5000/0/abc#${SECRET}.tls`
const WORDS = Array.from({ length: 24 }, (_, place) => 'abcdefghijklmnopqrstuvwx'[place]!.repeat(4))

const declined = new Failure(DECLINED, 'The user declined.')

function fakes() {
  const api = {
    setUp: vi.fn<SyncApi['setUp']>(async () => REPORT),
    join: vi.fn<SyncApi['join']>(async () => undefined),
    recover: vi.fn<SyncApi['recover']>(async () => undefined),
    ownServer: vi.fn<SyncApi['ownServer']>(async () => ({ is_kept: false, is_running: false, address: '', fault: null })),
    keepServer: vi.fn<SyncApi['keepServer']>(async () => NEW_LIST),
    stopServer: vi.fn<SyncApi['stopServer']>(async () => undefined),
    status: vi.fn(async () => ({ is_on: false }) as Awaited<ReturnType<SyncApi['status']>>),
  }
  const turnedOn = vi.fn()
  return { api, turnedOn, setUp: new SetUp(api, turnedOn) }
}

let made: ReturnType<typeof fakes>
beforeEach(() => {
  made = fakes()
  made.setUp.name = ' Laptop '
})

describe('the steps', () => {
  it('setup leads from the choice through the form to the recovery words of a new list', async () => {
    const { setUp, turnedOn } = made
    expect([setUp.step, setUp.steps]).toEqual([1, 3])
    setUp.choose('server')
    expect([setUp.step, setUp.steps]).toEqual([2, 3])
    await setUp.start()
    expect([setUp.step, setUp.report]).toEqual([3, REPORT])
    expect(turnedOn).toHaveBeenCalledExactlyOnceWith('set-up')
    setUp.written()
    expect([setUp.step, setUp.report]).toEqual([1, null])
  })

  it('setup ends with the form if the list already has recovery words', async () => {
    const { api, setUp, turnedOn } = made
    setUp.fillIn({ link: JOIN, kind: 'join' })
    expect([setUp.step, setUp.steps]).toEqual([2, 2])
    await setUp.start()
    expect(api.join).toHaveBeenCalledWith(JOIN, 'Laptop')
    expect(setUp.report).toBeNull()
    expect(turnedOn).toHaveBeenCalledExactlyOnceWith('joined')
  })

  it('setup clears the failure when the user goes back to the choice', async () => {
    const { api, setUp } = made
    api.setUp.mockRejectedValueOnce(new Failure('sync-link', 'Not a link.'))
    setUp.fillIn({ link: NEW_LIST, kind: 'set-up' })
    await setUp.start()
    expect(setUp.failure).not.toBeNull()
    setUp.goBack()
    expect([setUp.step, setUp.failure]).toEqual([1, null])
  })

  it('setup clears the secrets in the form as soon as sync is on', async () => {
    const { setUp } = made
    setUp.fillIn({ link: JOIN, kind: 'join' })
    setUp.words = WORDS.join(' ')
    await setUp.start()
    expect([setUp.link, setUp.words]).toEqual(['', ''])
  })
})

describe('the form', () => {
  it('the form is filled in with a handed-over link but not submitted', () => {
    const { api, setUp } = made
    setUp.fillIn({ link: JOIN, kind: 'join' })
    expect(setUp.mayStart).toBe(true)
    expect(api.join).not.toHaveBeenCalled()
  })

  it('the form requires a name and a sync link', () => {
    const { setUp } = made
    setUp.choose('link')
    expect(setUp.mayStart).toBe(false)
    setUp.link = 'https://files.example.org/a.iso'
    expect(setUp.mayStart).toBe(false)
    setUp.link = NEW_LIST
    expect(setUp.mayStart).toBe(true)
    setUp.name = '  '
    expect(setUp.mayStart).toBe(false)
  })

  it('the form for recovery requires address, number and 24 words, which may be numbered', async () => {
    const { api, setUp } = made
    setUp.choose('words')
    setUp.address = ' 10.0.0.1:5000#pin '
    setUp.number = 'one'
    setUp.words = WORDS.map((word, place) => `${place + 1}. ${word.toUpperCase()},`).join('\n')
    expect(setUp.mayStart).toBe(false)
    setUp.number = ' 12 '
    expect(setUp.typedWords).toEqual(WORDS)
    await setUp.start()
    expect(api.recover).toHaveBeenCalledWith('10.0.0.1:5000#pin', 12, WORDS.join(' '), 'Laptop')
    setUp.choose('words')
    setUp.words = WORDS.slice(1).join(' ')
    expect(setUp.mayStart).toBe(false)
  })

  it('the field for the recovery words accepts the whole sheet', async () => {
    const { api, setUp } = made
    setUp.choose('words')
    setUp.words = sheetOf({ words: WORDS, address: '10.0.0.1:5000#pin', uid: 12 })
    setUp.wordsEdited()
    expect([setUp.address, setUp.number, setUp.typedWords]).toEqual(['10.0.0.1:5000#pin', '12', WORDS])
    await setUp.start()
    expect(api.recover).toHaveBeenCalledWith('10.0.0.1:5000#pin', 12, WORDS.join(' '), 'Laptop')
  })

  it('an address that the user corrected stays until the sheet contains a different one', () => {
    const { setUp } = made
    setUp.choose('words')
    setUp.words = sheetOf({ words: WORDS.slice(1), address: '10.0.0.1:5000#pin', uid: 12 })
    setUp.wordsEdited()
    setUp.address = '10.0.0.2:5000#pin'
    setUp.words += `\n24. ${WORDS[0]}`
    setUp.wordsEdited()
    expect([setUp.address, setUp.typedWords.length]).toEqual(['10.0.0.2:5000#pin', 24])
    setUp.words = setUp.words.replace('10.0.0.1', '10.0.0.3')
    setUp.wordsEdited()
    expect(setUp.address).toBe('10.0.0.3:5000#pin')
  })

  it('the form is submitted only once while a call is running', async () => {
    const { api, setUp } = made
    setUp.fillIn({ link: JOIN, kind: 'join' })
    await Promise.all([setUp.start(), setUp.start()])
    expect(api.join).toHaveBeenCalledOnce()
  })

  it('the form shows a refusal until the input is edited', async () => {
    const { api, setUp, turnedOn } = made
    api.join.mockRejectedValueOnce(new Failure('sync-link', 'Used.', { variant: 'used' }))
    setUp.fillIn({ link: JOIN, kind: 'join' })
    await setUp.start()
    expect(setUp.failure).toMatch(/^This link was used already/)
    expect([setUp.step, setUp.link, setUp.isUnderWay]).toEqual([2, JOIN, false])
    expect(turnedOn).not.toHaveBeenCalled()
    setUp.edited()
    expect(setUp.failure).toBeNull()
  })

  it('the form stays unchanged if the user declines', async () => {
    const { api, setUp, turnedOn } = made
    api.join.mockRejectedValueOnce(declined)
    setUp.fillIn({ link: JOIN, kind: 'join' })
    await setUp.start()
    expect([setUp.step, setUp.link, setUp.failure]).toEqual([2, JOIN, null])
    expect(turnedOn).not.toHaveBeenCalled()
  })
})

describe('the server on this machine', () => {
  it('the server on this machine starts before its link is used to set up the list', async () => {
    const { api, setUp } = made
    setUp.choose('server')
    await setUp.start()
    expect(api.setUp).toHaveBeenCalledWith(NEW_LIST, 'Laptop')
    expect(api.stopServer).not.toHaveBeenCalled()
  })

  it('the server on this machine is stopped if no list was created', async () => {
    const { api, setUp } = made
    api.setUp.mockRejectedValueOnce(declined)
    setUp.choose('server')
    await setUp.start()
    expect(api.stopServer).toHaveBeenCalledOnce()
    expect([setUp.step, setUp.failure]).toEqual([2, null])
  })

  it('the server keeps running if it ran before or if the list was created', async () => {
    const { api, setUp } = made
    api.ownServer.mockResolvedValueOnce({ is_kept: true, is_running: true, address: '10.0.0.1:5000', fault: null })
    api.setUp.mockRejectedValue(new Failure('engine-lost', 'No reply.'))
    setUp.choose('server')
    await setUp.start()
    api.status.mockResolvedValue({ is_on: true } as Awaited<ReturnType<SyncApi['status']>>)
    await setUp.start()
    expect(api.setUp).toHaveBeenCalledTimes(2)
    expect(api.stopServer).not.toHaveBeenCalled()
  })
})
