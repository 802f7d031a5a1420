import { expect, it } from 'vitest'

import { keyOf, readHeaders, twice, unfinished } from '../../src/add/duplicates'
import { registration } from '../registration'

const known = (link: number, is_same: boolean, change: Parameters<typeof registration>[0] = {}) => ({
  link,
  is_same,
  index: 0,
  registration: registration(change),
})

it('only unfinished downloads can continue with another link', () => {
  const of = (links: number, ...files: ReturnType<typeof known>[]) =>
    unfinished({ files, category: 'other', folder: '', is_name_taken: false }, links)
  const failed = { state: 'settled', result: 'failure', failureReason: 'bad-status' } as const
  const file = known(0, false, failed)
  expect(of(1, file)).toEqual([file])
  expect(of(1)).toEqual([])
  expect(of(1, known(0, true, { state: 'settled', result: 'success' }))).toEqual([])
  expect(of(1, known(0, true, { state: 'running' }))).toEqual([])
  expect(of(1, known(0, false, { state: 'running' })), 'the old link may have expired').toHaveLength(1)
  expect(of(1, known(0, true, { state: 'paused' }))).toHaveLength(1)
  expect(of(1, known(0, true, { state: 'paused', uploadTotal: 7 }))).toEqual([])

  const other = known(2, true, { ...failed, unique_id: 'b' })
  expect(of(4, file, known(1, false, failed), other)).toEqual([file, other])
  const waits = { state: 'waiting', unique_id: 'c' } as const
  expect(of(1, known(0, true, waits))).toHaveLength(1)
  expect(of(2, known(0, true, waits)), 'it waits with this very link').toEqual([])
  expect(of(2, known(0, false, waits))).toHaveLength(1)
})

it('links that differ in their query are not duplicates', () => {
  expect([
    ...twice({ files: [known(0, true), known(3, false), known(5, true)], category: 'other', folder: '', is_name_taken: false }),
  ]).toEqual([0, 5])
})

it('requests with different headers are probed separately', () => {
  const url = 'https://a.example/'
  expect(keyOf({ url })).toBe(keyOf({ url, headers: [] }))
  expect(keyOf({ url })).not.toBe(keyOf({ url, headers: [['A', 'b']] }))
  expect(keyOf({ url, name: 'c' })).toBe(keyOf({ url }))
})

it('header lines are parsed, and the first invalid line is reported', () => {
  expect(readHeaders('Referer: https://a.example/x:y\n\n  X-A :b ')).toEqual([
    ['Referer', 'https://a.example/x:y'],
    ['X-A', 'b'],
  ])
  expect(readHeaders('')).toEqual([])
  expect(readHeaders('A: b\nnone')).toBe(2)
  expect(readHeaders(': b')).toBe(1)
  expect(readHeaders('A B: c')).toBe(1)
})
