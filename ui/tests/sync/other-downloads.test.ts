import { describe, expect, it } from 'vitest'

import type { RemoteDownload } from '../../src/api/sync-api'
import { inEnglish } from '../../src/i18n/engine-messages'
import { actionsOn, byMachine, isPossible, requestedText, stateText } from '../../src/sync/other-downloads'

const download = (parts: Partial<RemoteDownload> = {}): RemoteDownload => ({
  id: 'a',
  title: 'debian.iso',
  device: 'd1',
  device_name: 'Desktop',
  state: 'running',
  requested: 'run',
  failure: null,
  size: null,
  created_ms: 0,
  is_complete: true,
  ...parts,
})

describe('byMachine', () => {
  it('byMachine sorts machines by name and keeps the order of the downloads of each machine', () => {
    const groups = byMachine([
      download({ id: '1', device: 'l', device_name: 'Laptop' }),
      download({ id: '2' }),
      download({ id: '3', device: 'l', device_name: 'Laptop' }),
    ])
    expect(groups.map(({ name, downloads }) => [name, downloads.map(({ id }) => id)])).toEqual([
      ['Desktop', ['2']],
      ['Laptop', ['1', '3']],
    ])
  })

  it('byMachine separates two machines that have the same name', () => {
    const groups = byMachine([download({ device: 'b' }), download({ device: 'a' })])
    expect(groups.map(({ device }) => device)).toEqual(['a', 'b'])
    expect(byMachine([])).toEqual([])
  })
})

describe('stateText', () => {
  it.each([
    ['running', 'Desktop is fetching it'],
    ['paused', 'Paused on Desktop'],
    ['queued', 'Queued on Desktop'],
    ['done', 'Finished on Desktop'],
    ['failed', 'Failed on Desktop'],
    ['unheard-of', 'Queued on Desktop'],
  ])('the text for the state %s contains the name of the machine', (state, text) => {
    expect(stateText(download({ state }))).toBe(text)
  })

  it('the text for a failed download names the cause', () => {
    const failure = inEnglish('bad-status.gone')
    expect(stateText(download({ state: 'failed', failure }))).toBe('Failed on Desktop: file not found on the server')
  })
})

describe('requestedText', () => {
  it.each([
    ['running', 'run', null],
    ['running', 'paused', 'Pause requested'],
    ['queued', 'paused', 'Pause requested'],
    ['paused', 'paused', null],
    ['paused', 'run', 'Resume requested'],
    ['running', 'removed', 'Removal requested'],
    ['done', 'removed', 'Removal requested'],
    ['done', 'paused', null],
    ['failed', 'paused', null],
  ])('for the state %s and the requested state %s, the shown request is %s', (state, requested, text) => {
    expect(requestedText(download({ state, requested }))).toBe(text)
  })
})

describe('the actions', () => {
  it('the first action is "resume" if a pause was requested, and "pause" otherwise', () => {
    expect(actionsOn(download())[0]).toBe('pause')
    expect(actionsOn(download({ requested: 'paused' }))[0]).toBe('resume')
    expect(actionsOn(download({ state: 'paused', requested: 'run' }))[0]).toBe('pause')
  })

  it('an ended download cannot be paused, and a complete one cannot be moved', () => {
    expect(actionsOn(download({ state: 'done' }))).toEqual(['fetch-here', 'remove'])
    expect(actionsOn(download({ state: 'failed' }))).toEqual(['fetch-here', 'move-here', 'remove'])
    expect(actionsOn(download({ requested: 'removed' }))).toEqual(['fetch-here'])
  })

  it('actions that need the links are disabled if the links are missing', () => {
    const incomplete = download({ is_complete: false })
    expect(actionsOn(incomplete).filter((change) => isPossible(incomplete, change))).toEqual(['pause', 'remove'])
    expect(actionsOn(download()).every((change) => isPossible(download(), change))).toBe(true)
  })
})
