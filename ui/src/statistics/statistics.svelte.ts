// Statistics of the engine, read when the view opens and again after downloads settle.
import type { Api, Event, Failure, Statistics as Numbers } from '../api/api'
import { DAYS } from './chart'
import type { Downloads } from '../list/data/downloads.svelte'
import { Followed } from '../lib/live-query.svelte'

const NAME = 'statistics'
/** Milliseconds between two reads, because small files may settle by the hundred. */
const PAUSE = 2000

export class Statistics {
  readonly #api: Pick<Api, 'statistics'>
  readonly #known = new Followed<Numbers>(PAUSE)

  constructor(api: Pick<Api, 'statistics'>, downloads: Pick<Downloads, 'watch'>) {
    this.#api = api
    downloads.watch((event) => {
      if (mayChange(event)) this.#known.changed()
    })
  }

  /** Statistics of the engine; null until they are read. */
  get numbers(): Numbers | null {
    return this.#known.value(NAME)
  }

  get failure(): Failure | null {
    return this.#known.failure
  }

  readAgain(): void {
    this.#known.changed()
  }

  /** Keeps the statistics up to date until the returned function is called. */
  follow(): () => void {
    return this.#known.follow(NAME, () => this.#api.statistics(DAYS))
  }
}

function mayChange(event: Event): boolean {
  switch (event.type) {
    case 'changed':
    case 'owed':
      return event.registration.state === 'settled'
    case 'lagged':
      return true
    default:
      return false
  }
}
