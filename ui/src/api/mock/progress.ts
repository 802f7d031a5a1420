// Very much progress, spread evenly, as from an engine in which hundreds of downloads run: to see what that costs the page.
import type { Event } from '../api'
import type { Pretended } from './registrations'

/** Milliseconds. */
const BEAT = 10

/** `rate` events a second, of each of `running` in turn. None of them ever comes to its end. */
export function sayProgress(running: readonly Pretended[], rate: number, say: (event: Event) => void): void {
  if (rate === 0) return
  const begun = performance.now()
  let said = 0
  setInterval(() => {
    for (const due = ((performance.now() - begun) * rate) / 1000; said < due; said += 1) {
      const pretended = running[said % running.length]!
      const { registration, speed } = pretended
      const { unique_id, owner, uploaded, expected_total } = registration
      const downloaded = Math.round(registration.downloaded + (speed * running.length) / rate) % expected_total
      pretended.registration = { ...registration, downloaded }
      say({ type: 'progress', unique_id, owner, downloaded, uploaded, expected_total, speed })
    }
  }, BEAT)
}
