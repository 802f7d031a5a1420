import { expect, it } from 'vitest'

import table from '../../../locales/numbers.json'
import { count, files, filesOf, limit, moment, part, percent, rate, size, span } from '../../src/i18n/format'

// Uses the same table as the tests of the desktop program. Unlike that program, the page keeps an amount and its unit
// on one line.
it('sizes, shares, speeds and durations match those of the shell', () => {
  const whole = (said: unknown) =>
    String(said)
      .replaceAll(/ (?!of)(?<!of )/g, '\u00a0')
      .replaceAll('/', '/\u2060')
  for (const [bytes, said] of table.size) expect(size(Number(bytes)), String(bytes)).toBe(whole(said))
  for (const [done, total, said] of table.part) expect(part(Number(done), Number(total)), `${done} of ${total}`).toBe(whole(said))
  for (const [bytes, said] of table.rate) expect(rate(Number(bytes)), String(bytes)).toBe(whole(said))
  for (const [bytes, said] of table.limit) expect(limit(Number(bytes)), String(bytes)).toBe(whole(said))
  for (const [seconds, said] of table.span) expect(span(Number(seconds)), String(seconds)).toBe(whole(said))
})

it('thousands are grouped, and percentages stay between 0 and 100', () => {
  expect([7, 999, 1000, 100_000].map(count)).toEqual(['7', '999', '1,000', '100,000'])
  expect([percent(1, 0), percent(0, 9), percent(8.99, 9), percent(9, 9), percent(10, 9)]).toEqual([0, 0, 99, 100, 100])
})

it('numbers of files are grouped like counts', () => {
  expect([files(2000), filesOf(1000, 2001)]).toEqual(['2,000 files', '1,000 of 2,001 files'])
})

it('time of day follows the locale', () => {
  const at = Date.UTC(2026, 9, 3, 14, 2)
  expect(moment(at, at + 1000, { tag: 'en-GB', timeZone: 'UTC' })).toBe('14:02')
  expect(moment(at, at + 1000, { tag: 'en-US', timeZone: 'UTC' })).toMatch(/^2:02\sPM$/)
  expect(moment(at, at + 12 * 3600_000, { tag: 'en-GB', timeZone: 'UTC' })).toBe('3 Oct, 14:02')
})
