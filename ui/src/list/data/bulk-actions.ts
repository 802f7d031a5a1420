// Actions on several registrations at once. [pure, except for the action passed in]
import { Failure, type Registration } from '../../api/api'
import { hasFiles, isSettled, mayRetry, nextStep } from '../../i18n/phase'

/** For each action, the ids to which it applies. */
export interface Possible {
  pause: string[]
  /** Ids of registrations that only the order of the queue holds back. */
  start: string[]
  resume: string[]
  retry: string[]
  /** Ids of unsettled registrations, which can be cancelled or moved; removal discards their bytes. */
  unfinished: string[]
  /** Ids of registrations with at least one complete file. */
  withFiles: string[]
}

export function possible(registrations: readonly Registration[]): Possible {
  const those = (is: (registration: Registration) => boolean): string[] =>
    registrations.filter(is).map((registration) => registration.unique_id)
  return {
    pause: those((one) => !isSettled(one) && one.state !== 'paused'),
    start: those((one) => nextStep(one) === 'start'),
    resume: those((one) => one.state === 'paused'),
    retry: those(mayRetry),
    unfinished: those((one) => !isSettled(one)),
    withFiles: those(hasFiles),
  }
}

/**
 * Decides the toggle for several registrations: pauses running and waiting registrations; if there are none,
 * resumes paused registrations.
 */
export function toggling({ pause, resume }: Possible): { verb: 'pause' | 'resume'; ids: string[] } | null {
  if (pause.length > 0) return { verb: 'pause', ids: pause }
  return resume.length > 0 ? { verb: 'resume', ids: resume } : null
}

export interface Refused {
  id: string
  failure: Failure
}

/** Runs `verb` for each id, at most `atOnce` in parallel. Resolves to the ids that failed, with their failures. */
export async function each(ids: readonly string[], verb: (id: string) => Promise<unknown>, atOnce = 16): Promise<Refused[]> {
  const refused: Refused[] = []
  let next = 0
  const work = async (): Promise<void> => {
    while (next < ids.length) {
      const id = ids[next++]!
      try {
        await verb(id)
      } catch (thrown) {
        refused.push({ id, failure: Failure.of(thrown) })
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, ids.length) }, work))
  return refused
}
