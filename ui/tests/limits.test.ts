import { expect, it } from 'vitest'

import { limitsWith } from '../src/lib/limits'

it('the limit of now is among those to choose from, in its place and once', () => {
  const usual = limitsWith(null)
  expect(limitsWith(1_000_000)).toEqual(usual)
  const own = limitsWith(2_097_152)
  expect(own.filter((limit) => !usual.includes(limit))).toEqual([2_097_152])
  expect([...own].sort((one, other) => one - other)).toEqual(own)
})
