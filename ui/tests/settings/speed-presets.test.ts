import { expect, it } from 'vitest'

import { limitsWith, readLimit } from '../../src/settings/speed-presets'

it('speed presets are in ascending order and include the current limit once', () => {
  const usual = limitsWith(null)
  expect(limitsWith(1_000_000)).toEqual(usual)
  const own = limitsWith(2_097_152)
  expect(own.filter((limit) => !usual.includes(limit))).toEqual([2_097_152])
  expect([...own].sort((one, other) => one - other)).toEqual(own)
})

it('a typed speed limit is read as kB/s, and empty text means unlimited', () => {
  expect(['', ' ', '0', '750', ' 12 000 '].map(readLimit)).toEqual([null, null, 0, 750_000, 12_000_000])
  for (const typed of ['fast', '-1', '1.5', '2\u00a0MB', '1e6', '9'.repeat(13)]) expect(readLimit(typed), typed).toBeUndefined()
})
