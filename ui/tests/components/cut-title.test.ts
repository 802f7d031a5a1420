import { expect, it } from 'vitest'

import { isCut } from '../../src/components/cut-title'

it('only text that is larger than its element is cut', () => {
  const fits = { scrollWidth: 81, clientWidth: 80, scrollHeight: 16, clientHeight: 16 }
  expect(isCut(fits)).toBe(false)
  expect(isCut({ ...fits, scrollWidth: 120 })).toBe(true)
  expect(isCut({ ...fits, scrollHeight: 48 }), 'further lines are hidden').toBe(true)
})
