import { describe, expect, it } from 'vitest'

import { everyTrouble } from '../src/api/pretended'
import { FAILURES, WAITS } from '../src/api/pretended-troubles'
import type { GateCode } from '../src/api/generated/GateCode'
import { nextStep } from '../src/lib/phase'
import { line } from '../src/lib/status'

// One that the engine has and that is missing here is no such record.
const GATES: { [code in GateCode]: true } = {
  bootstrap: true, paused: true, asleep: true, hours: true, offline: true, 'captive-portal': true, metered: true, battery: true, 'in-use': true,
  disk: true, quota: true,
}

describe('what the pretend engine has gone wrong', () => {
  const rows = everyTrouble(Date.now()).map(({ registration }) => registration)

  it('is everything that the engine says, and whole', () => {
    expect(FAILURES.length).toBeGreaterThan(35)
    const gates = new Set([...WAITS, ...FAILURES].map(({ code }) => code))
    for (const gate of Object.keys(GATES)) expect(gates, gate).toContain(gate)
    for (const { code, text } of [...FAILURES, ...WAITS]) expect(text, code).not.toMatch(/[{}]|^trouble-/)
  })

  it('has a row each, under a title of its own, with words and a step', () => {
    expect(new Set(rows.map(({ title }) => title)).size).toBe(rows.length)
    for (const { code, text } of FAILURES) expect(rows.some(({ failure }) => failure?.code === code && failure.text === text), code).toBe(true)
    for (const { code, text } of WAITS) expect(rows.some(({ waiting_for: why }) => why?.code === code && why.text === text), code).toBe(true)
    for (const row of rows) expect(line(row, { now: Date.now() }).text).not.toBe('')
  })

  it('shows every step that a row may offer when something is wrong', () => {
    const steps = new Set(rows.map((row) => nextStep(row)))
    for (const step of ['retry', 'relink', 'sign-in', 'folder', 'anyway', 'space', 'pause']) expect(steps, step).toContain(step)
  })
})
