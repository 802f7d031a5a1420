// Choice of a folder on the server, in a dialog of the page.
import { Failure } from '../api/api'
import type { FolderList, RemoteAccess } from '../api/remote/remote-access'

export class FolderChoice {
  isOpen = $state(false)
  list = $state.raw<FolderList | null>(null)
  isReading = $state(false)
  failure = $state.raw<Failure | null>(null)
  readonly #remote: Pick<RemoteAccess, 'folders'>
  #answer: (folder: string | null) => void = () => undefined
  /** Number of reads so far; the answer of an earlier read is dropped. */
  #reads = 0

  constructor(remote: Pick<RemoteAccess, 'folders'>) {
    this.#remote = remote
  }

  /** Opens the dialog; resolves to the chosen path, or to null if the user closes the dialog. */
  choose(): Promise<string | null> {
    this.close()
    this.list = null
    this.isOpen = true
    void this.show(null)
    return new Promise((resolve) => (this.#answer = resolve))
  }

  /** Shows the folders in `path`; null shows the roots. A single root is opened at once. */
  async show(path: string | null): Promise<void> {
    const read = ++this.#reads
    this.isReading = true
    this.failure = null
    try {
      let list = await this.#remote.folders(path)
      const [only, ...others] = list.folders
      if (path === null && only !== undefined && others.length === 0) list = await this.#remote.folders(only)
      if (read === this.#reads) this.list = list
    } catch (thrown) {
      if (read === this.#reads) this.failure = Failure.of(thrown)
    } finally {
      if (read === this.#reads) this.isReading = false
    }
  }

  /** Opens the folder with this name in the folder that is shown. */
  enter(name: string): void {
    const path = this.list?.path ?? ''
    // The roots are absolute paths. Windows paths keep their own separator.
    const separator = path.includes('\\') ? '\\' : '/'
    void this.show(path === '' ? name : path.endsWith(separator) ? path + name : path + separator + name)
  }

  submit(): void {
    const path = this.list?.path ?? ''
    if (path === '' || this.isReading) return
    this.#answer(path)
    this.isOpen = false
  }

  close(): void {
    this.#answer(null)
    this.#answer = () => undefined
    this.isOpen = false
  }
}
