// Speed limits to choose from. [pure]

/** Bytes a second, as the menu of the tray has them. Any other is set with `ashore limit`. */
const LIMITS = [100_000, 250_000, 500_000, 1_000_000, 5_000_000, 10_000_000] as const

/** Those, and the one that holds now where it is another. */
export function limitsWith(now: number | null): number[] {
  return [...new Set([...LIMITS, ...(now === null ? [] : [now])])].sort((one, other) => one - other)
}
