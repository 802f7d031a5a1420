// Chooses the implementation of the API: the engine in the desktop window, or the simulated engine in a plain browser.
// The simulated engine is loaded on demand, so that the window does not contain it. The real engine is imported
// statically, which saves the window a round trip.
import type { Api } from '../api/api'
import { api as engine } from '../api/tauri'

export async function pickApi(): Promise<Api> {
  const inShell = '__TAURI_INTERNALS__' in window
  if (inShell && !new URLSearchParams(location.search).has('mock')) return engine
  return (await import('./mock')).pretend(new URLSearchParams(location.search))
}
