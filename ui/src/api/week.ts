// Weekly schedule of the speed limit, and changes of the schedule. [pure]
import type { Week } from './api'

export type SpeedCode = 'f' | 's' | 'o'

export interface Cell {
  /** Day of the week; Monday is 0. */
  day: number
  /** Half hours since midnight, 0 to 47. */
  half: number
}

/** Returns the week with the rectangle between two corner cells set to `pace`. */
export function painted(week: Week, from: Cell, to: Cell, pace: SpeedCode): Week {
  const [firstDay, lastDay] = [Math.min(from.day, to.day), Math.max(from.day, to.day)]
  const [first, last] = [Math.min(from.half, to.half), Math.max(from.half, to.half)]
  const days = week.days.map((day, number) =>
    number < firstDay || number > lastDay ? day : day.slice(0, first) + pace.repeat(last - first + 1) + day.slice(last + 1),
  )
  return { days: days as Week['days'], is_exact: true }
}
