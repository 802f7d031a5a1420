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

it('the new download has the links, folder and page of the old one, and the title of a set', () => {
  const one = registration({ title: 'a.bin', folder: '/disk', page: 'https://a.example/' })
  expect(downloadedAgain(one, [{ url: 'https://a.example/a.bin' }], 'id')).toEqual({
    owner: 'window',
    source: 'window',
    developer_id: 'id',
    folder: '/disk',
    page: 'https://a.example/',
    requests: [{ url: 'https://a.example/a.bin' }],
  })
  const set = registration({ title: 'Set', requests: 2, page: null })
  const links = [{ url: 'https://a.example/1' }, { url: 'https://a.example/2' }]
  expect(downloadedAgain(set, links, 'id')).toMatchObject({ title: 'Set', requests: links })
})
