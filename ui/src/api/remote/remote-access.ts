// Session and connection of a page in a browser. This is a part of the interface in `api.ts`.

export type RemoteState =
  /** A connection is being opened. `attempts` is the number of failed attempts so far. */
  | { readonly phase: 'connecting'; readonly attempts: number }
  | { readonly phase: 'open' }
  /** The next attempt is due at the time `due`, in milliseconds of Unix time. */
  | { readonly phase: 'waiting'; readonly attempts: number; readonly due: number }
  /** The page is hidden, so it has no connection until a call or the user needs one. */
  | { readonly phase: 'resting' }
  | { readonly phase: 'signed-out' }

/** Secret that signs a device in: the token of the server, or a pairing code. */
export type SignInSecret = { readonly token: string } | { readonly pairing: string }

/** Device, as the server describes it. */
export interface RemoteDevice {
  readonly name: string
  readonly scope: 'control' | 'add' | 'read'
}

/** Folder on the server. */
export interface FolderList {
  /** Absolute path; empty for the list of all roots. */
  readonly path: string
  /** Absolute path of the folder above; null at a root. */
  readonly parent: string | null
  /** Names of the folders inside. For the list of all roots, these are absolute paths. */
  readonly folders: readonly string[]
}

/** Asks the user for a folder on the server; resolves to null if the user cancels. */
export type FolderChooser = () => Promise<string | null>

/** Every method rejects only with a `Failure`. */
export interface RemoteAccess {
  readonly state: RemoteState
  /** Device of this session; null until the server has accepted it. */
  readonly device: RemoteDevice | null
  /** Calls `listener` with every new state. */
  watch(listener: (state: RemoteState) => void): () => void
  /** Skips the wait before the next attempt. */
  connectNow(): void
  /** Signs this device in and connects. Rejects with a `TooManyAttempts` if the server demands a wait. */
  signIn(secret: SignInSecret, name: string): Promise<void>
  /** Signs this device out, on the server too if the server can be reached. */
  signOut(): Promise<void>
  folders(path: string | null): Promise<FolderList>
  /** Sets the dialog that `Api.chooseFolder` shows. */
  chooseFoldersWith(chooser: FolderChooser): void
}
