// Folders that were chosen while adding, remembered by kind of file. Where none was, the engine knows where to.
import type { Category } from '../api/api'

const KEY = 'ashore.folders'

type Folders = { [category in Category]?: string }

/** Undefined where nobody chose one. */
export function chosenFolder(category: Category): string | undefined {
  return read()[category]
}

/** An empty one is none. */
export function chooseFolder(category: Category, folder: string): void {
  localStorage.setItem(KEY, JSON.stringify({ ...read(), [category]: folder === '' ? undefined : folder }))
}

function read(): Folders {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Folders
  } catch {
    return {}
  }
}
