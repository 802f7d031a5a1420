// Links that somebody copied elsewhere, offered once: one press adds them, as pasting them would. Nothing is asked of any
// server before that.
import type { Added, Api, NewRequest, UnderstoodLine } from '../api/api'
import { twice } from './duplicates'

export interface Offer {
  text: string
  requests: readonly NewRequest[]
}

interface Door {
  learn: (added: Added) => void
  /** Where more is to be decided than yes or no. */
  decide: (text: string) => void
  failed: (thrown: unknown) => void
}

export class Copied {
  offer = $state.raw<Offer | null>(null)
  readonly #api: Api
  readonly #door: Door
  /** Which text is the latest. */
  #look = 0

  constructor(api: Api, door: Door) {
    this.#api = api
    this.#door = door
  }

  /** Offers what it links to, unless all of that is in the list. Other words among the links are no wish to add something. */
  async consider(text: string): Promise<void> {
    const look = ++this.#look
    this.offer = null
    try {
      const lines = await this.#api.understand(text)
      const requests = lines.flatMap((line) => line.requests)
      if (requests.length === 0 || lines.some((line) => line.trouble !== null)) return
      const known = await this.#api.known(
        requests.map(({ url }) => url),
        null,
        null,
      )
      if (look !== this.#look || twice(known).size === requests.length) return
      this.offer = { text, requests }
    } catch {
      // Nobody has asked for anything.
    }
  }

  async add(): Promise<void> {
    const { offer } = this
    this.dismiss()
    if (offer === null) return
    try {
      const lines = await this.#api.understand(offer.text)
      const known = await this.#api.known(
        offer.requests.map(({ url }) => url),
        null,
        null,
      )
      if (known.files.length > 0 || lines.some(signsIn)) return this.#door.decide(offer.text)
      this.#door.learn(await this.#api.add({ owner: 'window', source: 'window', requests: [...offer.requests] }))
    } catch (thrown) {
      this.#door.failed(thrown)
    }
  }

  dismiss(): void {
    this.#look++
    this.offer = null
  }
}

function signsIn({ sign_in }: UnderstoodLine): boolean {
  return sign_in !== null
}
