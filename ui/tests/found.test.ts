import { expect, it } from 'vitest'

import { keyOf, readHeaders, twice, unfinished } from '../src/lib/found'
import { registration } from './registration'

const known = (link: number, is_same: boolean, change: Parameters<typeof registration>[0] = {}) => ({ link, is_same, index: 0, registration: registration(change) })

it('only an unfinished download can go on with the only link', () => {
  const failed = { state: 'settled', result: 'failure', failureReason: 'bad-status' } as const
  const file = known(0, false, failed)
  expect(unfinished({ files: [file], category: 'other', folder: '', is_name_taken: false }, 1)).toBe(file)
  expect(unfinished({ files: [file], category: 'other', folder: '', is_name_taken: false }, 2)).toBeNull()
  expect(unfinished({ files: [], category: 'other', folder: '', is_name_taken: false }, 1)).toBeNull()
  expect(unfinished({ files: [known(0, true, { state: 'settled', result: 'success' })], category: 'other', folder: '', is_name_taken: false }, 1)).toBeNull()
  expect(unfinished({ files: [known(0, true, { state: 'running' })], category: 'other', folder: '', is_name_taken: false }, 1)).toBeNull()
  expect(unfinished({ files: [known(0, true, { state: 'paused' })], category: 'other', folder: '', is_name_taken: false }, 1)).not.toBeNull()
  expect(unfinished({ files: [known(0, true, { state: 'paused', uploadTotal: 7 })], category: 'other', folder: '', is_name_taken: false }, 1)).toBeNull()
})

it('links that differ in what follows the question mark are not there twice', () => {
  expect([...twice({ files: [known(0, true), known(3, false), known(5, true)], category: 'other', folder: '', is_name_taken: false })]).toEqual([0, 5])
})

it('another header is another question', () => {
  const url = 'https://a.example/'
  expect(keyOf({ url })).toBe(keyOf({ url, headers: [] }))
  expect(keyOf({ url })).not.toBe(keyOf({ url, headers: [['A', 'b']] }))
  expect(keyOf({ url, name: 'c' })).toBe(keyOf({ url }))
})

it('headers are read line by line, and the first that is none is named', () => {
  expect(readHeaders('Referer: https://a.example/x:y\n\n  X-A :b ')).toEqual([['Referer', 'https://a.example/x:y'], ['X-A', 'b']])
  expect(readHeaders('')).toEqual([])
  expect(readHeaders('A: b\nnone')).toBe(2)
  expect(readHeaders(': b')).toBe(1)
  expect(readHeaders('A B: c')).toBe(1)
})
