// Emits progress events at a high, constant rate, to measure the effect of hundreds of running downloads on the page.
import type { Event } from '../api/api'
import type { Pretended } from './registrations'

/** Interval of the timer, in milliseconds. */
const BEAT = 10

/** Emits `rate` events a second, in turn for each download in `running`. No download ever finishes. */
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
