// What a question asks to be done, once it is answered: one try at a time, and why it came to nothing.
import { Failure } from '../api/api'
import { words } from '../i18n/labels'

export class Attempt {
  /** Why, in a sentence; null where nothing failed. */
  failure = $state<string | null>(null)
  isUnderWay = $state(false)

  /** Whether it was done. */
  async make(act: () => Promise<unknown>): Promise<boolean> {
    if (this.isUnderWay) return false
    this.isUnderWay = true
    try {
      await act()
      return true
    } catch (thrown) {
      this.fail(thrown)
      return false
    } finally {
      this.isUnderWay = false
    }
  }

  fail(thrown: unknown): void {
    this.failure = words.sentence(Failure.of(thrown))
  }

  /** Whoever writes something else has read it. */
  forget(): void {
    this.failure = null
  }
}
