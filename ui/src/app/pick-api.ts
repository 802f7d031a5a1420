// Chooses the implementation of the API:
//
// - in the window of the desktop program, which Tauri marks: the engine of this computer;
// - with `?mock` in the address, or on the development server: the simulated engine;
// - otherwise: the engine behind the HTTP server that delivered this page.
//
// Only a server of Ashore delivers the built page to a browser, so the build itself is the sign of such a server. No
// request is needed to confirm this. A request would delay each start. If the server is down, a cached page would also
// conclude wrongly that it is not a server of Ashore. The real engine is imported statically, which saves the window a
// round trip. The others are loaded on demand.
import type { Api } from '../api/api'
import { api as engine } from '../api/tauri'

export async function pickApi(): Promise<Api> {
  const parameters = new URLSearchParams(location.search)
  if (parameters.has('mock')) return (await import('../mock/mock')).pretend(parameters)
  if ('__TAURI_INTERNALS__' in window) return engine
  if (import.meta.env.DEV) return (await import('../mock/mock')).pretend(parameters)
  return (await import('../remote/remote-api')).remoteApi()
}
