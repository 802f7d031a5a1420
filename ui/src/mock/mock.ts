// Simulated engine for a plain browser: the same calls and events, but no bytes. Parameters of the address:
//
// - `?mock`: one registration of every kind (the default)
// - `?rows=100000`: a long list
// - `?failures`: every failure and every reason for waiting
// - `?empty`: an empty list; `?one`: a single running download
// - `?still`: no progress (for screenshots)
// - `?fail=name`: the call `name` is refused
// - `?slow`: responses take a second; `?metered`: a gate is closed and everything waits; `?limited`: slow hours and a speed limit
// - `?troubles`: the settings file has errors
// - `?language=ar`: language of the page
// - `?recovered`: a damaged list was restored
// - `?orphans`: partial files unknown to the list
// - `?kept`: files of removed downloads could not be moved to the trash, and no file can be moved there
// - `?look=title`: opens at this download, with its details
// - `?lacking`: a desktop without tray and notifications; `?browsers=none`: no browsers; `?browsers=busy`: no free port for them
// - `?rows=100000&events=1000`: 250 of the rows run and emit this many events a second; 0 for no events
// - `?copied=link`: a link copied in another program
// - `?sync`: sync with three machines; `?sync=server`: the server runs here; `?sync=fault`: the server does not answer;
//   `?sync=removed`: another machine removed this one; `?sync=full`: the server has no space left; `?sync=no-server`: the
//   server on this machine cannot start; `sync-status.ts` has more values
// - `?devices`, `?devices=used`, `?devices=fault`: the server for other devices, see `devices.ts`
// - `?remote`: the capabilities of a browser on another device
// - `?declined`: the user declines every question; `?afterwards=sleep&seconds=42`: power action with a countdown
import { inEnglish } from '../i18n/engine-messages'
import { refused } from './errors'
import {
  type Added,
  type Afterwards,
  type Api,
  type Event,
  type Exported,
  Failure,
  type FileDetails,
  type FileRecord,
  type Gate,
  type Imported,
  type KeptFile,
  type ExistingLinks,
  type Lacking,
  type Look,
  type NewRegistration,
  type NewRequest,
  type Orphan,
  type Place,
  type Probed,
  type Recovery,
  type Registration,
  type Segments,
  type SettingKey,
  type SettingsReport,
  type SettingValue,
  type SpeedLimit,
  type Statistics,
  type PowerActionKind,
  type Totals,
  type UnderstoodLine,
} from '../api/api'
import { type Capabilities, REMOTE_CAPABILITIES, WINDOW_CAPABILITIES } from '../api/capabilities'
import { pretendSettings, put } from './settings'
import { pretendToUnderstand } from './parsed-lines'
import { pretendToKnow, pretendToProbe } from './probes'
import { awaitsClick, everything, everyTrouble, long, one, type Pretended, recordOf, registrationOf } from './registrations'
import { detailsOf, segmentsOf } from './details'
import { PretendedList } from './list'
import { PretendedPauses } from './pauses'
import { PretendedPowerAction } from './power-action'
import { sayProgress } from './progress'
import { keptFile, pretendKeptFiles, pretendOrphans, pretendRecovery } from './recovery'
import { type Past, pastOf, statisticsOf } from './statistics'
import { PretendedBrowsers } from './browsers'
import { PretendedDevices } from './devices'
import { PretendedSync, sentDownload } from './sync'

const TICK = 250
const METERED: Gate = {
  ...inEnglish('metered'),
  code: 'metered',
  state: 'closed',
  cause: inEnglish('cause.metered').text,
  until: null,
}

export function pretend(parameters: URLSearchParams): Api {
  return new Pretend(parameters)
}

class Pretend implements Api {
  readonly can: Capabilities
  readonly remote = null
  readonly sync: PretendedSync
  readonly browsers: PretendedBrowsers
  readonly devices: PretendedDevices
  readonly #list: PretendedList
  readonly #listeners = new Set<(event: Event) => void>()
  readonly #refused: string | null
  readonly #wait: number
  #held: Pick<Totals, 'speed_limit' | 'pace' | 'gate'>
  /** Speed limits of single registrations. */
  readonly #limits = new Map<string, number>()
  readonly #past: readonly Past[]
  #settings: SettingsReport
  readonly #pauses: PretendedPauses
  #recovery: Recovery | null
  #orphans: Orphan[]
  /** Files that could not be moved to the trash; null if the trash works. */
  #kept: KeptFile[] | null
  readonly #power: PretendedPowerAction

  constructor(parameters: URLSearchParams) {
    this.can = parameters.has('remote') ? REMOTE_CAPABILITIES : WINDOW_CAPABILITIES
    this.#settings = pretendSettings(parameters.has('troubles'), parameters.get('language') ?? 'auto')
    this.#recovery = parameters.has('recovered') ? pretendRecovery(Date.now()) : null
    this.#orphans = parameters.has('orphans') ? pretendOrphans() : []
    this.#kept = parameters.has('kept') ? pretendKeptFiles() : null
    const access = { parameters, answer: (verb: string) => this.#answer(verb), say: (event: Event) => this.#say(event) }
    this.#power = new PretendedPowerAction(parameters, access.answer)
    this.sync = new PretendedSync(access)
    this.browsers = new PretendedBrowsers(access)
    this.devices = new PretendedDevices(access)
    this.#refused = parameters.get('fail')
    this.#wait = parameters.has('slow') ? 1000 : 0
    this.#held = {
      speed_limit: parameters.has('limited') ? 2 << 20 : null,
      pace: parameters.has('limited') ? 'slow' : 'full',
      gate: parameters.has('metered') ? METERED : null,
    }
    const rows = Number(parameters.get('rows') ?? 0)
    const made = parameters.has('empty')
      ? []
      : rows > 0
        ? long(rows, Date.now(), parameters.has('events') ? 250 : 8)
        : parameters.has('failures')
          ? everyTrouble(Date.now())
          : parameters.has('one')
            ? one(Date.now())
            : everything(Date.now())
    if (parameters.has('sync')) made.unshift(registrationOf(sentDownload(), Date.now()))
    // A long list has no history.
    this.#past = rows > 0 || made.length === 0 ? [] : pastOf(Date.now())
    if (parameters.has('metered')) {
      const waiting_for = inEnglish('metered')
      for (const one of made)
        if (one.registration.state === 'waiting') one.registration = { ...one.registration, waiting_for, next_try: null }
    }
    this.#list = new PretendedList(made)
    this.#pauses = new PretendedPauses(made)
    const seconds = parameters.has('still') ? 0 : TICK / 1000
    const events = parameters.get('events')
    if (events === null) setInterval(() => this.#tick(seconds), TICK)
    else
      sayProgress(
        made.filter((one) => one.registration.state === 'running'),
        Number(events),
        (event) => this.#say(event),
      )
  }

  async add(wanted: NewRegistration): Promise<Added> {
    await this.#answer('add')
    if (wanted.folder?.startsWith('/root')) {
      throw refused('target.refused', { path: wanted.folder, why: inEnglish('io.read-only') })
    }
    for (const { url } of wanted.requests) {
      const address = new URL(url)
      if (address.port === '25') {
        throw refused('bad-port', { port: address.port, host: address.hostname })
      }
    }
    const pretended = registrationOf(wanted, Date.now())
    this.#list.add(pretended)
    this.#change(pretended, this.#pauses.add(pretended))
    this.#sayTotals()
    return { how: 'new', ...pretended.registration }
  }

  async list({ active, before, limit }: Parameters<Api['list']>[0]): Promise<Registration[]> {
    await this.#answer('list')
    const all = this.#list.newestFirst()
    const page: Registration[] = []
    for (let place = before === undefined ? 0 : all.indexOf(this.#list.find(before)) + 1; place < all.length; place += 1) {
      const { registration } = all[place]!
      if (active !== undefined && (registration.state !== 'settled') !== active) continue
      page.push(registration)
      if (page.length === (limit || 500)) break
    }
    return page
  }

  async search(text: string): Promise<string[]> {
    await this.#answer('search')
    return this.#list.search(text)
  }

  async show(uniqueId: string): Promise<Registration> {
    await this.#answer('show')
    return this.#list.find(uniqueId).registration
  }

  async records(uniqueId: string, from: number, limit: number): Promise<FileRecord[]> {
    await this.#answer('records')
    const pretended = this.#list.find(uniqueId)
    const to = Math.min(from + (limit || 1000), pretended.registration.requests)
    return Array.from({ length: Math.max(0, to - from) }, (_, offset) => recordOf(pretended, from + offset))
  }

  async details(uniqueId: string, index: number): Promise<FileDetails> {
    await this.#answer('details')
    return detailsOf(this.#list.find(uniqueId), index, Date.now())
  }

  async segments(uniqueId: string): Promise<Segments[]> {
    await this.#answer('segments')
    return segmentsOf(this.#list.find(uniqueId))
  }

  async abort(uniqueId: string): Promise<boolean> {
    await this.#answer('abort')
    const pretended = this.#list.find(uniqueId)
    if (pretended.registration.state === 'settled') return false
    this.#change(pretended, {
      state: 'settled',
      result: 'failure',
      failureReason: 'aborted',
      active: 0,
      event_number: pretended.registration.event_number + 1,
      settled: Date.now(),
      next_try: null,
      waiting_for: null,
    })
    return true
  }

  async pause(uniqueId: string | null): Promise<void> {
    await this.#answer('pause')
    const isEverything = uniqueId === null
    if (isEverything) this.#pauses.isEverything = true
    this.#changeEach(uniqueId, (one) => this.#pauses.pause(one, isEverything))
    this.#sayTotals()
  }

  async resume(uniqueId: string | null): Promise<void> {
    await this.#answer('resume')
    const isEverything = uniqueId === null
    if (isEverything) this.#pauses.isEverything = false
    this.#changeEach(uniqueId, (one) => this.#pauses.resume(one, isEverything))
    this.#sayTotals()
  }

  async move(uniqueId: string, place: Place): Promise<void> {
    await this.#answer('move')
    const pretended = this.#list.find(uniqueId)
    if (place === 'now' && pretended.registration.state === 'waiting') {
      this.#change(pretended, this.#pauses.start(pretended))
    } else {
      this.#change(pretended, { rank: this.#list.rankAt(uniqueId, place) })
    }
  }

  async rename(uniqueId: string, title: string): Promise<void> {
    await this.#answer('rename')
    const pretended = this.#list.find(uniqueId)
    this.#list.renamed()
    this.#change(pretended, { title })
  }

  async retry(uniqueId: string): Promise<number> {
    await this.#answer('retry')
    const pretended = this.#list.find(uniqueId)
    const { registration } = pretended
    if (registration.state === 'waiting' && registration.next_try !== null) {
      this.#change(pretended, this.#pauses.start(pretended))
      return 1
    }
    const again = registration.state === 'settled' ? registration.failed : 0
    if (again === 0) return 0
    const anew = { result: '', failureReason: '', failure: null, failed: 0, settled: null } as const
    this.#change(pretended, { ...anew, ...this.#pauses.start(pretended) })
    return again
  }

  async remove(uniqueId: string, files: boolean): Promise<void> {
    await this.#answer(files ? 'remove-files' : 'remove')
    const { path } = this.#list.find(uniqueId).registration
    this.#list.remove(uniqueId)
    this.#say({ type: 'removed', unique_id: uniqueId, owner: 'window' })
    this.#sayTotals()
    if (!files || this.#kept === null || path === null) return
    this.#kept = [...this.#kept, keptFile(path)]
    this.#say({ type: 'lagged' })
  }

  async totals() {
    await this.#answer('totals')
    return this.#totals()
  }

  async statistics(days: number): Promise<Statistics> {
    await this.#answer('statistics')
    const listed = this.#list.all().map((one) => one.registration)
    return statisticsOf(listed, this.#past, Date.now(), days)
  }

  async understand(text: string): Promise<UnderstoodLine[]> {
    await this.#answer('understand')
    return pretendToUnderstand(text)
  }

  async limit(uniqueId: string | null, bytesPerSecond: number | null): Promise<void> {
    await this.#answer('limit')
    const speed_limit = bytesPerSecond === 0 ? null : bytesPerSecond
    if (uniqueId === null) this.#held = { ...this.#held, speed_limit }
    else if (speed_limit === null) this.#limits.delete(uniqueId)
    else this.#limits.set(uniqueId, speed_limit)
    this.#sayTotals()
  }

  async limits(): Promise<SpeedLimit[]> {
    await this.#answer('limits')
    return [...this.#limits].map(([unique_id, bytes_per_second]) => ({
      scope: { type: 'registration', unique_id },
      bytes_per_second,
    }))
  }

  async probe(request: NewRequest): Promise<Probed> {
    await this.#answer('probe')
    return pretendToProbe(request)
  }

  async letGo(): Promise<void> {
    await this.#answer('let-go')
  }

  async known(links: string[], _folder: string | null, name: string | null): Promise<ExistingLinks> {
    await this.#answer('known')
    const known = pretendToKnow(links, name, this.#list.newestFirst())
    return { ...known, past_downloads: await this.sync.past(links) }
  }

  async relink(uniqueId: string, _index: number, url: string): Promise<void> {
    await this.#answer('relink')
    if (!/^https?:/.test(url)) throw refused('bad-scheme', { url })
    await this.retry(uniqueId).catch(() => undefined)
  }

  async putInto(uniqueId: string, folder: string): Promise<void> {
    await this.#answer('put-into')
    const pretended = this.#list.find(uniqueId)
    const { path, failure } = pretended.registration
    this.#change(pretended, { folder, path: path?.replace(/^.*(?=\/)/, folder) ?? null })
    if (failure?.code === 'target') await this.retry(uniqueId)
  }

  async giveCookies(url: string, cookies: string): Promise<void> {
    await this.#answer('cookies')
    if (cookies.includes('=') || cookies.includes('\t')) return
    const { hostname } = new URL(url)
    throw refused('invalid.cookies', { host: hostname })
  }

  async signIn(): Promise<void> {
    await this.#answer('sign-in')
  }

  async goAnyway(uniqueId: string): Promise<boolean> {
    await this.#answer('go-anyway')
    const pretended = this.#list.find(uniqueId)
    this.#change(pretended, this.#pauses.start(pretended))
    return true
  }

  /** Returns no sentences: the page already has all sentences of the simulated engine. */
  async sentences(): Promise<string> {
    return ''
  }

  async recovery(): Promise<Recovery | null> {
    await this.#answer('recovery')
    return this.#recovery
  }

  async recoverySeen(): Promise<void> {
    await this.#answer('acknowledge_recovery')
    this.#recovery = null
  }

  async keptFiles(): Promise<KeptFile[]> {
    await this.#answer('kept_files')
    return this.#kept ?? []
  }

  async orphans(): Promise<Orphan[]> {
    await this.#answer('orphans')
    return this.#orphans
  }

  async adopt(partials: readonly string[]): Promise<Registration[]> {
    await this.#answer('adopt')
    const adopted = this.#orphans.filter(({ path }) => partials.includes(path))
    this.#orphans = this.#orphans.filter((orphan) => !adopted.includes(orphan))
    return adopted.map(({ url }) => {
      const pretended = registrationOf({ owner: 'window', requests: [{ url }] }, Date.now())
      this.#list.add(pretended)
      this.#say({ type: 'changed', registration: pretended.registration })
      return pretended.registration
    })
  }

  async settings(): Promise<SettingsReport> {
    await this.#answer('settings')
    return this.#settings
  }

  async set(key: SettingKey, value: SettingValue | null): Promise<void> {
    await this.#answer('set')
    this.#settings = put(this.#settings, key, value)
    this.#say({ type: 'settings' })
  }

  async events(listener: (event: Event) => void) {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  links = async () => () => undefined

  /** Never calls back, because the simulated state is lost with the page anyway. */
  async leaving() {
    return () => undefined
  }

  async takeLinks(): Promise<string[]> {
    return new URLSearchParams(location.search).getAll('link')
  }

  looks = async () => () => undefined
  async takeLook(): Promise<Look | null> {
    const wanted = new URLSearchParams(location.search).get('look')
    const found = wanted === null ? undefined : this.#list.all().find(({ registration }) => registration.title.includes(wanted))
    return found === undefined ? null : { unique_id: found.registration.unique_id, is_close: true }
  }

  copied = async () => () => undefined
  troubles = async () => () => undefined
  async takeTroubles(): Promise<Failure[]> {
    return []
  }

  afterwards = (listener: (now: Afterwards) => void) => this.#power.follow(listener)
  whatAfterwards = () => this.#power.read()
  chooseAfterwards = (then: PowerActionKind) => this.#power.choose(then)

  async takeCopied(): Promise<string | null> {
    return new URLSearchParams(location.search).get('copied')
  }

  async lacking(): Promise<Lacking[]> {
    return new URLSearchParams(location.search).has('lacking') ? ['notifications', 'tray'] : []
  }

  open = () => this.#answer('open')
  openPage = async (id: string) => (await this.#answer('open-page'), this.#change(this.#list.find(id), awaitsClick()))
  showInFolder = () => this.#answer('show-in-folder')
  showFolder = () => this.#answer('show-in-folder')
  ready = async () => undefined
  closeWindow = () => this.#answer('close')
  quit = () => this.#answer('quit')
  carry = async () => undefined
  picture = (path: string) => path

  async saveList(): Promise<Exported | null> {
    await this.#answer('export')
    const all = this.#list.all()
    const requests = all.reduce((sum, { registration }) => sum + registration.requests, 0)
    return {
      path: '/home/you/Documents/ashore-list.ndjson',
      registrations: all.length,
      requests,
      without_headers: Math.min(requests, 1),
    }
  }

  async takeInList(): Promise<Imported | null> {
    await this.#answer('import')
    return { registrations: 0, requests: 0, known: this.#list.all().length, elsewhere: 0, without_headers: 0 }
  }

  async chooseFolder(): Promise<string | null> {
    await this.#answer('choose-folder')
    return '/home/robin/Downloads/Lectures'
  }

  async chooseFile(key: SettingKey): Promise<boolean> {
    await this.#answer('choose-file')
    await this.set(key, `/home/robin/Documents/${key}`)
    return true
  }

  #tick(seconds: number): void {
    if (this.#pauses.isEverything) return
    for (const pretended of this.#list.all()) {
      const { registration, speed } = pretended
      if (registration.state === 'running') {
        const total = registration.expected_total
        const now = speed * (0.85 + 0.3 * Math.random())
        const arrived = Math.round(now * seconds)
        let { downloaded, uploaded } = registration
        if (registration.uploadTotal > uploaded) uploaded = Math.min(registration.uploadTotal, uploaded + arrived)
        else downloaded = total > 0 ? Math.min(total, downloaded + arrived) : downloaded + arrived
        pretended.registration = { ...registration, downloaded, uploaded }
        if (total > 0 && downloaded >= total && uploaded >= registration.uploadTotal) this.#settle(pretended)
        else
          this.#say({
            type: 'progress',
            unique_id: registration.unique_id,
            owner: registration.owner,
            downloaded,
            uploaded,
            expected_total: total,
            speed: Math.round(seconds === 0 ? speed : now),
          })
      } else if (
        seconds > 0 &&
        registration.state === 'waiting' &&
        registration.next_try !== null &&
        registration.next_try <= Date.now()
      ) {
        this.#change(pretended, { state: 'running', active: 1, next_try: null, waiting_for: null })
      }
    }
    this.#sayTotals()
  }

  #settle(pretended: Pretended): void {
    const { registration } = pretended
    const failed = registration.failed > 0
    this.#change(pretended, {
      state: 'settled',
      result: failed ? 'failure' : 'success',
      active: 0,
      event_number: pretended.registration.event_number + 1,
      settled: Date.now(),
      succeeded: registration.requests - registration.failed,
      path: registration.requests === 1 ? `${registration.folder}/${registration.title}` : null,
    })
  }

  /** Changes the registration with this id, or all registrations if the id is null. */
  #changeEach(uniqueId: string | null, changesOf: (pretended: Pretended) => Partial<Registration> | null): void {
    for (const pretended of this.#list.those(uniqueId)) {
      const changes = changesOf(pretended)
      if (changes !== null) this.#change(pretended, changes)
    }
  }

  #change(pretended: Pretended, changes: Partial<Registration>): void {
    pretended.registration = { ...pretended.registration, ...changes }
    this.#say({ type: 'changed', registration: pretended.registration })
  }

  #totals() {
    const totals: Totals = { running: 0, waiting: 0, speed: 0, paused: this.#pauses.isEverything, ...this.#held }
    for (const { registration, speed } of this.#list.all()) {
      if (registration.state === 'running') {
        totals.running += 1
        totals.speed += speed
      } else if (registration.state === 'waiting') totals.waiting += 1
    }
    return totals
  }

  #sayTotals(): void {
    this.#say({ type: 'totals', totals: this.#totals() })
  }

  #say(event: Event): void {
    for (const listener of this.#listeners) listener(event)
  }

  async #answer(verb: string): Promise<void> {
    await new Promise((done) => setTimeout(done, this.#wait))
    if (verb === this.#refused) throw refused('ledger.full')
  }
}
