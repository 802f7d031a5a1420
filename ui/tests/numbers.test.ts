import { expect, it } from 'vitest'

import { count, moment, part, percent, rate, size, span } from '../src/lib/numbers'

it('says sizes with at most three digits', () => {
  expect([0, 999, 1000, 8_100_000, 99_940_000, 999_499, 999_500, 1e9, 4.25e12].map(size)).toEqual([
    '0 B', '999 B', '1 kB', '8.1 MB', '99.9 MB', '999 kB', '1 MB', '1 GB', '4.3 TB',
  ])
})

it('keeps the decimal of a speed, which changes all the time', () => {
  expect([0, 1e6, 11.42e6, 240e6].map(rate)).toEqual(['0 B/s', '1.0 MB/s', '11.4 MB/s', '240 MB/s'])
})

it('says a part in the unit of the whole, while that says something', () => {
  expect(part(3.1e9, 4.2e9)).toBe('3.1 of 4.2 GB')
  expect(part(12e6, 4.2e9)).toBe('12 MB of 4.2 GB')
  expect(part(0, 4.2e9)).toBe('0.0 of 4.2 GB')
})

it('says spans no more exactly than they can be known', () => {
  expect([0, 0.2, 40, 59.1, 61, 3599, 3600, 12_000, 40_000, 90_000, 200_000].map(span)).toEqual([
    '1 s', '1 s', '40 s', '1 min', '1 min', '1 h', '1 h', '3 h 20 min', '11 h', '1 day', '2 days',
  ])
})

it('groups thousands and bounds percentages', () => {
  expect([7, 999, 1000, 100_000].map(count)).toEqual(['7', '999', '1,000', '100,000'])
  expect([percent(1, 0), percent(0, 9), percent(8.99, 9), percent(9, 9), percent(10, 9)]).toEqual([0, 0, 99, 100, 100])
})

it('says the time of day as the person writes it', () => {
  const at = Date.UTC(2026, 9, 3, 14, 2)
  expect(moment(at, at + 1000, { tag: 'en-GB', timeZone: 'UTC' })).toBe('14:02')
  expect(moment(at, at + 1000, { tag: 'en-US', timeZone: 'UTC' })).toMatch(/^2:02\sPM$/)
  expect(moment(at, at + 12 * 3600_000, { tag: 'en-GB', timeZone: 'UTC' })).toBe('3 Oct, 14:02')
})
