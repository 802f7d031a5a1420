// Which lines of a long list can be seen, by pixels. [pure]

export interface Extent {
  /** How many lines there are. */
  count: number
  /** Pixels before a line; before the end, where it is given `count`. Never less for a later one. */
  startOf: (line: number) => number
}

/** So many more lines at either side are there before they are scrolled to. */
export const MORE = 6

/** The line that is so many pixels from the beginning, or the nearest. At least one line has to be there. */
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
 * The lines to be on the page, from the first to the one after the last, where `height` pixels are seen from `offset` on, with so
 * many more at either side.
 */
export function seen(extent: Extent, offset: number, height: number, more = MORE): { from: number; to: number } {
  const { count } = extent
  if (count === 0) return { from: 0, to: 0 }
  const first = lineAt(extent, offset)
  const last = lineAt(extent, offset + height)
  return { from: Math.max(0, first - more), to: Math.min(count, last + 1 + more) }
}

/**
 * The first line that can be seen from `offset` on, and how many pixels of it cannot; null where none is there. It goes by what
 * is on the page: where lines stand now says nothing of where they stood when somebody looked at them.
 */
export function firstSeen(
  items: readonly { line: number; start: number; size: number }[],
  offset: number,
): { line: number; hidden: number } | null {
  const first = items.find(({ start, size }) => start + size > offset)
  return first === undefined ? null : { line: first.line, hidden: offset - first.start }
}

/** Are these the lines from `from` to before `to`? */
export function sameLines(items: readonly { line: number }[], from: number, to: number): boolean {
  return items.length > 0 && items.length === to - from && items[0]!.line === from
}
