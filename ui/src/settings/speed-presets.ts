// Presets of speed limits, and parsing of speed limits. [pure]

/** Preset limits in bytes per second, the same as in the tray menu. */
const LIMITS = [100_000, 250_000, 500_000, 1_000_000, 5_000_000, 10_000_000] as const

/** Preset limits, plus the current limit if it is not a preset. */
export function limitsWith(now: number | null): number[] {
  return [...new Set([...LIMITS, ...(now === null ? [] : [now])])].sort((one, other) => one - other)
}

/** Parses a limit in kB/s into bytes per second; null for an empty field, undefined for text that is not a number. */
export function readLimit(typed: string): number | null | undefined {
  const bare = typed.replace(/\s/g, '')
  if (bare === '') return null
  return /^\d{1,12}$/.test(bare) ? Number(bare) * 1000 : undefined
}
