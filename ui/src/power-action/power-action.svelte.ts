// What becomes of the machine when all is done, as Ashore says it. It is chosen for once, and Ashore alone counts it down: a page
// that is closed meanwhile changes nothing.
import type { Afterwards as Now, Api, Then } from '../api/api'

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
    // What was told meanwhile is newer.
    if (!isTold) this.now = now
  }

  /** Shown when Ashore says that it holds. */
  choose(then: Then): void {
    this.#api.chooseAfterwards(then).catch(this.#failed)
  }
}
