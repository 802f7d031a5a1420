// Calls of the native host. Every call is one message and one answer, so that no port stays open while the extension is
// idle; only the popup opens a port.
import type { BrowserApi } from '../browser/api'
import { type Greeting, greetingOf, HOST, type Link, type OfferedDownload, refusalOf, type Refusal, VERSION } from './protocol'

export interface Host {
  greet(): Promise<Greeting | null>
  /** Resolves with whatever the host answers; rejects if the host is missing or ends without an answer. */
  ask(ask: string, download: OfferedDownload): Promise<unknown>
  letGo(ask: string): Promise<void>
  /** Returns null if the Add dialog opened with the links. */
  offer(links: Link[], page: string | null): Promise<Refusal | null>
}

/** Code of a refusal for a host that is missing, or that ended without an answer. */
export const HOST_FAILED = 'host-failed'

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
    ask: (ask, download) => send({ type: 'ask', ask, download }),
    letGo: async (ask) => {
      await send({ type: 'let_go', ask })
    },
    offer: async (links, page) => {
      try {
        const answer = await send({ type: 'offer', links, page })
        return (answer as { type?: unknown } | null)?.type === 'offered' ? null : refusalOf(answer)
      } catch {
        return { code: HOST_FAILED, text: '' }
      }
    },
  }
}
