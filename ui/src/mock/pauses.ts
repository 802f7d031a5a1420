// Pauses of the simulated engine. The pause of everything and the pauses of single downloads are independent, as in the
// engine: while everything is paused, every unfinished download is paused, and the resume of a single download removes only
// the pause of this download.
import type { Registration } from '../api/api'
import type { Pretended } from './registrations'

type Change = Partial<Registration>

const START: Change = { state: 'running', active: 1, next_try: null, waiting_for: null }
const STOP: Change = { state: 'paused', active: 0 }

export class PretendedPauses {
  isEverything = false
  /** Ids of the downloads that the user has paused one by one. */
  readonly #single = new Set<string>()
  /** By the id of a download, the changes that continue the download when everything is resumed. */
  readonly #later = new Map<string, Change>()

  constructor(made: readonly Pretended[]) {
    for (const { registration } of made) if (registration.state === 'paused') this.#single.add(registration.unique_id)
  }

  /** Returns the changes of a new download. */
  add(pretended: Pretended): Change {
    const isPaused = pretended.registration.state === 'paused'
    return (isPaused || this.isEverything ? this.pause(pretended, !isPaused) : null) ?? {}
  }

  /** Returns the changes of a download when it is paused, alone or with everything; null if nothing changes. */
  pause({ registration }: Pretended, isEverything: boolean): Change | null {
    const { unique_id: id, state, next_try, waiting_for } = registration
    if (state === 'settled') return null
    if (!isEverything) this.#single.add(id)
    else if (state === 'running') this.#later.set(id, START)
    else if (state === 'waiting') this.#later.set(id, { state, next_try, waiting_for })
    return isEverything ? STOP : { ...STOP, next_try: null, waiting_for: null }
  }

  /** Returns the changes of a download when it is resumed, alone or with everything; null if nothing changes. */
  resume({ registration }: Pretended, isEverything: boolean): Change | null {
    const { unique_id: id, state } = registration
    if (!isEverything) this.#single.delete(id)
    if (state !== 'paused' || this.isEverything || this.#single.has(id)) return null
    const later = this.#later.get(id) ?? START
    this.#later.delete(id)
    return later
  }

  /** Returns the changes of a download that is started now. While everything is paused, it starts after the pause. */
  start({ registration }: Pretended): Change {
    this.#single.delete(registration.unique_id)
    if (!this.isEverything) return START
    this.#later.set(registration.unique_id, START)
    return { ...STOP, next_try: null, waiting_for: null }
  }
}
