// Sizes, speeds and durations of settings as a number and a unit. The engine stores them as text, such as `512K`, or as a
// number of seconds. [pure]
import type { SettingValue } from '../api/api'
import type { SettingKind } from '../api/generated/SettingKind'

export type SizeUnit = 'B' | 'KiB' | 'MiB' | 'GiB' | 'kB' | 'MB' | 'GB'
export type TimeUnit = 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks'
/** Unit of a quantity. A duration with the unit `never` has no number. */
export type Unit = SizeUnit | TimeUnit | 'never'

/** Content of the field of a quantity. */
export interface Quantity {
  /** Number as text; empty for `never`. */
  typed: string
  unit: Unit
}

/** Number of bytes or seconds of each unit. */
const FACTORS: { readonly [unit in SizeUnit | TimeUnit]: number } = {
  B: 1,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  kB: 1000,
  MB: 1_000_000,
  GB: 1_000_000_000,
  seconds: 1,
  minutes: 60,
  hours: 3600,
  days: 86_400,
  weeks: 604_800,
}

const BINARY: readonly SizeUnit[] = ['KiB', 'MiB', 'GiB']
const DECIMAL: readonly SizeUnit[] = ['kB', 'MB', 'GB']
const TIMES: readonly TimeUnit[] = ['seconds', 'minutes', 'hours', 'days']
const PERIODS: readonly TimeUnit[] = ['minutes', 'hours', 'days', 'weeks']

/** Units in the settings file, in lower case. */
const SPELLED: { readonly [spelling: string]: SizeUnit } = {
  '': 'B',
  bytes: 'B',
  k: 'KiB',
  m: 'MiB',
  g: 'GiB',
  kib: 'KiB',
  mib: 'MiB',
  gib: 'GiB',
  kb: 'kB',
  mb: 'MB',
  gb: 'GB',
}
/** Spelling of each unit in the settings file, as in its defaults. */
const SPELLING: { readonly [unit in SizeUnit]: string } = { B: '', KiB: 'K', MiB: 'M', GiB: 'G', kB: 'kB', MB: 'MB', GB: 'GB' }

/** Whether a setting of this kind is shown as a number and a unit. */
export function isQuantity(kind: SettingKind): boolean {
  return kind.type === 'amount' || kind.type === 'period' || (kind.type === 'number' && kind.unit === 'seconds')
}

/** Units from which the user chooses. Contains `current`, and no unit that exceeds the maximum of the setting. */
export function unitsOf(kind: SettingKind, current: Unit): readonly Unit[] {
  if (kind.type === 'amount') return (['B', ...BINARY, ...DECIMAL] as const).filter((unit) => FACTORS[unit] <= kind.most)
  if (kind.type === 'number') return TIMES.filter((unit) => FACTORS[unit] <= kind.most)
  return ['never', ...(current === 'seconds' ? (['seconds'] as const) : []), ...PERIODS]
}

/**
 * Quantity that shows a value of the engine exactly, in the largest possible unit.
 *
 * A size stays in binary or in decimal units, as it is written, and has at most two decimals. A duration is a whole number,
 * except for parts of a second. Zero has the unit of `usual`, the default of the setting.
 */
export function quantityOf(kind: SettingKind, value: SettingValue, usual: SettingValue = value): Quantity {
  if (kind.type === 'amount') return sizeOf(String(value), String(usual))
  if (kind.type !== 'period') return timeIn(TIMES, Number(value))
  const seconds = secondsOf(String(value))
  return seconds === undefined ? { typed: '', unit: 'never' } : timeIn(['seconds', ...PERIODS], seconds)
}

/**
 * Value for the engine. Undefined if the text is not a number with at most two decimals, or if a period is not a whole number
 * of seconds.
 */
export function valueOf(kind: SettingKind, { typed, unit }: Quantity): string | undefined {
  if (unit === 'never') return unit
  const hundredths = hundredthsOf(typed)
  if (hundredths === undefined) return undefined
  const whole = hundredths * BigInt(FACTORS[unit])
  if (kind.type === 'amount') {
    // The engine refuses amounts below one byte. Rounded down, they would become 0.
    const bytes = whole > 0n && whole < 100n ? null : whole / 100n
    if (bytes === null) return withoutZeros(hundredths)
    // The engine rounds down, as here. The text keeps the number that the user typed.
    if (whole % 100n !== 0n) return withoutZeros(hundredths) + SPELLING[unit as SizeUnit]
    return spelled(inLargest(bytes, unit as SizeUnit))
  }
  if (kind.type === 'number') return withoutZeros(whole)
  if (whole % 100n !== 0n) return undefined
  const period = timeIn(['seconds', ...PERIODS], Number(whole / 100n))
  return `${period.typed}${period.unit[0]}`
}

/** Shortest and longest period that the engine accepts, in seconds. */
const PERIOD_LIMITS = [1, 36_525 * FACTORS.days] as const

/** Limits of the setting, if `value` is outside of them; otherwise null. */
export function limitsBeyond(kind: SettingKind, value: string): readonly [Quantity, Quantity] | null {
  if (kind.type === 'period') {
    const seconds = secondsOf(value)
    const [least, most] = PERIOD_LIMITS
    if (seconds === undefined || (seconds >= least && seconds <= most)) return null
    return [{ typed: String(least), unit: 'seconds' }, timeIn(['days'], most)]
  }
  if (kind.type !== 'amount' && kind.type !== 'number') return null
  const amount = kind.type === 'amount' ? Number(bytesOf(value) ?? 0n) : Number(value)
  if (amount >= kind.least && amount <= kind.most) return null
  return [quantityOf(kind, amountText(kind.least)), quantityOf(kind, amountText(kind.most))]
}

/** Number of a quantity, for the plural form of its unit; 0 for text that is not a number. */
export const numberOf = (typed: string): number => Number(hundredthsOf(typed) ?? 0n) / 100

/**
 * Bytes of an amount in any spelling that the engine accepts, such as `1.5G` or `5 MB`; undefined for other text. Rounds down
 * to whole bytes, like the engine.
 */
export function bytesOf(text: string): bigint | undefined {
  const [, whole, part = '', spelling = ''] = /^(\d{1,17})(?:\.(\d{1,3}))?\s*([a-z]*)$/i.exec(text.trim()) ?? []
  const unit = SPELLED[spelling.toLowerCase()]
  if (whole === undefined || unit === undefined) return undefined
  return (BigInt(whole + part.padEnd(3, '0')) * BigInt(FACTORS[unit])) / 1000n
}

/** Seconds of a period such as `30d`; undefined for other text, such as `never`. */
export function secondsOf(text: string): number | undefined {
  const [, count, letter] = /^(\d{1,12})([smhdw])$/i.exec(text.trim()) ?? []
  const unit = (['seconds', ...PERIODS] as const).find((one) => one[0] === letter?.toLowerCase())
  return unit === undefined ? undefined : Number(count) * FACTORS[unit]
}

function sizeOf(text: string, usual: string): Quantity {
  const bytes = bytesOf(text)
  if (bytes === undefined) return { typed: text, unit: 'B' }
  if (bytes === 0n) return { typed: '0', unit: bytesOf(usual) ? sizeOf(usual, usual).unit : unitIn(text) }
  const exact = inLargest(bytes, unitIn(text))
  // Show `1.1G` as it is written, because its whole bytes are not a short number of any larger unit.
  const [, written] = /^(\d+\.\d{1,2})[a-z ]+$/i.exec(text.trim()) ?? []
  return exact.unit === 'B' && written !== undefined ? { typed: written, unit: unitIn(text) } : exact
}

function unitIn(text: string): SizeUnit {
  return SPELLED[/[a-z]*$/i.exec(text.trim())![0].toLowerCase()] ?? 'B'
}

/** Writes bytes in the largest unit that shows them exactly, out of the units that are binary or decimal like `unit`. */
function inLargest(bytes: bigint, unit: SizeUnit): { typed: string; unit: SizeUnit } {
  const same = BINARY.includes(unit) ? BINARY : DECIMAL.includes(unit) ? DECIMAL : [...BINARY, ...DECIMAL]
  const fits = same.filter((one) => bytes >= FACTORS[one] && (bytes * 100n) % BigInt(FACTORS[one]) === 0n)
  const largest = fits.reduce<SizeUnit>((best, one) => (FACTORS[one] > FACTORS[best] ? one : best), 'B')
  return { typed: withoutZeros((bytes * 100n) / BigInt(FACTORS[largest])), unit: largest }
}

/** Writes seconds as a whole number of the largest possible unit. */
function timeIn(units: readonly TimeUnit[], seconds: number): { typed: string; unit: TimeUnit } {
  const unit = seconds > 0 ? units.findLast((one) => seconds % FACTORS[one] === 0) : undefined
  return { typed: String(unit === undefined ? seconds : seconds / FACTORS[unit]), unit: unit ?? 'seconds' }
}

/** Hundredths of a typed number. Accepts a comma as the decimal separator. */
function hundredthsOf(typed: string): bigint | undefined {
  const [, whole, part = ''] = /^(\d{1,16})(?:[.,](\d{1,2}))?$/.exec(typed.replace(/\s/g, '')) ?? []
  return whole === undefined ? undefined : BigInt(whole + part.padEnd(2, '0'))
}

/** Writes hundredths as a number without trailing zeros. */
function withoutZeros(hundredths: bigint): string {
  const part = String(hundredths % 100n)
    .padStart(2, '0')
    .replace(/0+$/, '')
  return part === '' ? String(hundredths / 100n) : `${hundredths / 100n}.${part}`
}

const spelled = ({ typed, unit }: { typed: string; unit: SizeUnit }): string => (typed === '0' ? '0' : typed + SPELLING[unit])

/** Writes a limit without an exponent. */
const amountText = (limit: number): string => (Number.isInteger(limit) ? String(BigInt(limit)) : String(limit))
