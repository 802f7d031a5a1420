// Sends the links of the Add dialog to the engine, and counts them. Jobs run one after another, and so do the calls of a
// job. Therefore the list and the queue have the links in the order in which they were entered.
import type { Added, NewRequest } from '../api/api'
import { each, type Refused } from '../list/data/bulk-actions'

/** Links that are sent with one call. */
export interface AddCall {
  requests: readonly NewRequest[]
  /** Makes the call. Resolves to null if another machine adds the links. */
  send: () => Promise<Added | null>
}

export interface AddJob {
  /** Requests that have been added so far. */
  added: ReadonlySet<NewRequest>
  /** Resolves to the failures of the refused calls when the job has ended. */
  refused: Promise<readonly Refused[]>
}

export class Adding {
  /** Number of links of the jobs, and number of these links that are added. Both become 0 when the last job ends. */
  total = $state(0)
  sent = $state(0)
  #latest: Promise<unknown> = Promise.resolve()

  /** Starts a job. `learn` is called with each registration. */
  run(calls: readonly AddCall[], learn: (added: Added) => void): AddJob {
    this.total += calls.reduce((sum, { requests }) => sum + requests.length, 0)
    const added = new Set<NewRequest>()
    const send = async (place: string): Promise<void> => {
      const { requests, send } = calls[Number(place)]!
      const registration = await send()
      for (const request of requests) added.add(request)
      this.sent += requests.length
      if (registration !== null) learn(registration)
    }
    const ended = this.#latest.then(() => each([...calls.keys()].map(String), send, 1))
    this.#latest = ended
    const refused = ended.finally(() => {
      if (this.#latest === ended) this.total = this.sent = 0
    })
    return { added, refused }
  }
}
