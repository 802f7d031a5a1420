// Presets of speed limits, and parsing of speed limits. [pure]

/** Preset limits in bytes per second, the same as in the tray menu. */
const LIMITS = [100_000, 250_000, 500_000, 1_000_000, 5_000_000, 10_000_000] as const

/** Preset limits, plus the current limit if it is not a preset. */
export function limitsWith(now: number | null): number[] {
  return [...new Set([...LIMITS, ...(now === null ? [] : [now])])].sort((one, other) => one - other)
}

/** Units of a typed limit. */
export const LIMIT_UNITS = ['kB', 'MB'] as const
export type LimitUnit = (typeof LIMIT_UNITS)[number]

const BYTES: { readonly [unit in LimitUnit]: number } = { kB: 1000, MB: 1_000_000 }

/**
 * Parses a limit into bytes per second; null for an empty field, undefined for text that is not valid. Accepts at most two
 * decimals, because a separator before three digits could also separate thousands.
 */
export function readLimit(typed: string, unit: LimitUnit): number | null | undefined {
  const bare = typed.replace(/\s/g, '').replace(',', '.')
  if (bare === '') return null
  return /^\d{1,9}(\.\d{1,2})?$/.test(bare) ? Math.round(Number(bare) * BYTES[unit]) : undefined
}

export interface WrittenLimit {
  typed: string
  unit: LimitUnit
}

/** Text and unit that show a limit in the field, with at most two decimals. */
export function writeLimit(limit: number | null): WrittenLimit {
  if (limit === null) return { typed: '', unit: 'kB' }
  const unit = limit >= BYTES.MB && limit % (BYTES.MB / 100) === 0 ? 'MB' : 'kB'
  return { typed: String(Math.round((limit / BYTES[unit]) * 100) / 100), unit }
}

/**
 * Parses the content of a field that showed the limit `before`. Without a change by the user, returns `before` itself, which
 * the field may show rounded.
 */
export function readChanged({ typed, unit }: WrittenLimit, before: number | null): number | null | undefined {
  const shown = writeLimit(before)
  return typed === shown.typed && unit === shown.unit ? before : readLimit(typed, unit)
}
