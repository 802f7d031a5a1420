// Chooses the body: the engine inside the shell, the pretend one in a plain browser. Loaded on demand, so that the
// window never carries the pretend engine.
import type { Api } from './api'

export async function pickApi(): Promise<Api> {
  const inShell = '__TAURI_INTERNALS__' in window
  if (inShell && !new URLSearchParams(location.search).has('mock')) return (await import('./tauri')).api
  return (await import('./mock')).pretend(new URLSearchParams(location.search))
}
