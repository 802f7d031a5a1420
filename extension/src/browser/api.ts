// The part of the WebExtension interface that the extension uses, with the same names in both browser families. Tests
// simulate this interface; `browser-api.ts` returns the real one.
//
// - Members that only one family has are optional. The family is determined from the address of the extension.
// - All calls return promises, as Manifest V3 does in both families.

export interface ListenerList<Listener extends (...args: never[]) => unknown, Extra extends unknown[] = []> {
  addListener(listener: Listener, ...extra: Extra): void
  removeListener(listener: Listener): void
}

/** A download in the browser's own list. Chromium and Firefox fill different fields. */
export interface DownloadItem {
  id: number
  url: string
  /** Chromium: address after all redirects. Firefox puts this address into `url`. */
  finalUrl?: string
  referrer?: string
  filename: string
  mime?: string
  /** Number of bytes; -1 if unknown. */
  totalBytes: number
  fileSize?: number
  /** Time of the response, in ISO 8601. */
  startTime?: string
  state: 'in_progress' | 'interrupted' | 'complete'
  /** Reason for the state `interrupted`, such as `USER_CANCELED`. */
  error?: string | null
  paused?: boolean
  /** Chromium: `safe`, `accepted` by the user, or the reason for a warning. */
  danger?: string
  incognito?: boolean
  byExtensionId?: string
  cookieStoreId?: string
}

export type Suggest = (suggestion?: { filename: string }) => void

export interface Cookie {
  name: string
  value: string
  path: string
  /** Domain of the cookie. Starts with a dot, except if the cookie belongs to a single host. */
  domain?: string
  sameSite?: 'no_restriction' | 'lax' | 'strict' | 'unspecified'
  partitionKey?: { topLevelSite?: string; hasCrossSiteAncestor?: boolean }
}

export interface Header {
  name: string
  value?: string
}

export interface ResponseDetails {
  requestId: string
  url: string
  method: string
  type: string
  tabId: number
  statusCode: number
  timeStamp: number
  /** Chromium: origin of the page that caused the request. */
  initiator?: string
  /** Firefox: address of the page that caused the request. */
  originUrl?: string
  incognito?: boolean
  responseHeaders?: Header[]
  requestHeaders?: Header[]
}

export interface Tab {
  id?: number
  url?: string
  title?: string
  incognito?: boolean
  cookieStoreId?: string
}

export interface MenuClick {
  menuItemId: string | number
  linkUrl?: string
  srcUrl?: string
  pageUrl?: string
  frameId?: number
}

export interface Sender {
  id?: string
  url?: string
  origin?: string
  tab?: Tab
}

export interface Port {
  postMessage(message: unknown): void
  disconnect(): void
  onMessage: ListenerList<(message: unknown) => void>
  onDisconnect: ListenerList<() => void>
}

export interface StorageArea {
  get(key: string | null): Promise<Record<string, unknown>>
  set(values: Record<string, unknown>): Promise<void>
  remove(key: string): Promise<void>
  /** Missing in Firefox. */
  setAccessLevel?(access: { accessLevel: 'TRUSTED_CONTEXTS' }): Promise<void>
}

export interface PermissionSet {
  permissions?: string[]
  origins?: string[]
  data_collection?: string[]
}

export interface ContentScript {
  id: string
  js: string[]
  matches: string[]
  allFrames: boolean
  runAt: 'document_start'
  persistAcrossSessions: boolean
}

export interface ScriptTarget {
  tabId: number
  frameIds?: number[]
  allFrames?: boolean
}

export interface BrowserApi {
  downloads: {
    onDeterminingFilename?: ListenerList<(item: DownloadItem, suggest: Suggest) => void>
    onCreated: ListenerList<(item: DownloadItem) => void>
    onChanged: ListenerList<(change: { id: number }) => void>
    search(query: { id: number }): Promise<DownloadItem[]>
    pause(id: number): Promise<void>
    resume(id: number): Promise<void>
    cancel(id: number): Promise<void>
    erase(query: { id: number }): Promise<unknown>
  }
  runtime: {
    id: string
    getURL(path: string): string
    getManifest(): { version: string }
    sendNativeMessage(host: string, message: unknown): Promise<unknown>
    connectNative(host: string): Port
    sendMessage(message: unknown): Promise<unknown>
    openOptionsPage(): Promise<void>
    onMessage: ListenerList<(message: unknown, sender: Sender, respond: (answer: unknown) => void) => boolean | void>
    onInstalled: ListenerList<(details: { reason: string }) => void>
    onStartup: ListenerList<() => void>
    lastError?: { message?: string } | null
  }
  storage: {
    local: StorageArea
    session: StorageArea
    onChanged: ListenerList<(changes: Record<string, { newValue?: unknown }>, area: string) => void>
  }
  webRequest?: {
    onSendHeaders?: ListenerList<(details: ResponseDetails) => void, [{ urls: string[]; types: string[] }, string[]]>
    onCompleted?: ListenerList<(details: Pick<ResponseDetails, 'requestId'>) => void, [{ urls: string[]; types: string[] }]>
    onBeforeRedirect: ListenerList<(details: ResponseDetails) => void, [{ urls: string[]; types: string[] }]>
    onHeadersReceived: ListenerList<(details: ResponseDetails) => void, [{ urls: string[]; types: string[] }, string[]]>
  }
  cookies?: {
    getAll(query: { url: string; storeId?: string; partitionKey?: object; firstPartyDomain?: null }): Promise<Cookie[]>
  }
  contextMenus: {
    create(entry: { id: string; title: string; contexts: string[]; targetUrlPatterns?: string[] }): unknown
    removeAll(): Promise<void>
    onClicked: ListenerList<(click: MenuClick, tab?: Tab) => void>
  }
  tabs: {
    query(query: { active: boolean; currentWindow: boolean }): Promise<Tab[]>
    create(tab: { url: string }): Promise<unknown>
    get(tabId: number): Promise<Tab>
    onRemoved: ListenerList<(tabId: number) => void>
  }
  scripting: {
    executeScript<Result>(script: {
      target: ScriptTarget
      func: (...args: never[]) => Result
      args?: unknown[]
    }): Promise<{ result?: Result }[]>
    registerContentScripts(scripts: ContentScript[]): Promise<void>
    getRegisteredContentScripts(filter: { ids: string[] }): Promise<{ id: string }[]>
    unregisterContentScripts(filter: { ids: string[] }): Promise<void>
  }
  permissions: {
    contains(set: PermissionSet): Promise<boolean>
    request(set: PermissionSet): Promise<boolean>
    remove(set: PermissionSet): Promise<boolean>
    onAdded: ListenerList<() => void>
    onRemoved: ListenerList<() => void>
  }
  alarms: {
    create(name: string, alarm: { periodInMinutes: number }): Promise<void>
    clear(name: string): Promise<unknown>
    onAlarm: ListenerList<() => void>
  }
  action: {
    setBadgeText(badge: { text: string }): Promise<void>
    setBadgeBackgroundColor(badge: { color: string }): Promise<void>
  }
  i18n: { getMessage(id: string, substitutions?: string[]): string }
}

/** Part of the interface from which the family of the browser can be determined. */
export type Origin = { runtime: Pick<BrowserApi['runtime'], 'getURL'> }

/**
 * Whether the browser is of the Firefox family. The existence of a member proves nothing, because either family may add it.
 */
export const isFirefox = ({ runtime }: Origin): boolean => runtime.getURL('').startsWith('moz-')

/** Whether the browser is of the Chromium family. Only that family can pause a download without losing the connection. */
export const isChromium = (browser: Origin): boolean => !isFirefox(browser)
