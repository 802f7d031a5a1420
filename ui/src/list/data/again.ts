// Adds the links of a download again, as a new download. [pure]
import type { NewRegistration, NewRequest, Registration } from '../../api/api'
import { hasOneFile, phase, sends } from '../../i18n/phase'
import type { FileRequest } from './file-sources'

/** Whether the download can be downloaded again: it is complete or cancelled. A failed one can be retried, which keeps its bytes. */
export function mayDownloadAgain(registration: Registration): boolean {
  const now = phase(registration)
  return (now === 'done' || now === 'cancelled') && !sends(registration)
}

/**
 * The new download, with the same links, methods, headers, folder and page. The names of the files are chosen anew. With a new
 * random `id`, the engine does not treat the download as a duplicate.
 */
export function downloadedAgain(registration: Registration, files: readonly FileRequest[], id: string): NewRegistration {
  return {
    owner: 'window',
    source: 'window',
    developer_id: id,
    folder: registration.folder,
    ...(hasOneFile(registration) ? {} : { title: registration.title }),
    ...(registration.page === null ? {} : { page: registration.page }),
    requests: files.map(requestOf),
  }
}

function requestOf({ record: { url, method }, headers }: FileRequest): NewRequest {
  return { url, ...(method === 'GET' ? {} : { method }), ...(headers.length === 0 ? {} : { headers }) }
}
