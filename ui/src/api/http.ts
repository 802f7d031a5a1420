// Connects the page in a browser to the engine through the HTTP server of Ashore: calls and events over one WebSocket, files
// by download and upload.
import { type Api, Failure, type Imported } from './api'
import { browsersApi } from './browsers-api'
import { REMOTE_CAPABILITIES } from './capabilities'
import { devicesApi } from './devices-api'
import { engineCalls, type SendCall } from './engine-calls'
import type { FolderChooser, FolderList, RemoteAccess, RemoteDevice, RemoteState } from './remote/remote-access'
import { RemoteSession, type SessionWorld } from './remote/session'
import { type ConnectionTexts, RemoteSocket, type SocketLike, type SocketWorld } from './remote/socket'
import { isNewer } from './remote/version'
import { syncApi } from './sync-api'

/** Storage key of the server version that last made the page reload itself. */
const LOADED_FOR = 'ashore.loaded-for'
/** Maximum number of registrations in one answer. It keeps the answer below the message limit of 4 MiB. */
const LONGEST_PAGE = 500
/** Maximum time by which the callbacks of `leaving` delay an unload, in milliseconds. */
const LONGEST_LEAVING = 1000

export interface HttpTexts extends ConnectionTexts {
  /**
   * Text for a call that is unavailable in a browser. The page has no control for such a call, so only a fault leads here.
   */
  unavailable(): string
}

/** Environment of the page. */
export interface HttpWorld extends SessionWorld, Omit<SocketWorld, 'key' | 'openSocket'> {
  /** Version of the page. */
  version: string
  openSocket(address: URL): SocketLike
  /** Storage of this tab. */
  tab: Pick<Storage, 'getItem' | 'setItem'>
  /** Loads the page again. */
  reload(): void
  /** Saves the file at `address` on this device. */
  download(address: URL): void
  /** Lets the user choose a file of this device; resolves to null if the user cancels. */
  chooseFile(): Promise<Blob | null>
  /** Links that another program of this device shared with the page. */
  sharedLinks(): string[]
  /** Calls `listener` with the visibility of the page, now and after every change. */
  watchVisibility(listener: (isVisible: boolean) => void): void
  /** Calls `listener` when the network of this device returns. */
  watchNetwork(listener: () => void): void
  /** Calls `listener` before the page unloads. */
  watchUnload(listener: () => void): () => void
}

export function httpApi(world: HttpWorld, texts: HttpTexts): Api {
  return new HttpConnection(world, texts).api
}

class HttpConnection implements RemoteAccess {
  device: RemoteDevice | null = null
  readonly #world: HttpWorld
  readonly #texts: HttpTexts
  readonly #socket: RemoteSocket
  readonly #session: RemoteSession
  readonly #stateListeners = new Set<(state: RemoteState) => void>()
  readonly #eventListeners = new Set<Parameters<Api['events']>[0]>()
  readonly #leaving = new Set<() => Promise<unknown>>()
  #chooseFolder: FolderChooser = () => Promise.resolve(null)

  constructor(world: HttpWorld, texts: HttpTexts) {
    this.#world = world
    this.#texts = texts
    this.#session = new RemoteSession(world, texts, () => this.#socket.change({ type: 'signed-out' }))
    const address = new URL('api/socket', world.base)
    address.protocol = world.base.protocol === 'https:' ? 'wss:' : 'ws:'
    const socketWorld = {
      openSocket: () => world.openSocket(address),
      key: () => this.#session.key(),
      now: () => world.now(),
      random: () => world.random(),
      after: (milliseconds: number, act: () => void) => world.after(milliseconds, act),
    }
    this.#socket = new RemoteSocket(socketWorld, texts, {
      changed: (state) => this.#changed(state),
      event: (event) => this.#eventListeners.forEach((listener) => listener(event)),
      accepted: (device, program) => this.#accepted(device, program),
    })
    world.watchVisibility((isVisible) => this.#socket.setVisible(isVisible))
    world.watchNetwork(() => this.connectNow())
    this.#socket.start()
  }

  get state(): RemoteState {
    return this.#socket.state
  }

  watch(listener: (state: RemoteState) => void): () => void {
    this.#stateListeners.add(listener)
    return () => this.#stateListeners.delete(listener)
  }

  connectNow(): void {
    this.#socket.change({ type: 'due' })
  }

  async signIn(secret: Parameters<RemoteAccess['signIn']>[0], name: string): Promise<void> {
    this.device = await this.#session.signIn(secret, name)
    this.#socket.change({ type: 'signed-in' })
  }

  async signOut(): Promise<void> {
    const ended = this.#session.signOut()
    this.#socket.change({ type: 'signed-out' })
    await ended
  }

  folders(path: string | null): Promise<FolderList> {
    return this.#session.get(path === null ? 'api/folders' : `api/folders?path=${encodeURIComponent(path)}`)
  }

  chooseFoldersWith(chooser: FolderChooser): void {
    this.#chooseFolder = chooser
  }

  get api(): Api {
    const call: SendCall = ({ method, ...rest }) => this.#socket.call(method, 'params' in rest ? rest.params : undefined)
    const refuse = (): Promise<never> => Promise.reject(new Failure('unavailable', this.#texts.unavailable()))
    const silent = (): ReturnType<Api['links']> => Promise.resolve(() => undefined)
    const calls = engineCalls(call)
    return {
      ...calls,
      can: REMOTE_CAPABILITIES,
      remote: this,
      sync: syncApi(call, refuse),
      browsers: browsersApi(refuse),
      devices: devicesApi(refuse),
      list: (query) => calls.list({ ...query, limit: Math.min(query.limit || LONGEST_PAGE, LONGEST_PAGE) }),

      events: (listener) => {
        this.#eventListeners.add(listener)
        return Promise.resolve(() => this.#eventListeners.delete(listener))
      },
      leaving: (last) => {
        this.#leaving.add(last)
        const forget = this.#world.watchUnload(() => void last().catch(() => undefined))
        return Promise.resolve(() => {
          this.#leaving.delete(last)
          forget()
        })
      },
      links: silent,
      looks: silent,
      afterwards: silent,
      copied: silent,
      troubles: silent,
      takeLinks: () => Promise.resolve(this.#world.sharedLinks()),
      takeLook: () => Promise.resolve(null),
      takeCopied: () => Promise.resolve(null),
      takeTroubles: () => Promise.resolve([]),
      lacking: () => Promise.resolve([]),
      whatAfterwards: () => Promise.resolve({ then: 'nothing', seconds: null }),
      ready: () => Promise.resolve(),
      // A page cannot close the window of the browser.
      closeWindow: () => Promise.resolve(),
      quit: () => Promise.resolve(),

      open: (unique_id, index) => this.#download({ unique_id, index }),
      saveList: async () => {
        await this.#download({ export: true })
        return null
      },
      takeInList: () => this.#import(),
      chooseFolder: () => this.#chooseFolder(),
      chooseAfterwards: refuse,
      chooseFile: refuse,
      showInFolder: refuse,
      showFolder: refuse,
      openPage: refuse,
      carry: () => Promise.resolve(),
      picture: () => '',
    }
  }

  /**
   * Downloads the content that a ticket stands for. A ticket is valid only once. Because of the ticket, no address contains
   * the session key.
   */
  async #download(wanted: { unique_id: string; index: number } | { export: true }): Promise<void> {
    const { path } = await this.#session.post<{ path: string }>('api/tickets', JSON.stringify(wanted))
    this.#world.download(new URL(path, this.#world.base))
  }

  async #import(): Promise<Imported | null> {
    const file = await this.#world.chooseFile()
    return file === null ? null : this.#session.post<Imported>('api/import', file, 'application/octet-stream')
  }

  #changed(state: RemoteState): void {
    if (state.phase === 'signed-out') {
      this.#session.forget()
      this.device = null
    }
    for (const listener of this.#stateListeners) listener(state)
  }

  #accepted(device: RemoteDevice, program: string): void {
    this.device = device
    const { tab, version } = this.#world
    if (!isNewer(program, version) || tab.getItem(LOADED_FOR) === program) return
    // Remember the version first: if the server still delivers the old page, the page must not load again and again.
    tab.setItem(LOADED_FOR, program)
    const last = Promise.allSettled([...this.#leaving].map((last) => last()))
    const limit = new Promise<void>((resolve) => void this.#world.after(LONGEST_LEAVING, resolve))
    void Promise.race([last, limit]).then(() => this.#world.reload())
  }
}
