import { expect, it } from 'vitest'

import { limitsWith, readChanged, readLimit, writeLimit } from '../../src/settings/speed-presets'
import { rateUnit } from '../../src/i18n/format'

it('speed presets are in ascending order and include the current limit once', () => {
  const usual = limitsWith(null)
  expect(limitsWith(1_000_000)).toEqual(usual)
  const own = limitsWith(2_097_152)
  expect(own.filter((limit) => !usual.includes(limit))).toEqual([2_097_152])
  expect([...own].sort((one, other) => one - other)).toEqual(own)
})

it('a typed speed limit is read in its unit, and empty text means unlimited', () => {
  const read = (typed: string): unknown => [readLimit(typed, 'kB'), readLimit(typed, 'MB')]
  expect(read(' ')).toEqual([null, null])
  expect(read('0')).toEqual([0, 0])
  expect(read(' 12 000 ')).toEqual([12_000_000, 12_000_000_000])
  expect([read('1.5'), read('0,25')]).toEqual([
    [1500, 1_500_000],
    [250, 250_000],
  ])
  for (const typed of ['fast', '-1', '12,000', '1.2.3', '2\u00a0MB', '1e6', '9'.repeat(13)])
    expect(readLimit(typed, 'kB'), typed).toBeUndefined()
})

it('a limit is shown in the unit in which it has at most two decimals', () => {
  expect([null, 750_000, 999_400, 1_000_000, 2_250_000, 1_234_567].map(writeLimit)).toEqual([
    { typed: '', unit: 'kB' },
    { typed: '750', unit: 'kB' },
    { typed: '999.4', unit: 'kB' },
    { typed: '1', unit: 'MB' },
    { typed: '2.25', unit: 'MB' },
    { typed: '1234.57', unit: 'kB' },
  ])
  expect(rateUnit('MB')).toBe('MB/s')
})

it('an unchanged field keeps the exact limit, and a changed field is read', () => {
  for (const limit of [null, 524_288, 999_400, 1_234_567, 2_250_000]) expect(readChanged(writeLimit(limit), limit)).toBe(limit)
  expect(writeLimit(524_288)).toEqual({ typed: '524.29', unit: 'kB' })
  expect(readChanged({ typed: '524.29', unit: 'MB' }, 524_288)).toBe(524_290_000)
  expect(readChanged({ typed: '524.3', unit: 'kB' }, 524_288)).toBe(524_300)
  expect(readChanged({ typed: '', unit: 'kB' }, 524_288)).toBeNull()
})
