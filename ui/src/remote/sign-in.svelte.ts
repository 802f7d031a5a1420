// State of the sign-in view: what the user types, the pairing code of the address, and the refusal of the last attempt.
import { Failure } from '../api/api'
import type { RemoteAccess, SignInSecret } from '../api/remote/remote-access'
import { TooManyAttempts } from '../api/remote/session'

interface SignInOptions {
  remote: Pick<RemoteAccess, 'signIn'>
  /** Proposed name of this device. */
  name: string
  /** Current time in milliseconds of Unix time. */
  now: () => number
}

export class SignIn {
  token = $state('')
  name = $state('')
  isUnderWay = $state(false)
  /** Whether the attempt that is under way uses a pairing code. */
  isPairing = $state(false)
  failure = $state.raw<Failure | null>(null)
  /** Time at which the server accepts the next attempt, in milliseconds of Unix time. */
  #blockedUntil = $state(0)
  readonly #options: SignInOptions

  constructor(options: SignInOptions) {
    this.#options = options
    this.name = options.name
  }

  /** Seconds from `now` until the next attempt is possible; 0 if an attempt is possible at once. */
  secondsLeft(now: number): number {
    return Math.max(0, Math.ceil((this.#blockedUntil - now) / 1000))
  }

  edited(): void {
    this.failure = null
  }

  /** Signs in with the typed token. */
  async submit(): Promise<void> {
    const token = this.token.trim()
    if (token === '' || this.secondsLeft(this.#options.now()) > 0) return
    // Keep a refused token, so that the user can correct it.
    if (await this.#attempt({ token })) this.token = ''
  }

  async pair(pairing: string): Promise<void> {
    this.isPairing = true
    await this.#attempt({ pairing })
    this.isPairing = false
  }

  async #attempt(secret: SignInSecret): Promise<boolean> {
    if (this.isUnderWay) return false
    this.isUnderWay = true
    this.failure = null
    try {
      await this.#options.remote.signIn(secret, this.name.trim() || this.#options.name)
      return true
    } catch (thrown) {
      this.failure = Failure.of(thrown)
      if (thrown instanceof TooManyAttempts) this.#blockedUntil = this.#options.now() + thrown.seconds * 1000
      return false
    } finally {
      this.isUnderWay = false
    }
  }
}
