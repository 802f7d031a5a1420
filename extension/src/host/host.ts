// Calls to the native host, or to the paired channel if the browser cannot start the native host. Each call sends one message
// and gets one answer, so no port stays open while the extension is idle. Only the popup opens a port.
import type { BrowserApi } from '../browser/api'
import { Stored } from '../browser/stored'
import { browserName, ChannelError, openSocket, PairedChannel, type PairingState, REMOVED, stateOf } from './channel'
import {
  type Downloads,
  downloadsOf,
  FAILED,
  type Greeting,
  greetingOf,
  HOST,
  type Link,
  MISSING,
  type OfferedDownload,
  refusalOf,
  type Refusal,
  rulesIn,
  VERSION,
} from './protocol'
import type { BrowserRules } from './shared-rules'

export interface Host {
  greet(): Promise<Greeting | null>
  /** Resolves with any answer of the host; rejects if the host is missing or ends without an answer. */
  ask(ask: string, download: OfferedDownload, rules: BrowserRules | null): Promise<unknown>
  /** Sends changed rules, and resolves to all rules of Ashore; null if Ashore does not run. */
  rules(change: Partial<BrowserRules>): Promise<BrowserRules | null>
  /** Makes Ashore drop the download of a request. Resolves to false if the host could not do so now. */
  letGo(ask: string): Promise<boolean>
  /** Returns null if the Add dialog opened with the links. */
  offer(links: Link[]): Promise<Refusal | null>
}

/** Host with the additional calls that the popup needs. */
export interface PairableHost extends Host {
  /**
   * Calls `show` for each report until the page closes. Calls `end` when the paired Ashore has closed or the native host has
   * ended. This function may be used only after a greeting.
   */
  follow(show: (downloads: Downloads) => void, end: () => void): void
  pairing(): Promise<PairingState>
  /** Pairs this browser by the code that Ashore shows. Returns null on success, and otherwise the refusal. */
  pair(code: string): Promise<Refusal | null>
}

/** Time limit for the answer to a request to take a file, in milliseconds. Ashore answers within 14 s. */
export const ANSWER_LIMIT = 15_000

/**
 * Codes of refusals after which Ashore may have taken the file nevertheless, because its real answer did not arrive. For
 * example, the pairing can be removed between the registration and the answer.
 */
export const UNCERTAIN: ReadonlySet<string> = new Set([FAILED.code, REMOVED, 'browser-ashore-silent'])

/** Reason for a rejected call. In Chromium and Firefox, only the text of the error shows that the host is missing. */
export function refusalOfError(error: unknown): Refusal {
  if (error instanceof ChannelError) return error.refusal
  const text = error instanceof Error ? error.message : String((error as { message?: unknown } | null)?.message ?? error)
  return /host not found|host is forbidden|no such native application/i.test(text) ? MISSING : FAILED
}

export function hostOf(browser: BrowserApi, open = openSocket): PairableHost {
  let known: PairedChannel | undefined
  const channel = (): PairedChannel => (known ??= new PairedChannel(new Stored(browser.storage.local, 'pairing', stateOf), open))
  let isNative = true
  const send = async (message: object): Promise<unknown> => {
    const whole = { ...message, version: VERSION }
    try {
      const answer = await browser.runtime.sendNativeMessage(HOST, whole)
      isNative = true
      return answer
    } catch (error) {
      if (refusalOfError(error) !== MISSING) throw error
      isNative = false
      return channel().send(whole)
    }
  }
  return {
    pairing: () => channel().state.get(),
    pair: (code) => channel().pair(code, browserName(navigator)),
    follow: (show, end) => {
      const take = (message: unknown): void => {
        const downloads = downloadsOf(message)
        if (downloads !== null) show(downloads)
      }
      const message = { type: 'follow', version: VERSION }
      if (!isNative) return void channel().follow(message, take, end).catch(end)
      const port = browser.runtime.connectNative(HOST)
      let hasReported = false
      port.onMessage.addListener((message) => ((hasReported = true), take(message)))
      // Call `end` only if a report has arrived. If the host ended without a report, a new host would end in the same
      // way.
      port.onDisconnect.addListener(() => hasReported && end())
      port.postMessage(message)
    },
    greet: async () => {
      try {
        return greetingOf(await send({ type: 'greet', extension: browser.runtime.getManifest().version }))
      } catch {
        return null
      }
    },
    ask: (ask, download, rules) => send({ type: 'ask', ask, download, rules }),
    rules: async (change) => rulesIn(await send({ type: 'rules', change }).catch(() => null)),
    letGo: async (ask) => {
      const answer = await send({ type: 'let_go', ask }).catch(() => null)
      return (answer as { type?: unknown } | null)?.type === 'released'
    },
    offer: async (links) => {
      try {
        const answer = await send({ type: 'offer', links })
        return (answer as { type?: unknown } | null)?.type === 'offered' ? null : refusalOf(answer)
      } catch (error) {
        return refusalOfError(error)
      }
    },
  }
}
