import { expect, it } from 'vitest'

import { type Afterwards as Now, type Api, Failure, type PowerActionKind } from '../../src/api/api'
import { Afterwards } from '../../src/power-action/power-action.svelte'

function shell(first: Promise<Now>) {
  const chosen: PowerActionKind[] = []
  const failed: unknown[] = []
  let listener: (now: Now) => void = () => undefined
  const api = {
    afterwards: async (heard: (now: Now) => void) => ((listener = heard), () => undefined),
    whatAfterwards: () => first,
    chooseAfterwards: async (then: PowerActionKind) => {
      if (then === 'shut-down') throw new Failure('machine-cannot', 'No.')
      chosen.push(then)
    },
  } as unknown as Api
  return { chosen, failed, emit: (now: Now) => listener(now), afterwards: new Afterwards(api, (thrown) => failed.push(thrown)) }
}

it('the chosen power action is shown after its confirmation, and a refusal is reported', async () => {
  const { afterwards, chosen, failed, emit } = shell(Promise.resolve({ then: 'nothing', seconds: null }))
  await afterwards.start()
  afterwards.choose('sleep')
  expect(chosen).toEqual(['sleep'])
  expect(afterwards.now.then).toBe('nothing')
  emit({ then: 'sleep', seconds: 60 })
  expect(afterwards.now).toEqual({ then: 'sleep', seconds: 60 })
  afterwards.choose('shut-down')
  await expect.poll(() => failed).toEqual([new Failure('machine-cannot', 'No.')])
  expect(afterwards.now.then).toBe('sleep')
})

it('an event that arrives while the state is first read takes precedence over the response', async () => {
  let answer: (now: Now) => void = () => undefined
  const { afterwards, emit } = shell(new Promise((resolve) => (answer = resolve)))
  const started = afterwards.start()
  await Promise.resolve()
  emit({ then: 'sleep', seconds: 3 })
  answer({ then: 'nothing', seconds: null })
  await started
  expect(afterwards.now.seconds).toBe(3)
})
