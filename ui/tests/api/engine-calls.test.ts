import { expect, test } from 'vitest'

import { type Api, Failure } from '../../src/api/api'
import { engineCalls, type EngineCalls } from '../../src/api/engine-calls'
import type { MethodCall } from '../../src/api/generated/MethodCall'
import { carryOut } from '../remote/engine'

/** Arguments of every method that the engine answers. */
const ARGUMENTS: { readonly [name in keyof EngineCalls]: Parameters<EngineCalls[name]> } = {
  add: [{ owner: 'window', requests: [{ url: 'https://a.example/' }] }],
  list: [{ limit: 3, before: 'id' }],
  search: ['text'],
  show: ['id'],
  records: ['id', 2, 3],
  details: ['id', 2],
  segments: ['id'],
  abort: ['id'],
  pause: [null],
  resume: ['id'],
  move: ['id', 'top'],
  rename: ['id', 'title'],
  retry: ['id'],
  remove: ['id', true],
  limit: ['id', 1000],
  limits: [],
  totals: [],
  statistics: [28],
  understand: ['text'],
  probe: [{ url: 'https://a.example/' }],
  letGo: ['probe'],
  known: [['https://a.example/'], '/folder', null],
  putInto: ['id', '/folder'],
  relink: ['id', 1, 'https://a.example/', [['a', 'b']]],
  goAnyway: ['id'],
  signIn: ['https://a.example/', { scheme: 'bearer', token: 't' }, true],
  giveCookies: ['https://a.example/', 'a=b', false],
  sentences: ['de'],
  recovery: [],
  recoverySeen: [],
  orphans: [],
  keptFiles: [],
  adopt: [['/a.part']],
  settings: [],
  set: ['parallel', 4],
}

const names = Object.keys(ARGUMENTS) as (keyof EngineCalls)[]

test.each(names)('the engine call %s is sent with all of its arguments', async (name) => {
  const made: { name: string; values: unknown[] }[] = []
  const recorder = new Proxy({} as Api, {
    get:
      (_, name: string) =>
      (...values: unknown[]) =>
        Promise.resolve(made.push({ name, values })),
  })
  const calls = engineCalls(<Answer>(call: MethodCall) => {
    // The call must stay the same after a conversion to JSON and back.
    return carryOut(recorder, JSON.parse(JSON.stringify(call)) as MethodCall) as Promise<Answer>
  })
  await (calls[name] as (...values: unknown[]) => Promise<unknown>)(...ARGUMENTS[name])
  expect(made).toEqual([{ name, values: ARGUMENTS[name] }])
})

test('a speed limit without an id applies to all downloads', async () => {
  const sent: MethodCall[] = []
  const calls = engineCalls((call) => {
    sent.push(call)
    return Promise.reject(new Failure('x', ''))
  })
  await expect(calls.limit(null, 5)).rejects.toThrow()
  expect(sent).toEqual([{ method: 'limit', params: { scope: { type: 'all' }, bytes_per_second: 5 } }])
})
