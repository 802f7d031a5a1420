// Runs the actions of a dialog, one at a time, and stores the failure.
import { Failure } from '../api/api'
import { words } from '../i18n/labels'

export class Attempt {
  /** Failure as a sentence; null if nothing failed. */
  failure = $state<string | null>(null)
  isUnderWay = $state(false)

  /** Runs `act`; resolves to true if the action succeeded, and to false if it failed or another action is running. */
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

  /** Clears the failure as soon as the user edits the input. */
  forget(): void {
    this.failure = null
  }
}
