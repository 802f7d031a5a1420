// Dates in the statistics. [pure]

/** Local date such as `2026-11-22`. `now` is the current time in milliseconds of Unix time. */
export function today(now: number): string {
  const date = new Date(now)
  // Use the local date, but UTC midnight, because every UTC day has 24 hours.
  return written(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()))
}

/** UTC date of a moment. `at` is this moment in milliseconds of Unix time. */
export function written(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
