// What the window may ask of the world, as one interface with two bodies: `tauri.ts` (the engine) and `mock.ts` (a
// pretend one for a plain browser). Nothing else in the page reaches outside.
import { say } from '../i18n/i18n.svelte'
import type { AddOutcome as Added } from './generated/AddOutcome'
import type { RegistrationDetails as FileDetails } from './generated/RegistrationDetails'
import type { EngineEvent as Event } from './generated/EngineEvent'
import type { ExportSummary as Exported } from './generated/ExportSummary'
import type { ImportSummary as Imported } from './generated/ImportSummary'
import type { KeptFile } from './generated/KeptFile'
import type { ExistingLinks as Known } from './generated/ExistingLinks'
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

export type {
  Added,
  Event,
  Exported,
  FileDetails,
  FileRecord,
  Imported,
  KeptFile,
  Known,
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
export type { FileCategory as Category } from './generated/FileCategory'
export type { DailyCount as Counted } from './generated/DailyCount'
export type { DayStatistic } from './generated/DayStatistic'
export type { RequestSource as Source } from './generated/RequestSource'
export type { SourceStatistic } from './generated/SourceStatistic'
export type { RegistrationState as State } from './generated/RegistrationState'
export type { GateReport as Gate } from './generated/GateReport'
export type { Setting } from './generated/Setting'
export type { SettingGroup } from './generated/SettingGroup'
export type { UserMessage } from './generated/UserMessage'
export type { WeekSetting as Week } from './generated/WeekSetting'

export type Unsubscribe = () => void

/** Something of a desktop that settings speak of. */
export type Lacking = 'notifications' | 'tray'

/** A download that a person wants to see. */
export interface Look {
  unique_id: string
  /** With everything that is known of it. */
  is_close: boolean
}

/** What becomes of the machine when all is done. */
export type Then = 'nothing' | 'sleep' | 'shut-down'

export interface Afterwards {
  then: Then
  /** All is done, and it happens in so many seconds. */
  seconds: number | null
}

/** One file: of which download, and which of its requests. */
export type FileId = readonly [uniqueId: string, index: number]

/** Every method may reject with a {@link Failure}, and with nothing else. */
export interface Api {
  /** What waits in the list already is not added twice: it moves to the top. */
  add(registration: NewRegistration): Promise<Added>
  /** Newest first; a page at a time by `before`. */
  list(query: ListQuery): Promise<Registration[]>
  /** The ids of those with these words in their title, or in an address or a name of theirs, newest first; at most 10,000. */
  search(text: string): Promise<string[]>
  show(uniqueId: string): Promise<Registration>
  records(uniqueId: string, from: number, limit: number): Promise<FileRecord[]>
  /** Every try of one file, and what was said of it. */
  details(uniqueId: string, index: number): Promise<FileDetails>
  /** Which parts are there of the files that are being fetched. */
  segments(uniqueId: string): Promise<Segments[]>
  /** False when it had settled already. */
  abort(uniqueId: string): Promise<boolean>
  /** Null pauses everything. */
  pause(uniqueId: string | null): Promise<void>
  /** Null resumes everything. */
  resume(uniqueId: string | null): Promise<void>
  move(uniqueId: string, place: Place): Promise<void>
  /** Another title; the files keep their names. */
  rename(uniqueId: string, title: string): Promise<void>
  /** How many files are tried again. */
  retry(uniqueId: string): Promise<number>
  remove(uniqueId: string, files: boolean): Promise<void>
  totals(): Promise<Totals>
  /** How fast one may be, or where that is null everything together, bytes a second; null takes the limit away. */
  limit(uniqueId: string | null, bytesPerSecond: number | null): Promise<void>
  /** All that hold. */
  limits(): Promise<SpeedLimit[]>
  /** In all, and by the day that it was added on, as many days back. */
  statistics(days: number): Promise<Statistics>
  /** Pasted text, line by line; nothing of it is fetched. */
  understand(text: string): Promise<UnderstoodLine[]>
  /** What the server says of it. Its answer waits for whoever adds the request with it. */
  probe(request: NewRequest): Promise<Probed>
  /** Nobody adds what was probed. */
  letGo(probe: string): Promise<void>
  /** What of these links is in the list, and whether the folder, or the usual one, has something of this name. */
  known(links: string[], folder: string | null, name: string | null): Promise<Known>
  /** Another link for a file that is not there yet, and what goes along with it; null for what went along with the old one. */
  relink(uniqueId: string, index: number, url: string, headers: [string, string][] | null): Promise<void>
  /** Another folder for what is not there yet of it, where its own cannot be used. */
  putInto(uniqueId: string, folder: string): Promise<void>
  /** It goes on although a gate is closed that a person may overrule; false where that opens no way. */
  goAnyway(uniqueId: string): Promise<boolean>
  /** From now on, this goes with every request to the origin of `url`: until Ashore ends, or for good. */
  signIn(url: string, signIn: SignIn, isLasting: boolean): Promise<void>
  /** From now on, these cookies go with every request to the origin of `url`; as `name=value`, or the lines of a cookies.txt that are for it. */
  giveCookies(url: string, cookies: string, isLasting: boolean): Promise<void>
  /** The recovery of a damaged list; null where there was none, or a person has seen it. */
  /** Fluent source of the engine's messages in a language, such as `pt-BR`: a newer engine has more than the page. */
  sentences(language: string): Promise<string>
  recovery(): Promise<Recovery | null>
  recoverySeen(): Promise<void>
  /** Partial files that nothing in the list knows. */
  orphans(): Promise<Orphan[]>
  /** Files of removed downloads that could not be moved to the trash. */
  keptFiles(): Promise<KeptFile[]>
  /** Takes them into the list, and goes on with them. */
  adopt(partials: readonly string[]): Promise<Registration[]>
  settings(): Promise<SettingsReport>
  /** Null is what it is when nobody says. */
  set(key: SettingKey, value: SettingValue | null): Promise<void>

  /** Every event from the moment the promise resolves. */
  events(listener: (event: Event) => void): Promise<Unsubscribe>
  /** Links handed over by a second start or the desktop, from the moment the promise resolves. */
  links(listener: (links: string[]) => void): Promise<Unsubscribe>
  /** Links that were handed over before the page listened. */
  takeLinks(): Promise<string[]>

  /** A download that was chosen outside the page, from the moment the promise resolves. */
  looks(listener: (look: Look) => void): Promise<Unsubscribe>
  /** The one that was chosen before the page listened. */
  takeLook(): Promise<Look | null>

  /** What becomes of the machine when all is done, from the moment the promise resolves: whenever it is another, and each second of its countdown. */
  afterwards(listener: (now: Afterwards) => void): Promise<Unsubscribe>
  /** The same, as it is. */
  whatAfterwards(): Promise<Afterwards>
  /** For this once. */
  chooseAfterwards(then: Then): Promise<void>

  /** What somebody copied elsewhere and may want to add, from the moment the promise resolves. */
  copied(listener: (text: string) => void): Promise<Unsubscribe>
  /** The same, from before the page listened. */
  takeCopied(): Promise<string | null>

  /** Why something that was asked for outside of the page was not done, from the moment the promise resolves. */
  troubles(listener: (failure: Failure) => void): Promise<Unsubscribe>
  /** The same, from before the page listened. */
  takeTroubles(): Promise<Failure[]>

  /** The page is about to go. It stays until the promise is kept, but not for long. */
  leaving(last: () => Promise<unknown>): Promise<Unsubscribe>

  /** What this desktop does not have at the moment. */
  lacking(): Promise<Lacking[]>
  open(uniqueId: string, index: number): Promise<void>
  showInFolder(uniqueId: string, index: number): Promise<void>
  /** Where its files go, whether one is there yet or not. */
  showFolder(uniqueId: string): Promise<void>
  /** Null when the person chose none. */
  chooseFolder(): Promise<string | null>
  /** Sets a setting to the file that the person chooses for it; false when they chose none. */
  chooseFile(key: SettingKey): Promise<boolean>
  /** Saves the list in a file that the person chooses; null when they chose none. */
  saveList(): Promise<Exported | null>
  /** Takes in a saved list that the person chooses; null when they chose none. */
  takeInList(): Promise<Imported | null>
  /** These files are dragged out together. */
  carry(files: FileId[]): Promise<void>
  /** An address under which the page may show an image file. */
  picture(path: string): string
  /** There is a first list to be shown. */
  ready(): Promise<void>
}

/** Why a verb was not done: a stable word for programs, a sentence with the cure for people. */
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

  /** Whatever was thrown, as a failure that can be shown. */
  static of(thrown: unknown): Failure {
    if (thrown instanceof Failure) return thrown
    if (typeof thrown === 'object' && thrown !== null && 'code' in thrown && 'text' in thrown) {
      return Failure.from(thrown as UserMessage)
    }
    const detail = thrown instanceof Error ? thrown.message : String(thrown)
    return new Failure('internal', say('not-done', { why: detail }))
  }
}
