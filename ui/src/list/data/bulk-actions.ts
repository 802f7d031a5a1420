// What can be done with several registrations at once, and doing it. [pure, but for the verb it is given]
import { Failure, type Registration } from '../../api/api'
import { hasFiles, isSettled, mayRetry } from './phase'

/** Which of them each verb can do something for. */
export interface Possible {
  pause: string[]
  resume: string[]
  retry: string[]
  /** Not finished: they can be cancelled or moved, and their bytes are lost when they are removed. */
  unfinished: string[]
  /** Some of their files are there. */
  withFiles: string[]
}

export function possible(registrations: readonly Registration[]): Possible {
  const those = (is: (registration: Registration) => boolean): string[] =>
    registrations.filter(is).map((registration) => registration.unique_id)
  return {
    pause: those((one) => !isSettled(one) && one.state !== 'paused'),
    resume: those((one) => one.state === 'paused'),
    retry: those(mayRetry),
    unfinished: those((one) => !isSettled(one)),
    withFiles: those(hasFiles),
  }
}

/** One switch for all of them: what runs or waits is paused, and only where nothing does, what is paused goes on. */
export function toggling({ pause, resume }: Possible): { verb: 'pause' | 'resume'; ids: string[] } | null {
  if (pause.length > 0) return { verb: 'pause', ids: pause }
  return resume.length > 0 ? { verb: 'resume', ids: resume } : null
}

export interface Refused {
  id: string
  failure: Failure
}

/** Does something with each, `atOnce` at a time, whatever becomes of the others; those that were refused. */
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
