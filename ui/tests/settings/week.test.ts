import { expect, test } from 'vitest'

import type { Week } from '../../src/api/api'
import { painted } from '../../src/api/week'
import { dayNames, HALVES, isSame, lineInWords, paceAt, step, time } from '../../src/settings/week'

const full: Week = { days: Array.from({ length: 7 }, () => 'f'.repeat(HALVES)) as Week['days'], is_exact: false }

test('painting the week grid fills the rectangle between two corners', () => {
  const down = painted(full, { day: 1, half: 4 }, { day: 2, half: 7 }, 'o')
  expect(isSame(down, painted(full, { day: 2, half: 7 }, { day: 1, half: 4 }, 'o'))).toBe(true)
  expect(isSame(down, painted(full, { day: 1, half: 7 }, { day: 2, half: 4 }, 'o'))).toBe(true)
  expect(down.days[1]).toBe('ffff' + 'oooo' + 'f'.repeat(40))
  expect(down.days[3]).toBe(full.days[3])
  expect(down.is_exact).toBe(true)
  expect(paceAt(down, { day: 2, half: 7 })).toBe('o')
  expect(paceAt(down, { day: 2, half: 8 })).toBe('f')
  expect(isSame(painted(down, { day: 0, half: 0 }, { day: 6, half: 47 }, 'f'), full)).toBe(true)
})

test('painting and arrow keys stop at the edges of the week grid', () => {
  expect(painted(full, { day: 6, half: 47 }, { day: 6, half: 47 }, 's').days[6]).toBe('f'.repeat(47) + 's')
  expect(step({ day: 0, half: 0 }, 'ArrowLeft')).toEqual({ day: 0, half: 0 })
  expect(step({ day: 6, half: 47 }, 'ArrowDown')).toEqual({ day: 6, half: 47 })
  expect(step({ day: 3, half: 9 }, 'End')).toEqual({ day: 3, half: 47 })
  expect(step({ day: 3, half: 9 }, 'x')).toBeNull()
})

test('times have two digits, and day names follow the locale', () => {
  expect([0, 17, 48].map(time)).toEqual(['00:00', '08:30', '24:00'])
  expect(dayNames('short', 'en')).toEqual(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'])
  expect(dayNames('long', 'de')[0]).toBe('Montag')
})

test('lines of the settings file are shown in the language of the page', () => {
  expect(lineInWords('mon-fri 08:00-18:00 slow', 'en')).toBe('Mon–Fri, 08:00 to 18:00: Slow')
  expect(lineInWords('sat,sun 22:00-06:30 off', 'en')).toBe('Sat, Sun, 22:00 to 06:30: Off')
  expect(lineInWords('Daily  00:00-24:00 full', 'de')).toBe('Mo–So, 00:00 to 24:00: Full speed')
  for (const line of ['weekdays 08:00-18:00 slow', 'mon 8 slow', 'mon 08:00-09:00 fast']) expect(lineInWords(line)).toBe(line)
})
