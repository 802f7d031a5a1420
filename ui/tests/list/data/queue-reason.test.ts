import { expect, it } from 'vitest'

import { queueReason } from '../../../src/list/data/queue-reason'

const url = 'https://example.org:8080/a.bin'
const settings = { parallel: 4, parallelPerHost: 2 }

it('a queued download names the limit of all files while all slots are in use', () => {
  expect(queueReason({ ...settings, active: 4 }, url)).toEqual({ limit: 'files', count: 4 })
  expect(queueReason({ ...settings, active: 5 }, null)).toEqual({ limit: 'files', count: 4 })
})

it('a queued download names the limit of its server while slots are free', () => {
  expect(queueReason({ ...settings, active: 2 }, url)).toEqual({ limit: 'server', count: 2, host: 'example.org:8080' })
})

it('a queued download without a limiting setting has no reason', () => {
  expect(queueReason({ ...settings, active: 1 }, url)).toBeNull()
  expect(queueReason({ ...settings, active: 2 }, null)).toBeNull()
  expect(queueReason({ ...settings, active: 2 }, 'no address')).toBeNull()
})
