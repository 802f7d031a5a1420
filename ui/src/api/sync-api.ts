// Interface for sync between machines, a part of the interface in `api.ts`.
import type { ConflictReport } from './generated/ConflictReport'
import type { DeviceReport } from './generated/DeviceReport'
import type { JoinInvite } from './generated/JoinInvite'
import type { MethodCall } from './generated/MethodCall'
import type { NewRequest } from './generated/NewRequest'
import type { ReadingProgress } from './generated/ReadingProgress'
import type { RecoveryWordsReport } from './generated/RecoveryWordsReport'
import type { RemoteChange } from './generated/RemoteChange'
import type { RemoteDownload } from './generated/RemoteDownload'
import type { SentDownload } from './generated/SentDownload'
import type { SyncCall } from './generated/SyncCall'
import type { SyncCollectionReport } from './generated/SyncCollectionReport'
import type { SyncCycleOutcome } from './generated/SyncCycleOutcome'
import type { SyncStatus } from './generated/SyncStatus'
import type { UserMessage } from './generated/UserMessage'

export type {
  ConflictReport,
  DeviceReport,
  JoinInvite,
  ReadingProgress,
  RecoveryWordsReport,
  RemoteChange,
  RemoteDownload,
  SentDownload,
  SyncCollectionReport,
  SyncCycleOutcome,
  SyncStatus,
}

/** Code of the failure if the user declines a question of the desktop. */
export const DECLINED = 'declined'

/** Sync server that Ashore runs on this machine. */
export interface OwnServer {
  /** Whether Ashore starts the server whenever Ashore itself starts. */
  is_kept: boolean
  is_running: boolean
  /** Host and port; empty if the server has never run. */
  address: string
  /** Reason why the server does not run. */
  fault: UserMessage | null
}

/**
 * Calls of sync. Before `setUp`, `join`, `recover`, `words`, `invite`, `removeDevice` and `trust`, the desktop asks the
 * user; if the user declines, the call rejects with the code `declined`.
 */
export interface SyncApi {
  status(): Promise<SyncStatus>
  /** Sets up a new list with the link of a server. */
  setUp(link: string, name: string): Promise<RecoveryWordsReport>
  /** Joins the list of another machine with a link from that machine. */
  join(link: string, name: string): Promise<void>
  /** Joins the list with its recovery words; `address` contains the fingerprint of the server. */
  recover(address: string, uid: number, words: string, name: string): Promise<void>
  words(): Promise<RecoveryWordsReport>
  /** Creates a link for another machine. */
  invite(): Promise<JoinInvite>
  devices(): Promise<DeviceReport[]>
  /** Removes a machine and resolves to the new recovery words. */
  removeDevice(device: string): Promise<RecoveryWordsReport>
  /** Chooses whether downloads sent by the machine `device` start without asking the user. */
  trust(device: string, isTrusted: boolean): Promise<void>
  /** Gives this machine another name in the list. If another machine already has the name, a number is added. */
  rename(name: string): Promise<void>
  /** Runs one sync cycle. */
  now(): Promise<SyncCycleOutcome>
  /** Turns sync off on this machine. */
  leave(): Promise<void>
  /** On all machines, forgets the past downloads that ended before `beforeMs` (in milliseconds of Unix time). */
  clearHistory(beforeMs: number): Promise<void>
  conflicts(): Promise<ConflictReport[]>
  /** Closes a conflict. If `takesLosing` is true, applies the losing value. */
  resolve(number: number, takesLosing: boolean): Promise<void>
  /** Downloads of the other machines. */
  others(): Promise<RemoteDownload[]>
  changeOther(id: string, change: RemoteChange): Promise<void>
  /** Sends a download of the list to another machine. */
  send(uniqueId: string, device: string): Promise<void>
  /** Sends new requests to another machine; a null title means the name of the first file. */
  sendNew(title: string | null, requests: NewRequest[], device: string): Promise<void>
  /** Downloads that this machine sent. */
  sends(): Promise<SentDownload[]>
  ownServer(): Promise<OwnServer>
  /** Starts the server on this machine and resolves to a link for `setUp`. */
  keepServer(): Promise<string>
  /** Starts the server of this machine again. */
  startServer(): Promise<void>
  stopServer(): Promise<void>
}

type Call = <Answer>(call: MethodCall) => Promise<Answer>
type Ask = <Answer>(command: string) => Promise<Answer>

/** Implements the interface with the engine's method `sync` and with commands of the desktop. */
export function syncApi(call: Call, ask: Ask): SyncApi {
  const sync = <Answer>(params: SyncCall): Promise<Answer> => call({ method: 'sync', params })
  return {
    status: () => sync({ verb: 'status' }),
    setUp: (link, name) => sync({ verb: 'set_up', link, name }),
    join: (link, name) => sync({ verb: 'join', link, name }),
    recover: (address, uid, words, name) => sync({ verb: 'recover', address, uid, words, name }),
    words: () => sync({ verb: 'words' }),
    invite: () => sync({ verb: 'invite' }),
    devices: () => sync({ verb: 'devices' }),
    removeDevice: (device) => sync({ verb: 'remove_device', device }),
    trust: (device, is_trusted) => sync({ verb: 'trust', device, is_trusted }),
    rename: (name) => sync({ verb: 'rename', name }),
    now: () => sync({ verb: 'now' }),
    leave: () => sync({ verb: 'leave' }),
    clearHistory: (before_ms) => sync({ verb: 'clear_history', before_ms }),
    conflicts: () => sync({ verb: 'conflicts' }),
    resolve: (number, takes_losing) => sync({ verb: 'resolve', number, takes_losing }),
    others: () => sync({ verb: 'others' }),
    changeOther: (id, change) => sync({ verb: 'change_other', id, change }),
    send: (unique_id, device) => sync({ verb: 'send', unique_id, device }),
    sendNew: (title, requests, device) => sync({ verb: 'send_new', title, requests, device }),
    sends: () => sync({ verb: 'sends' }),
    ownServer: () => ask('own_server'),
    keepServer: async () => (await ask<{ link: string }>('keep_server')).link,
    startServer: () => ask('start_server'),
    stopServer: () => ask('stop_server'),
  }
}
