// Offers links that were copied in another program. Each copied text is offered once. One button press adds its links,
// as a paste would. Until then, no server is contacted.
import type { Added, Api, NewRequest, UnderstoodLine } from '../api/api'
import { twice } from './duplicates'

export interface CopiedOffer {
  text: string
  requests: readonly NewRequest[]
}

interface ClipboardCallbacks {
  learn: (added: Added) => void
  /** Opens the Add dialog with this text, in which some links are already in the list or contain a sign-in. */
  decide: (text: string) => void
  failed: (thrown: unknown) => void
}

export class Copied {
  offer = $state.raw<CopiedOffer | null>(null)
  readonly #api: Api
  readonly #callbacks: ClipboardCallbacks
  /** Number of calls of `consider` and `dismiss`; a result of `consider` is dropped if there was a later call. */
  #look = 0

  constructor(api: Api, callbacks: ClipboardCallbacks) {
    this.#api = api
    this.#callbacks = callbacks
  }

  /**
   * Offers the links of `text` unless the list already contains all of them. Ignores text that contains anything
   * besides links.
   */
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
      // The user has not requested this check, so show no failure.
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
      if (known.files.length > 0 || lines.some(signsIn)) return this.#callbacks.decide(offer.text)
      this.#callbacks.learn(await this.#api.add({ owner: 'window', source: 'window', requests: [...offer.requests] }))
    } catch (thrown) {
      this.#callbacks.failed(thrown)
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
