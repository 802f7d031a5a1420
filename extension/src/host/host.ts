// Calls to the native host. Each call sends one message and gets one answer, so no port stays open while the extension
// is idle. Only the popup opens a port.
import type { BrowserApi } from '../browser/api'
import {
  type Greeting,
  greetingOf,
  HOST,
  type Link,
  type OfferedDownload,
  refusalOf,
  type Refusal,
  rulesIn,
  VERSION,
} from './protocol'
import type { Rules } from './shared-rules'

export interface Host {
  greet(): Promise<Greeting | null>
  /** Resolves with any answer of the host; rejects if the host is missing or ends without an answer. */
  ask(ask: string, download: OfferedDownload, rules: Rules | null): Promise<unknown>
  /** Sends changed rules, and resolves to all rules of Ashore; null if it does not run. */
  rules(change: Partial<Rules>): Promise<Rules | null>
  /** Drops the download of a request in Ashore. False if the host could not do so now. */
  letGo(ask: string): Promise<boolean>
  /** Returns null if the Add dialog opened with the links. */
  offer(links: Link[]): Promise<Refusal | null>
}

/** Refusal if the host does not exist. Ashore then cannot hold the file. */
export const MISSING: Refusal = { code: 'host-missing', text: '' }
/** Refusal of a host that ended without an answer. */
export const FAILED: Refusal = { code: 'host-failed', text: '' }
/** Codes of refusals after which Ashore may hold the file nevertheless, because its answer did not arrive. */
export const UNCERTAIN: ReadonlySet<string> = new Set([FAILED.code, 'browser-ashore-silent'])

/** Reason for a rejected call. In Chromium and Firefox, only the text of the error shows that the host is missing. */
export function refusalOfError(error: unknown): Refusal {
  const text = error instanceof Error ? error.message : String((error as { message?: unknown } | null)?.message ?? error)
  return /host not found|host is forbidden|no such native application/i.test(text) ? MISSING : FAILED
}

export function hostOf(browser: BrowserApi): Host {
  const send = (message: object): Promise<unknown> => browser.runtime.sendNativeMessage(HOST, { ...message, version: VERSION })
  return {
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
