// How fast downloads went in the last minutes: remembered of what runs, from the events that come anyway, so that the graph
// is there when somebody opens it.
import type { Event } from '../api/api'
import { History, type Shown } from './speed-history'
import type { Downloads } from '../list/data/downloads.svelte'

/** Those that ran last; each is a number for every second. More than run at once, or each would push out the next. */
const REMEMBERED = 512
/** Seconds. */
const MINUTE = 60

export class Speeds {
  readonly #histories = new Map<string, History>()
  readonly #all = new History()

  constructor(downloads: Downloads) {
    downloads.watch((event) => this.#hear(event, Date.now()))
  }

  /** Null where nothing has run since the page is there. `at` in milliseconds of Unix time. */
  shown(id: string, at: number): Shown | null {
    return this.#histories.get(id)?.shown(at) ?? null
  }

  /** The last minute of everything together, or as much of it as is known, the oldest second first; null where nothing ran. */
  lastMinute(at: number): readonly (number | null)[] {
    const speeds = this.#all.shown(at).speeds.slice(-MINUTE)
    const first = speeds.findIndex((speed) => speed !== null)
    return first < 0 ? [] : speeds.slice(first)
  }

  #hear(event: Event, at: number): void {
    switch (event.type) {
      case 'totals':
        if (event.totals.running > 0 && !event.totals.paused) this.#all.add(at, event.totals.speed)
        else this.#all.stop(at)
        return
      case 'progress':
        return this.#of(event.unique_id).add(at, event.speed)
      case 'changed':
      case 'owed':
        if (event.registration.state !== 'running') this.#histories.get(event.registration.unique_id)?.stop(at)
        return
      case 'removed':
        this.#histories.delete(event.unique_id)
        return
      case 'lagged':
        // Some may have stopped unheard; what runs says so in a moment.
        for (const history of this.#histories.values()) history.stop(at)
    }
  }

  #of(id: string): History {
    const known = this.#histories.get(id)
    if (known !== undefined) return known
    const history = new History()
    this.#histories.set(id, history)
    // A map keeps the order in which its keys came.
    for (const oldest of this.#histories.keys()) {
      if (this.#histories.size <= REMEMBERED) break
      this.#histories.delete(oldest)
    }
    return history
  }
}
