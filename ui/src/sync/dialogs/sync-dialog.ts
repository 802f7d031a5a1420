// Dialogs of sync and their content. `Sync` opens at most one of them at a time.
import type { Registration } from '../../api/api'
import type { JoinInvite, RecoveryWordsReport, RemoteDownload } from '../../api/sync-api'

/** Dialog of sync. */
export type SyncDialog =
  | { what: 'invite'; invite: JoinInvite }
  /** `removed` is the name of the machine whose removal created the words; null if the words are not new. */
  | { what: 'words'; report: RecoveryWordsReport; removed: string | null }
  /** `name` is the present name of this machine. */
  | { what: 'rename'; name: string }
  | { what: 'leave' }
  | { what: 'stop-server' }
  | { what: 'clear-history' }
  | { what: 'remove-other'; download: RemoteDownload }
  | { what: 'send'; registrations: readonly Registration[] }
