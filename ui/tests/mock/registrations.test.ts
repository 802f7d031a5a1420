import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { pretend } from '../../src/mock/mock'
import { everyTrouble } from '../../src/mock/registrations'
import { FAILURES, WAITS } from '../../src/mock/errors'
import type { GateCode } from '../../src/api/generated/GateCode'
import { nextStep } from '../../src/i18n/phase'
import { line } from '../../src/i18n/status-text'

// The type check fails unless this object contains every gate of the engine.
const GATES: { [code in GateCode]: true } = {
  bootstrap: true,
  paused: true,
  asleep: true,
  hours: true,
  offline: true,
  'captive-portal': true,
  metered: true,
  battery: true,
  'in-use': true,
  disk: true,
  folder: true,
  quota: true,
}

describe('sample failures of the simulated engine', () => {
  const rows = everyTrouble(Date.now()).map(({ registration }) => registration)

  it('the samples include every failure and every reason to wait, with complete messages', () => {
    expect(FAILURES.length).toBeGreaterThan(35)
    const gates = new Set([...WAITS, ...FAILURES].map(({ code }) => code))
    for (const gate of Object.keys(GATES)) expect(gates, gate).toContain(gate)
    for (const { code, text } of [...FAILURES, ...WAITS]) expect(text, code).not.toMatch(/[{}]|^message-/)
  })

  it('each sample failure has one row with a unique title and a status', () => {
    expect(new Set(rows.map(({ title }) => title)).size).toBe(rows.length)
    for (const { code, text } of FAILURES)
      expect(
        rows.some(({ failure }) => failure?.code === code && failure.text === text),
        code,
      ).toBe(true)
    for (const { code, text } of WAITS)
      expect(
        rows.some(({ waiting_for: why }) => why?.code === code && why.text === text),
        code,
      ).toBe(true)
    for (const row of rows) expect(line(row, { now: Date.now() }).text).not.toBe('')
  })

  it('each next step after a problem is needed by at least one sample download', () => {
    const steps = new Set(rows.map((row) => nextStep(row)))
    for (const step of ['retry', 'relink', 'sign-in', 'folder', 'anyway', 'space', 'pause']) expect(steps, step).toContain(step)
  })
})

describe('the simulated engine', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('the simulated engine never mutates a registration that it has returned', async () => {
    const api = pretend(new URLSearchParams('rows=50'))
    const said = vi.fn()
    void api.events(said)
    const all = api.list({ limit: 50 })
    await vi.advanceTimersByTimeAsync(0)
    const told = await all
    const before = structuredClone(told)
    void api.pause(told[0]!.unique_id)
    void api.rename(told[1]!.unique_id, 'another')
    await vi.advanceTimersByTimeAsync(60_000)
    const kinds = new Set(said.mock.calls.map(([event]) => event.type))
    expect([...kinds].sort()).toEqual(['changed', 'progress', 'totals'])
    expect(told).toEqual(before)
    const again = api.list({ limit: 2 })
    await vi.advanceTimersByTimeAsync(0)
    expect((await again).map(({ state, title }) => [state, title])).toEqual([
      ['paused', told[0]!.title],
      ['running', 'another'],
    ])
  })
})
