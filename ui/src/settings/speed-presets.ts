// Speed limits to choose from. [pure]

/** Bytes a second, as the menu of the tray has them. */
const LIMITS = [100_000, 250_000, 500_000, 1_000_000, 5_000_000, 10_000_000] as const

/** Those, and the one that holds now where it is another. */
export function limitsWith(now: number | null): number[] {
  return [...new Set([...LIMITS, ...(now === null ? [] : [now])])].sort((one, other) => one - other)
}

/** Bytes a second of what was typed in thousands of them; null where nothing was, undefined where that is no number. */
export function readLimit(typed: string): number | null | undefined {
  const bare = typed.replace(/\s/g, '')
  if (bare === '') return null
  return /^\d{1,12}$/.test(bare) ? Number(bare) * 1000 : undefined
}
