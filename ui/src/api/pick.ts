// Chooses the body: the engine inside the shell, the pretend one in a plain browser. That is loaded on demand, so that the
// window never carries it; the other one is there at once, and the window a question and an answer sooner.
import type { Api } from './api'
import { api as engine } from './tauri'

export async function pickApi(): Promise<Api> {
  const inShell = '__TAURI_INTERNALS__' in window
  if (inShell && !new URLSearchParams(location.search).has('mock')) return engine
  return (await import('./mock/mock')).pretend(new URLSearchParams(location.search))
}
