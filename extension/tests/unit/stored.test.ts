import { afterEach, expect, it, vi } from 'vitest'

import { Stored } from '../../src/browser/stored'

afterEach(() => vi.unstubAllGlobals())

/** Simulates the locks of the browser: each name has at most one holder at a time. */
function locks() {
  const last = new Map<string, Promise<unknown>>()
  const request = (name: string, hold: () => Promise<unknown>): Promise<unknown> => {
    const next = (last.get(name) ?? Promise.resolve()).then(hold)
    last.set(name, next)
    return next
  }
  return { request }
}

it('stored_changes_of_two_pages_are_both_kept', async () => {
  vi.stubGlobal('navigator', { locks: locks() })
  let values: Record<string, unknown> = {}
  const area = {
    get: async () => structuredClone(values),
    set: async (changed: object) => void (values = { ...values, ...structuredClone(changed) }),
    remove: async () => undefined,
  }
  const read = (stored: unknown): string[] => (stored ?? []) as string[]
  const [worker, popup] = [new Stored(area, 'names', read), new Stored(area, 'names', read)]
  await Promise.all([worker.update((names) => [...names, 'a']), popup.update((names) => [...names, 'b'])])
  expect(await worker.get()).toEqual(['a', 'b'])
})
