import { expect, it } from 'vitest'

import { bytesOf, limitsBeyond, quantityOf, secondsOf, type Unit, unitsOf, valueOf } from '../../src/settings/quantities'
import { quantityText, unitName } from '../../src/settings/unit-labels'
import { pretendSettings, put } from '../../src/mock/settings'
import { speak } from '../../src/i18n/i18n.svelte'
import type { SettingKind } from '../../src/api/generated/SettingKind'

const size: SettingKind = { type: 'amount', least: 0, most: 2 ** 53, is_speed: false }
const speed: SettingKind = { type: 'amount', least: 1024, most: 10 * 2 ** 30, is_speed: true }
const seconds: SettingKind = { type: 'number', least: 0.05, most: 3600, is_whole: false, unit: 'seconds' }
const period: SettingKind = { type: 'period' }

const shown = (kind: SettingKind, value: string | number, usual: string | number = value): string => {
  const { typed, unit } = quantityOf(kind, value, usual)
  return `${typed} ${unit}`.trim()
}

it('a size in every spelling of the settings file is shown in the largest unit that is exact', () => {
  for (const [text, wanted] of [
    ['700', '700 B'],
    ['700 bytes', '700 B'],
    ['512K', '512 KiB'],
    ['1024K', '1 MiB'],
    ['1536 KiB', '1.5 MiB'],
    ['1.5g', '1.5 GiB'],
    [' 2m ', '2 MiB'],
    ['5mib', '5 MiB'],
    ['5MB', '5 MB'],
    ['5000 kb', '5 MB'],
    ['1.5 GB', '1.5 GB'],
    ['1048576', '1 MiB'],
    ['5000000', '5 MB'],
    ['1.001K', '1025 B'],
    ['1023K', '1023 KiB'],
    ['8418.04G', '8418.04 GiB'],
    ['1.1g', '1.1 GiB'],
    ['0.1 GiB', '0.1 GiB'],
    ['9007199254740993', '9007199254740993 B'],
  ] as const) {
    expect(shown(size, text), text).toBe(wanted)
    expect(bytesOf(valueOf(size, quantityOf(size, text))!), text).toBe(bytesOf(text))
  }
})

it('zero has the unit of the default', () => {
  expect(shown(size, '0', '512M')).toBe('0 MiB')
  expect(shown(size, '0G', '0')).toBe('0 GiB')
  expect(valueOf(size, { typed: '0', unit: 'GiB' })).toBe('0')
})

it('a duration is shown as a whole number of the largest unit', () => {
  for (const [value, wanted] of [
    [0, '0 seconds'],
    [0.05, '0.05 seconds'],
    [1.5, '1.5 seconds'],
    [10, '10 seconds'],
    [90, '90 seconds'],
    [600, '10 minutes'],
    [3600, '1 hours'],
    [259_200, '3 days'],
  ] as const) {
    expect(shown(seconds, value), wanted).toBe(wanted)
    expect(Number(valueOf(seconds, quantityOf(seconds, value))), wanted).toBe(value)
  }
  for (const [value, wanted] of [
    ['never', 'never'],
    ['90s', '90 seconds'],
    ['30M', '30 minutes'],
    ['12h', '12 hours'],
    ['24h', '1 days'],
    ['30d', '30 days'],
    ['28d', '4 weeks'],
    [' 7d ', '1 weeks'],
  ] as const) {
    expect(shown(period, value), value).toBe(wanted)
    expect(secondsOf(valueOf(period, quantityOf(period, value))!), value).toBe(secondsOf(value))
  }
})

it('a typed quantity becomes a value that the engine accepts', () => {
  const typed = (kind: SettingKind, typed: string, unit: Unit) => valueOf(kind, { typed, unit })
  expect(typed(size, '512', 'KiB')).toBe('512K')
  expect(typed(size, '0.5', 'MiB')).toBe('512K')
  expect(typed(size, '1,5', 'GB')).toBe('1.5GB')
  expect(typed(size, ' 20 ', 'MB')).toBe('20MB')
  expect(typed(size, '0.5', 'B')).toBe('0.5')
  expect(typed(seconds, '1.5', 'minutes')).toBe('90')
  expect(typed(seconds, '0.05', 'seconds')).toBe('0.05')
  expect(typed(period, '30', 'days')).toBe('30d')
  expect(typed(period, '1.5', 'days')).toBe('36h')
  expect(typed(period, '', 'never')).toBe('never')
  for (const wrong of ['', '-1', '1e3', 'ten', '1.2.3', '1.500']) {
    expect(typed(size, wrong, 'MiB'), wrong).toBeUndefined()
  }
  expect(typed(period, '0.01', 'minutes')).toBeUndefined()
})

it('every setting with a size or a duration keeps its value if its shown quantity is saved', () => {
  for (const { key, kind, value, default: usual } of pretendSettings(false).settings) {
    if (!unitsOf(kind, 'MiB').includes(quantityOf(kind, value, usual).unit)) continue
    expect(valueOf(kind, quantityOf(kind, value, usual)), key).toBe(String(value))
  }
})

it('the units of a setting end at its maximum', () => {
  expect(unitsOf(speed, 'KiB')).toContain('GB')
  expect(unitsOf(seconds, 'seconds')).toEqual(['seconds', 'minutes', 'hours'])
  expect(unitsOf(period, 'days')).toEqual(['never', 'minutes', 'hours', 'days', 'weeks'])
  expect(unitsOf(period, 'seconds')).toContain('seconds')
})

it('a value outside of the limits is refused with both limits', () => {
  expect(limitsBeyond(speed, '1K')).toBeNull()
  const limits = limitsBeyond(speed, '11G')!.map((limit) => quantityText(speed, limit))
  expect(limits).toEqual(['1\u00a0KiB/s', '10\u00a0GiB/s'])
  expect(limitsBeyond(seconds, '0.01')!.map((limit) => quantityText(seconds, limit))).toEqual([
    '0.05\u00a0seconds',
    '1\u00a0hour',
  ])
  for (const wrong of ['0s', '36526d']) {
    expect(limitsBeyond(period, wrong)!.map((limit) => quantityText(period, limit))).toEqual(['1\u00a0second', '36525\u00a0days'])
  }
  expect(limitsBeyond(period, '36525d')).toBeNull()
  expect(limitsBeyond(period, 'never')).toBeNull()
})

it('units have names in the language of the page', async () => {
  expect(unitName(period, 'days', '1')).toBe('day')
  expect(unitName(period, 'days', '30')).toBe('days')
  expect(unitName(size, 'B', '1')).toBe('B')
  await speak('fr')
  expect([unitName(size, 'MiB', '1'), unitName(speed, 'MB', '1')]).toEqual(['Mio', 'Mo/s'])
  await speak('ru')
  expect(['1', '2', '5', '1.5'].map((typed) => unitName(period, 'hours', typed))).toEqual(['час', 'часа', 'часов', 'часа'])
  await speak('en')
})

it('the simulated engine refuses invalid sizes and periods', () => {
  const report = pretendSettings(false)
  expect(() => put(report, 'slow-speed', '11G')).toThrow('must be from')
  expect(() => put(report, 'free-space-floor', 'much')).toThrow('not a number of bytes')
  expect(() => put(report, 'forget-finished-after', '0s')).toThrow('one second to a hundred years')
  expect(() => put(report, 'forget-finished-after', 'soon')).toThrow('not a length of time')
  const changed = put(report, 'forget-finished-after', 'never').settings.find(({ key }) => key === 'forget-finished-after')
  expect(changed?.value).toBe('never')
})
