// Status of the simulated sync.
import { inEnglish } from '../i18n/engine-messages'
import type { SyncStatus } from '../api/sync-api'
import { SERVER } from './sync-data'

const MINUTE = 60_000
const DAY = 86_400_000
const GB = 1e9

/** The fields of the status that report problems, with their values while there is no problem. */
const QUIET = {
  clock_ahead_ms: null,
  reading: null,
  space: null,
  restored: null,
  newer_machine: null,
  fault: null,
}

export const ADDRESS = '192.168.1.20:5000'
export const OFF: SyncStatus = {
  ...QUIET,
  is_on: false,
  name: 'Workshop',
  device: '',
  address: '',
  fingerprint: '',
  collections: [],
  synced_ms: null,
  conflicts: 0,
  others: 0,
}

/** Status of the machine, without the numbers of conflicts and of downloads on other machines. */
export type OwnStatus = Omit<SyncStatus, 'conflicts' | 'others'>

/** Differences from the usual status, by the value of `?sync`. */
export const STATES: { readonly [value: string]: Partial<OwnStatus> } = {
  fault: {
    fault: inEnglish('sync-unreachable'),
    synced_ms: Date.now() - 3 * DAY,
    clock_ahead_ms: 2 * 60 * MINUTE,
  },
  certificate: { fault: inEnglish('sync-certificate') },
  'wrong-key': { fault: inEnglish('sync-wrong-key') },
  clock: { clock_ahead_ms: -2 * 60 * MINUTE },
  removed: { fault: inEnglish('sync-removed.device') },
  restored: { restored: { found_ms: Date.now() - DAY, until_ms: Date.now() - 200 * DAY, records: 31 } },
  newer: { newer_machine: 'Desktop' },
  copied: { fault: inEnglish('sync-copied') },
  reading: { reading: { received: 412, total: 1930 }, synced_ms: null },
  full: { fault: inEnglish('sync-full'), space: { used: 2 * GB, total: 2 * GB } },
}

/** Age of the oldest past download. The past downloads are spread evenly over this time. */
const HISTORY = 2 * 365 * DAY

/** Returns `status` as it is after the history before `beforeMs` was cleared, which frees space on the server. */
export function cleared(status: OwnStatus, beforeMs: number): OwnStatus {
  const share = Math.min(1, (Date.now() - beforeMs) / HISTORY)
  const collections = status.collections.map((one) =>
    one.collection === 'dl-history' ? { ...one, records: Math.round(one.records * share), on_server: 0, waiting: 0 } : one,
  )
  return { ...status, collections, space: null, fault: status.space === null ? status.fault : null }
}

export function turnedOn(name: string, address: string): OwnStatus {
  return {
    ...QUIET,
    is_on: true,
    name,
    device: SERVER,
    address,
    fingerprint: 'K7QM-3XWD-9HFT-R2VB',
    synced_ms: Date.now() - 2 * MINUTE,
    collections: [
      { collection: 'clients', records: 3, on_server: 3, waiting: 0, held: 0 },
      { collection: 'dl-items', records: 31, on_server: 30, waiting: 2, held: 0 },
      { collection: 'dl-history', records: 412, on_server: 402, waiting: 10, held: 0 },
      { collection: 'dl-prefs', records: 7, on_server: 7, waiting: 0, held: 1 },
      { collection: 'dl-sends', records: 4, on_server: 4, waiting: 0, held: 0 },
    ],
  }
}
