// Statistics of the simulated engine: its list and a simulated history.
import type { Counted, Registration, Source, Statistics } from '../api/api'
import { today } from '../api/day'

/** Past downloads that were added at one time from one source and have since left the list. */
export interface Past {
  source: Source
  created: number
  counted: Counted
}

const DAY = 86_400_000
const MB = 1_000_000

export function statisticsOf(listed: readonly Registration[], past: readonly Past[], now: number, days: number): Statistics {
  const all = [...past, ...listed.map((one) => ({ source: one.source, created: one.created, counted: countedOf(one) }))]
  const first = today(now - (days - 1) * DAY)
  const byDay = group(all, (one) => today(one.created)).filter(([day]) => day >= first)
  return {
    total: sum(all),
    sources: group(all, (one) => one.source).map(([source, of]) => ({ source, ...sum(of) })),
    days: byDay.sort(([one], [other]) => other.localeCompare(one)).map(([day, of]) => ({ day, ...sum(of) })),
  }
}

/** Two months of history with some empty days, the same on every call. */
export function pastOf(now: number): Past[] {
  return Array.from({ length: 61 }, (_, ago) => ago + 1).flatMap((ago) => {
    const turn = (ago * 7919) % 97
    if (turn % 7 === 0) return []
    const files = 1 + (turn % 23)
    const failed = turn % 5 === 0 ? 1 + (turn % 3) : 0
    const sources: readonly Source[] =
      turn % 3 === 0 ? ['window', 'command-line'] : turn % 3 === 1 ? ['window', 'feed'] : ['window']
    return sources.map((source, place) => ({
      source,
      created: now - ago * DAY,
      counted: {
        added: files + failed,
        succeeded: files,
        failed,
        retried: failed,
        uploaded: 0,
        downloaded: Math.round((turn * turn * 1.9 * MB) / (1 + 2 * place)),
      },
    }))
  })
}

function countedOf({ requests, succeeded, failed, downloaded, uploaded }: Registration): Counted {
  return { added: requests, succeeded, failed, retried: 0, downloaded: succeeded > 0 ? downloaded : 0, uploaded }
}

function group<Key extends string>(all: readonly Past[], keyOf: (one: Past) => Key): [Key, Past[]][] {
  const groups = new Map<Key, Past[]>()
  for (const one of all) {
    const key = keyOf(one)
    const of = groups.get(key)
    if (of === undefined) groups.set(key, [one])
    else of.push(one)
  }
  return [...groups]
}

function sum(of: readonly Past[]): Counted {
  const sums: Counted = { added: 0, succeeded: 0, failed: 0, retried: 0, downloaded: 0, uploaded: 0 }
  for (const { counted } of of) {
    for (const key of Object.keys(sums) as (keyof Counted)[]) sums[key] += counted[key]
  }
  return sums
}
