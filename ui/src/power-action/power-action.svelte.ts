// State of the power action, as reported by the desktop program. The choice applies only once. Only that program counts
// down, so closing the page has no effect on the countdown.
import type { Afterwards as Now, Api, PowerActionKind } from '../api/api'

export class Afterwards {
  now = $state.raw<Now>({ then: 'nothing', seconds: null })
  readonly #api: Api
  readonly #failed: (thrown: unknown) => void

  constructor(api: Api, failed: (thrown: unknown) => void) {
    this.#api = api
    this.#failed = failed
  }

  async start(): Promise<void> {
    let isTold = false
    await this.#api.afterwards((now) => {
      isTold = true
      this.now = now
    })
    const now = await this.#api.whatAfterwards()
    // Ignore this response if an event has arrived in the meantime, because the event is newer.
    if (!isTold) this.now = now
  }

  /** Requests a power action. The choice is displayed after the shell confirms it. */
  choose(then: PowerActionKind): void {
    this.#api.chooseAfterwards(then).catch(this.#failed)
  }
}
