// Sentences about the state of sync, machines and conflicts. [pure, except for the language]
import type {
  ConflictReport,
  DeviceReport,
  SentDownload,
  SyncCollectionReport,
  SyncCycleOutcome,
  SyncStatus,
} from '../api/sync-api'
import type { SettingKey, UserMessage } from '../api/api'
import { daysAgo } from '../i18n/format'
import { say } from '../i18n/i18n.svelte'
import { choiceName, SETTING_WORDS } from '../settings/setting-labels'
import { syncWords } from './sync-labels'

const DAY = 86_400_000

const COLLECTIONS: { readonly [collection: string]: () => string } = {
  clients: () => say('sync-collection.clients'),
  'dl-items': () => say('sync-collection.downloads'),
  'dl-parts': () => say('sync-collection.parts'),
  'dl-history': () => say('sync-collection.history'),
  'dl-prefs': () => say('sync-collection.settings'),
  'dl-sends': () => say('sync-collection.sends'),
}

/** Faults that the user solves by leaving the list. */
const LEAVING: readonly string[] = [
  'sync-certificate',
  'sync-removed',
  'sync-secret-missing',
  'sync-wrong-key',
  'sync-other-list',
  'sync-copied',
  'sync-reset',
  'sync-damaged',
]

/** Whether leaving the list is the next step after this fault. */
export function isCuredByLeaving({ code, variant }: UserMessage): boolean {
  return LEAVING.includes(code) && variant !== 'not-trusted'
}

/**
 * Name of a collection in the language of the page. For a collection that this version does not know, its name on the
 * server.
 */
export function collectionName(collection: string): string {
  return COLLECTIONS[collection]?.() ?? collection
}

/** Number of changes that wait to be sent. */
export function waitingOf(collections: readonly SyncCollectionReport[]): number {
  return collections.reduce((sum, { waiting }) => sum + waiting, 0)
}

/**
 * Reason why some records are not read; null if all are read. If another machine has a newer version, the reason names that
 * machine.
 */
export function heldText({ newer_machine, collections }: Pick<SyncStatus, 'newer_machine' | 'collections'>): string | null {
  if (newer_machine !== null) return say('sync-newer-machine', { machine: newer_machine })
  return collections.some(({ held }) => held > 0) ? syncWords.shared.heldAbout : null
}

export function outcomeLines({ received, sent, arrived, is_restored }: SyncCycleOutcome): string[] {
  const isNothing = received === 0 && sent === 0 && arrived.length === 0
  return [
    isNothing ? say('sync-done-nothing') : say('sync-done', { received, sent }),
    ...arrived.map((title) => say('sync-arrived', { title })),
    ...(is_restored ? [say('sync-restored')] : []),
  ]
}

/**
 * `this machine`, or the number of days since the machine was last seen. The server knows only the day, and the day is
 * unknown until the server has answered.
 */
export function lastSeen({ is_own, last_seen_ms }: DeviceReport, now: number): string {
  if (is_own) return syncWords.machines.own
  if (last_seen_ms === null) return syncWords.machines.unseen
  return syncWords.machines.seen(daysAgo(Math.max(0, Math.floor(now / DAY) - Math.floor(last_seen_ms / DAY))))
}

/** State of a download that this machine sent or missed. */
export function sendText({ state, from, to: machine }: SentDownload): string {
  switch (state) {
    case 'waiting':
      return say('sends-state.waiting', { machine })
    case 'delivered':
      return say('sends-state.delivered', { machine })
    case 'refused':
      return say('sends-state.refused', { machine })
    case 'expired':
      return say('sends-state.expired', { machine })
    case 'missed':
      return say('sends-state.missed', { machine: from })
  }
}

/** Returns true if the other machine will never get this download. */
export function isUndelivered({ state }: SentDownload): boolean {
  return state === 'refused' || state === 'expired'
}

/** Returns true if this machine was the recipient, and did not read the send in time. */
export function isMissed({ state }: SentDownload): boolean {
  return state === 'missed'
}

/** Port of an address; empty if the address has none. */
export function portOf(address: string): string {
  return /:(\d+)$/.exec(address.split('#')[0] ?? '')?.[1] ?? ''
}

/** Title of the download, or name of the setting. */
export function conflictTitle({ field, title }: ConflictReport): string {
  return field === 'choice' ? (SETTING_WORDS[title as SettingKey]?.name ?? title) : title
}

export function conflictField(field: string): string {
  switch (field) {
    case 'title':
      return say('conflict-field.title')
    case 'requested':
      return say('conflict-field.requested')
    case 'home':
      return say('conflict-field.home')
    case 'request':
      return say('conflict-field.request')
    case 'removed':
      return say('conflict-field.removed')
    case 'choice':
      return say('conflict-field.choice')
    default:
      return field
  }
}

/** Texts of the two buttons of a conflict. Each text states the value that applies afterwards. */
export interface ConflictActions {
  /** Label of the action that applies the losing change. */
  take: string
  /** Label of the action that keeps the winning change. */
  keep: string
}

/** Sentence that describes the conflict to the user. `here` is the name of this machine. */
export function conflictSentence(conflict: ConflictReport, devices: readonly DeviceReport[], here: string): string {
  const { field, device_name: machine } = conflict
  if (field === 'removed') return isRemovalLost(conflict) ? say('conflicts.kept') : removalSentence(conflict, here)
  if (field === 'request') return say('conflicts.request', { machine })
  const { losing, winning } = conflictValues(conflict, devices)
  if (machine === here) return say('conflicts.yours', { losing, winning })
  return say('conflicts.theirs', { losing, machine, winning })
}

/** Sentence for a change that was discarded because of a removal. It names the machine of the change and that of the removal. */
function removalSentence({ device_name: machine, removed_by: remover }: ConflictReport, here: string): string {
  if (remover === null || remover === machine) return say('conflicts.removed', { machine })
  if (machine === here) return say('conflicts.removed-yours', { remover })
  if (remover === here) return say('conflicts.removed-here', { machine })
  return say('conflicts.removed-by', { machine, remover })
}

export function conflictActions(conflict: ConflictReport, devices: readonly DeviceReport[]): ConflictActions {
  const { field, device_name: machine } = conflict
  if (isRemovalLost(conflict)) return { take: say('conflicts.remove'), keep: say('conflicts.keep-download') }
  if (field === 'removed') return { take: say('conflicts.fetch'), keep: say('conflicts.keep-removed') }
  if (field === 'request') return { take: say('conflicts.take-links', { machine }), keep: say('conflicts.keep-links') }
  const { losing, winning } = conflictValues(conflict, devices)
  return { take: say('conflicts.take-value', { value: losing }), keep: say('conflicts.keep-value', { value: winning }) }
}

/**
 * Whether a removal lost the conflict, so that the download stays. If another conflict has the field `removed`, the removal
 * won; the user can then fetch the removed download again.
 */
export function isRemovalLost({ field, losing, winning }: ConflictReport): boolean {
  return field === 'removed' && losing === 'removed' && winning !== 'removed'
}

/** The losing and the winning value, in words. */
function conflictValues(conflict: ConflictReport, devices: readonly DeviceReport[]): { losing: string; winning: string } {
  const { field, title } = conflict
  const inWords = (value: string): string => {
    if (field === 'requested') return requestedValue(value)
    if (field === 'home') return devices.find(({ device }) => device === value)?.name ?? value
    return field === 'choice' ? chosenValue(title, value) : value
  }
  return { losing: inWords(conflict.losing), winning: inWords(conflict.winning) }
}

function requestedValue(value: string): string {
  switch (value) {
    case 'run':
      return say('conflict-value.run')
    case 'paused':
      return say('conflict-value.paused')
    case 'removed':
      return say('conflict-value.removed')
    default:
      return value
  }
}

/**
 * Value of the setting `key`, with the labels of the settings. `value` is the text `default`, JSON with the key
 * `value`, or a plain text.
 */
function chosenValue(key: string, value: string): string {
  if (value === 'default') return say('conflict-value.default')
  try {
    const chosen: unknown = JSON.parse(value)
    if (typeof chosen === 'object' && chosen !== null && 'value' in chosen) return settingValue(key, chosen.value)
  } catch {
    // The value is plain text, not JSON.
  }
  return value
}

function settingValue(key: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? say('conflict-value.on') : say('conflict-value.off')
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value !== 'string') return JSON.stringify(value)
  // Show the value unchanged if a newer version has set it and this version does not know the setting.
  return key in SETTING_WORDS ? choiceName(key as SettingKey, value) : value
}
