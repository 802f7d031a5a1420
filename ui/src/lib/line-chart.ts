// Geometry of a line chart of values over time. [pure]

/** Upper end of an axis that includes `highest`: a round number whose half is also round. */
export function topOf(highest: number): number {
  const least = Math.max(highest, 1000)
  const power = 10 ** Math.floor(Math.log10(least))
  return [1, 2, 4, 5, 10].map((step) => step * power).find((top) => top >= least) ?? 10 * power
}

export interface Outline {
  line: string
  area: string
}

/** SVG paths in a box of this size. A second in which no download was running interrupts the line. */
export function outline(speeds: readonly (number | null)[], top: number, width: number, height: number): Outline {
  const step = speeds.length > 1 ? width / (speeds.length - 1) : 0
  const x = (place: number) => round(place * step)
  const lines: string[] = []
  const areas: string[] = []
  let begun: number | null = null
  let points: string[] = []
  speeds.forEach((speed, place) => {
    if (speed !== null) {
      begun ??= place
      points.push(`${x(place)} ${round(height - (Math.min(speed, top) / top) * height)}`)
    }
    if (begun === null || (speed !== null && place < speeds.length - 1)) return
    const end = speed === null ? place - 1 : place
    // Draw a short stroke, because a single point would be invisible.
    const stroke = points.length === 1 ? `${points[0]} h 1` : points.join(' L ')
    lines.push(`M ${stroke}`)
    areas.push(`M ${x(begun)} ${height} L ${points.join(' L ')} L ${x(end)} ${height} Z`)
    begun = null
    points = []
  })
  return { line: lines.join(' '), area: areas.join(' ') }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
