// Speed histories of running downloads. They are recorded from events even while no chart is open, so that a chart has
// data when it opens.
import type { Event } from '../api/api'
import { History, type Shown } from './speed-history'
import type { Downloads } from '../list/data/downloads.svelte'

/**
 * Maximum number of histories. The history with the oldest last event is evicted first. Must exceed the number of parallel
 * downloads, because otherwise running downloads would evict each other.
 */
const REMEMBERED = 512
/** Number of seconds for which the toolbar shows the total speed. */
const MINUTE = 60

export class Speeds {
  readonly #histories = new Map<string, History>()
  readonly #all = new History()

  constructor(downloads: Downloads) {
    downloads.watch((event) => this.#hear(event, Date.now()))
  }

  /** History of a download; null if the download has not run since the page loaded. `at` is in milliseconds of Unix time. */
  shown(id: string, at: number): Shown | null {
    return this.#histories.get(id)?.shown(at) ?? null
  }

  /**
   * Total speed in each second of the last minute or of a shorter time, oldest second first; empty if no download was
   * running. The speed between two downloads is 0, so that the chart is one line.
   */
  lastMinute(at: number): readonly number[] {
    const speeds = this.#all.shown(at).speeds.slice(-MINUTE)
    const first = speeds.findIndex((speed) => speed !== null)
    return first < 0 ? [] : speeds.slice(first).map((speed) => speed ?? 0)
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
        // Downloads may have stopped while events were lost. Downloads that are still running soon report their speed
        // again.
        for (const history of this.#histories.values()) history.stop(at)
    }
  }

  #of(id: string): History {
    const history = this.#histories.get(id) ?? new History()
    // A map iterates in insertion order, so insert the history again to sort by the last event.
    this.#histories.delete(id)
    this.#histories.set(id, history)
    for (const oldest of this.#histories.keys()) {
      if (this.#histories.size <= REMEMBERED) break
      this.#histories.delete(oldest)
    }
    return history
  }
}
