// Calculates the visible lines of a long list in pixels. [pure]

export interface Extent {
  /** Number of lines. */
  count: number
  /** Pixels above a line; `startOf(count)` is the total height. Must not decrease from line to line. */
  startOf: (line: number) => number
}

/** Extra lines rendered above and below the visible ones. */
export const MORE = 6

/** Line at this pixel offset, or the nearest line. The list must not be empty. */
export function lineAt({ count, startOf }: Extent, pixels: number): number {
  let [low, high] = [0, count - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (startOf(middle) <= pixels) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * Range of lines to render for a viewport of `height` pixels at `offset`, with `more` extra lines on either side.
 * `to` is one past the last line.
 */
export function seen(extent: Extent, offset: number, height: number, more = MORE): { from: number; to: number } {
  const { count } = extent
  if (count === 0) return { from: 0, to: 0 }
  const first = lineAt(extent, offset)
  const last = lineAt(extent, offset + height)
  return { from: Math.max(0, first - more), to: Math.min(count, last + 1 + more) }
}

/**
 * First visible line at `offset` and the number of its hidden pixels; null if no line is visible. Uses the
 * rendered items, because newly computed positions differ from the positions on the screen.
 */
export function firstSeen(
  items: readonly { line: number; start: number; size: number }[],
  offset: number,
): { line: number; hidden: number } | null {
  const first = items.find(({ start, size }) => start + size > offset)
  return first === undefined ? null : { line: first.line, hidden: offset - first.start }
}

/** Whether the items are exactly the lines from `from` up to but not including `to`. */
export function sameLines(items: readonly { line: number }[], from: number, to: number): boolean {
  return items.length > 0 && items.length === to - from && items[0]!.line === from
}
