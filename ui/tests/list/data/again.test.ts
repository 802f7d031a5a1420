import { expect, it } from 'vitest'

import { downloadedAgain, mayDownloadAgain } from '../../../src/list/data/again'
import { registration } from '../../registration'

it('complete and cancelled downloads can be downloaded again, but not uploads', () => {
  const done = registration({ state: 'settled', result: 'success' })
  expect(mayDownloadAgain(done)).toBe(true)
  expect(mayDownloadAgain({ ...done, result: 'failure', failureReason: 'aborted' })).toBe(true)
  expect(mayDownloadAgain({ ...done, uploadTotal: 1 })).toBe(false)
  for (const other of [{ result: 'failure', failureReason: 'fetch-error' }, { state: 'running' }, { state: 'paused' }] as const) {
    expect(mayDownloadAgain({ ...done, ...other }), JSON.stringify(other)).toBe(false)
  }
})

const file = (url: string, headers: [string, string][] = [], method = 'GET') => ({ record: { url, method }, headers })

it('the new download has the links, folder and page of the old one, and the title of a set', () => {
  const one = registration({ title: 'a.bin', folder: '/disk', page: 'https://a.example/' })
  expect(downloadedAgain(one, [file('https://a.example/a.bin')], 'id')).toEqual({
    owner: 'window',
    source: 'window',
    developer_id: 'id',
    folder: '/disk',
    page: 'https://a.example/',
    requests: [{ url: 'https://a.example/a.bin' }],
  })
  const set = registration({ title: 'Set', requests: 2, page: null })
  const links = [file('https://a.example/1'), file('https://a.example/2')]
  expect(downloadedAgain(set, links, 'id')).toMatchObject({
    title: 'Set',
    requests: links.map(({ record: { url } }) => ({ url })),
  })
})

it('the new download has the headers and the method of each file', () => {
  const files = [file('https://a.example/1', [['Accept', 'text/csv']]), file('https://a.example/2', [], 'POST')]
  expect(downloadedAgain(registration({ requests: 2 }), files, 'id').requests).toEqual([
    { url: 'https://a.example/1', headers: [['Accept', 'text/csv']] },
    { url: 'https://a.example/2', method: 'POST' },
  ])
})
