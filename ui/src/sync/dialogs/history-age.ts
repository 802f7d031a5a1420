// Maximum ages of past downloads for the user to choose. Older ones are removed. [pure]

const DAY = 86_400_000

export const HISTORY_AGES = ['month', 'year', 'all'] as const
export type HistoryAge = (typeof HISTORY_AGES)[number]

const DAYS: { readonly [age in HistoryAge]: number } = { month: 30, year: 365, all: 0 }

/** Time before which a past download is older than `age`, in milliseconds of Unix time. */
export function beginningOf(age: HistoryAge, now: number): number {
  return now - DAYS[age] * DAY
}
