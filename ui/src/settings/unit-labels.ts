// Names of the units of settings, in the language of the page. [pure, except for the language]
import type { SettingKind } from '../api/generated/SettingKind'
import { say, spoken } from '../i18n/i18n.svelte'
import { numberOf, type Quantity, type Unit } from './quantities'

const BINARY = spoken({ KiB: 'settings-unit.kib', MiB: 'settings-unit.mib', GiB: 'settings-unit.gib' })

const TIMES: { readonly [unit in Unit]?: (count: number) => string } = {
  seconds: (count) => say('settings-unit-seconds', { count }),
  minutes: (count) => say('settings-unit-minutes', { count }),
  hours: (count) => say('settings-unit-hours', { count }),
  days: (count) => say('settings-unit-days', { count }),
  weeks: (count) => say('settings-unit-weeks', { count }),
}

export const unitWords = spoken({
  unitOf: (name: string) => say('settings-unit', { name }),
  never: 'settings-unit.never',
  wrong: 'settings-number-wrong',
  outside: (least: string, most: string) => say('settings-outside', { least, most }),
})

/** Name of a unit after the number `typed`, such as `MiB/s` or `days`. */
export function unitName(kind: SettingKind, unit: Unit, typed: string): string {
  if (unit === 'never') return unitWords.never
  const time = TIMES[unit]
  if (time !== undefined) return time(numberOf(typed))
  const size = unit in BINARY ? BINARY[unit as keyof typeof BINARY] : say('size', { amount: '', unit }).trim()
  return kind.type === 'amount' && kind.is_speed ? say('rate', { size }) : size
}

/** Text of a quantity, such as `10 GiB/s`. */
export function quantityText(kind: SettingKind, { typed, unit }: Quantity): string {
  return `${typed}\u00a0${unitName(kind, unit, typed)}`
}
