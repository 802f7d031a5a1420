// Compares versions of the page and the server. [pure]

/** Whether `one` is newer than `other`; both have the form `1.2.3`. Text after a hyphen does not count. */
export function isNewer(one: string, other: string): boolean {
  const [ours, theirs] = [numbersOf(one), numbersOf(other)]
  const place = ours.findIndex((number, at) => number !== theirs[at])
  return place >= 0 && ours[place]! > theirs[place]!
}

function numbersOf(version: string): number[] {
  const parts = version.split(/[-+]/)[0]!.split('.')
  return [0, 1, 2].map((place) => Number.parseInt(parts[place] ?? '', 10) || 0)
}
