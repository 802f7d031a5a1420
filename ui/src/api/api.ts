// Interface between the page and everything outside of it. It has three implementations: `tauri.ts` (the
// engine of this computer, through the window), `http.ts` (an engine of any computer, through a browser) and `mock.ts` (a
// simulated engine).
import type { AddOutcome as Added } from './generated/AddOutcome'
import type { RegistrationDetails as FileDetails } from './generated/RegistrationDetails'
import type { EngineEvent as Event } from './generated/EngineEvent'
import type { ExportSummary as Exported } from './generated/ExportSummary'
import type { ImportSummary as Imported } from './generated/ImportSummary'
import type { KeptFile } from './generated/KeptFile'
import type { ExistingLinks } from './generated/ExistingLinks'
import type { ListQuery } from './generated/ListQuery'
import type { NewRegistration } from './generated/NewRegistration'
import type { NewRequest } from './generated/NewRequest'
import type { OrphanPartial as Orphan } from './generated/OrphanPartial'
import type { QueuePlace as Place } from './generated/QueuePlace'
import type { ProbeReport as Probed } from './generated/ProbeReport'
import type { ResponseRecord as FileRecord } from './generated/ResponseRecord'
import type { RecoveryReport as Recovery } from './generated/RecoveryReport'
import type { Registration } from './generated/Registration'
import type { SegmentReport as Segments } from './generated/SegmentReport'
import type { SettingKey } from './generated/SettingKey'
import type { SettingsReport } from './generated/SettingsReport'
import type { SettingValue } from './generated/SettingValue'
import type { SignIn } from './generated/SignIn'
import type { SpeedLimit } from './generated/SpeedLimit'
import type { StatisticsReport as Statistics } from './generated/StatisticsReport'
import type { ProgressTotals as Totals } from './generated/ProgressTotals'
import type { UnderstoodLine } from './generated/UnderstoodLine'
import type { UserMessage } from './generated/UserMessage'
import type { BrowsersApi } from './browsers-api'
import type { Capabilities } from './capabilities'
import type { DevicesApi } from './devices-api'
import type { RemoteAccess } from './remote/remote-access'
import type { SyncApi } from './sync-api'

export type {
  Added,
  Event,
  Exported,
  FileDetails,
  FileRecord,
  Imported,
  KeptFile,
  ExistingLinks,
  ListQuery,
  NewRegistration,
  NewRequest,
  Orphan,
  Place,
  Probed,
  Recovery,
  Registration,
  Segments,
  SettingKey,
  SettingsReport,
  SettingValue,
  SignIn,
  SpeedLimit,
  Statistics,
  Totals,
  UnderstoodLine,
}
export type { RequestAttempt as Attempt } from './generated/RequestAttempt'
export type { RecordedRestart as Restart } from './generated/RecordedRestart'
export type { KnownFile } from './generated/KnownFile'
export type { PastDownloadReport } from './generated/PastDownloadReport'
export type { FileCategory as Category } from './generated/FileCategory'
export type { DailyCount as Counted } from './generated/DailyCount'
export type { DayStatistic } from './generated/DayStatistic'
export type { RequestSource as Source } from './generated/RequestSource'
export type { SourceStatistic } from './generated/SourceStatistic'
export type { RegistrationState as State } from './generated/RegistrationState'
export type { GateReport as Gate } from './generated/GateReport'
export type { Setting } from './generated/Setting'
export type { SettingGroup } from './generated/SettingGroup'
export type { UserMessage }
export type { WeekSetting as Week } from './generated/WeekSetting'

export type Unsubscribe = () => void

/** Desktop feature that settings depend on and that may be missing. */
export type Lacking = 'notifications' | 'tray'

/** Request from outside the page to show a download. */
export interface Look {
  unique_id: string
  /** Whether the page also opens the details panel. */
  is_close: boolean
}

/** Power action after all downloads have finished. */
export type PowerActionKind = 'nothing' | 'sleep' | 'shut-down'

export interface Afterwards {
  then: PowerActionKind
  /** Seconds until the action; null until all downloads have finished. */
  seconds: number | null
}

/** Identifies one file: id of the registration and index of the request. */
export type FileId = readonly [uniqueId: string, index: number]

/** Every method rejects only with a {@link Failure}. */
export interface Api {
  /** Capabilities of this implementation. */
  readonly can: Capabilities
  /** Sign-in and connection of a page in a browser; null for a page that needs neither. */
  readonly remote: RemoteAccess | null
  /** Sync between the machines of the user. */
  readonly sync: SyncApi
  /** Adds a registration. If an equal registration is still queued, that registration moves to the top and nothing is added. */
  add(registration: NewRegistration): Promise<Added>
  /** Registrations, newest first; paged by `before`. */
  list(query: ListQuery): Promise<Registration[]>
  /** Ids whose title, address or file name contains `text`, newest first; at most 10,000. */
  search(text: string): Promise<string[]>
  show(uniqueId: string): Promise<Registration>
  records(uniqueId: string, from: number, limit: number): Promise<FileRecord[]>
  /** All attempts of one file, with their outcomes. */
  details(uniqueId: string, index: number): Promise<FileDetails>
  /** Byte ranges that are received or being fetched, for each file in progress. */
  segments(uniqueId: string): Promise<Segments[]>
  /** Aborts a registration; resolves to false if the registration had already settled. */
  abort(uniqueId: string): Promise<boolean>
  /** Pauses one registration; null pauses everything. */
  pause(uniqueId: string | null): Promise<void>
  /** Resumes one registration; null resumes everything. */
  resume(uniqueId: string | null): Promise<void>
  move(uniqueId: string, place: Place): Promise<void>
  /** Changes the title; the files keep their names. */
  rename(uniqueId: string, title: string): Promise<void>
  /** Retries failed files and resolves to their number. */
  retry(uniqueId: string): Promise<number>
  remove(uniqueId: string, files: boolean): Promise<void>
  totals(): Promise<Totals>
  /** Sets the speed limit of one registration, or the total limit for a null id. A null speed removes the limit. */
  limit(uniqueId: string | null, bytesPerSecond: number | null): Promise<void>
  /** All speed limits in force. */
  limits(): Promise<SpeedLimit[]>
  /** Total counts, and the number of downloads added on each of the last `days` days. */
  statistics(days: number): Promise<Statistics>
  /** Parses pasted text line by line; fetches nothing. */
  understand(text: string): Promise<UnderstoodLine[]>
  /** Probes a request. The engine stores the response; a registration that contains the id of the probe uses this response. */
  probe(request: NewRequest): Promise<Probed>
  /** Releases the stored response of a probe that will not be used. */
  letGo(probe: string): Promise<void>
  /**
   * Finds links that are already in the list, and checks whether `name` exists in `folder`; a null `folder` means
   * the default folder.
   */
  known(links: string[], folder: string | null, name: string | null): Promise<ExistingLinks>
  /** Gives an unfinished file another link and headers; null keeps the headers of the old link. */
  relink(uniqueId: string, index: number, url: string, headers: [string, string][] | null): Promise<void>
  /** Moves the unfinished files to another folder, because their current folder cannot be used. */
  putInto(uniqueId: string, folder: string): Promise<void>
  /**
   * Overrides the gate that blocks a download, if the user may override this gate; resolves to false if the download stays
   * blocked.
   */
  goAnyway(uniqueId: string): Promise<boolean>
  /** Uses this sign-in for every request to the origin of `url`: permanently if `isLasting`, otherwise until Ashore exits. */
  signIn(url: string, signIn: SignIn, isLasting: boolean): Promise<void>
  /** Uses these cookies for every request to the origin of `url`: `name=value` or the matching lines of a cookies.txt. */
  giveCookies(url: string, cookies: string, isLasting: boolean): Promise<void>
  /**
   * Fluent source of the engine's messages in a language, such as `pt-BR`. A newer engine may have messages that
   * the page lacks.
   */
  sentences(language: string): Promise<string>
  /** Report on the recovery of a damaged list. Null if no recovery happened or if the user has dismissed the report. */
  recovery(): Promise<Recovery | null>
  recoverySeen(): Promise<void>
  /** Partial files that no registration refers to. */
  orphans(): Promise<Orphan[]>
  /** Files of removed downloads that could not be moved to the trash. */
  keptFiles(): Promise<KeptFile[]>
  /** Adds partial files to the list and continues their downloads. */
  adopt(partials: readonly string[]): Promise<Registration[]>
  settings(): Promise<SettingsReport>
  /** Changes a setting; null restores its default. */
  set(key: SettingKey, value: SettingValue | null): Promise<void>

  /** Subscribes to all events from the moment the promise resolves. */
  events(listener: (event: Event) => void): Promise<Unsubscribe>
  /** Subscribes to links from a second instance or the desktop, from the moment the promise resolves. */
  links(listener: (links: string[]) => void): Promise<Unsubscribe>
  /** Links that arrived before the page subscribed. */
  takeLinks(): Promise<string[]>

  /** Subscribes to downloads that the user selects outside the page, from the moment the promise resolves. */
  looks(listener: (look: Look) => void): Promise<Unsubscribe>
  /** Download that was selected before the page subscribed. */
  takeLook(): Promise<Look | null>

  /** Subscribes to changes of the power action and to each second of its countdown. */
  afterwards(listener: (now: Afterwards) => void): Promise<Unsubscribe>
  /** Current power action. */
  whatAfterwards(): Promise<Afterwards>
  /** Chooses the power action that runs once after all downloads have finished. */
  chooseAfterwards(then: PowerActionKind): Promise<void>

  /** Subscribes to copied text that may contain links, from the moment the promise resolves. */
  copied(listener: (text: string) => void): Promise<Unsubscribe>
  /** Text that was copied before the page subscribed. */
  takeCopied(): Promise<string | null>

  /** Subscribes to failures of actions requested outside the page, from the moment the promise resolves. */
  troubles(listener: (failure: Failure) => void): Promise<Unsubscribe>
  /** Failures that occurred before the page subscribed. */
  takeTroubles(): Promise<Failure[]>

  /** Calls `last` before the page unloads. Delays the unload until the promise of `last` settles, up to a short limit. */
  leaving(last: () => Promise<unknown>): Promise<Unsubscribe>

  readonly browsers: BrowsersApi
  readonly devices: DevicesApi
  /** Features that this desktop lacks at the moment. */
  lacking(): Promise<Lacking[]>
  /** Opens a complete file, or saves it on this device; `can.openFiles` states which. */
  open(uniqueId: string, index: number): Promise<void>
  showInFolder(uniqueId: string, index: number): Promise<void>
  /** Opens the page with the link in the browser. The download then waits until the user clicks its file on that page. */
  openPage(uniqueId: string): Promise<void>
  /** Opens the target folder, even if it contains no file of the download yet. */
  showFolder(uniqueId: string): Promise<void>
  /** Lets the user choose a folder; resolves to null if the user cancelled. */
  chooseFolder(): Promise<string | null>
  /** Lets the user choose a file and stores its path as the value of `key`. Resolves to false if the user cancelled. */
  chooseFile(key: SettingKey): Promise<boolean>
  /** Exports the list to a file that the user chooses; resolves to null if the user cancelled. */
  saveList(): Promise<Exported | null>
  /** Imports a list from a file that the user chooses; resolves to null if the user cancelled. */
  takeInList(): Promise<Imported | null>
  /** Starts dragging these files out of the window. */
  carry(files: FileId[]): Promise<void>
  /** URL under which the page can show an image file. */
  picture(path: string): string
  /** Reports that the first list is ready to be shown. */
  ready(): Promise<void>
  /** Closes the window; downloads continue. */
  closeWindow(): Promise<void>
  /** Quits Ashore; the next start resumes all downloads. */
  quit(): Promise<void>
}

/** Reason why a call failed: a stable code for programs, and a sentence that tells the user how to solve the problem. */
export class Failure extends Error {
  readonly code: string
  readonly variant: string | null
  readonly args: UserMessage['args']
  readonly text: string

  constructor(code: string, text: string, { variant, args }: Partial<UserMessage> = {}) {
    super(`${code}: ${text}`)
    this.name = 'Failure'
    this.code = code
    this.variant = variant ?? null
    this.args = args
    this.text = text
  }

  /** Failure that shows a message of the engine. */
  static from({ code, text, variant, args }: UserMessage): Failure {
    return new Failure(code, text, { variant, args })
  }

  /** Converts any thrown value to a failure that can be shown. */
  static of(thrown: unknown): Failure {
    if (thrown instanceof Failure) return thrown
    if (typeof thrown === 'object' && thrown !== null && 'code' in thrown && 'text' in thrown) {
      return Failure.from(thrown as UserMessage)
    }
    const detail = thrown instanceof Error ? thrown.message : String(thrown)
    return new Failure('not-done', detail, { args: { why: detail } })
  }
}
