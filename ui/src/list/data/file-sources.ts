// Requests of the files of a download, as far as the engine shows them: it hides headers that may be secret.
import type { Api, FileDetails, FileRecord } from '../../api/api'

/** Properties of a request that a new request for the same file repeats. */
export interface FileRequest {
  record: Pick<FileRecord, 'url' | 'method'>
  headers: FileDetails['headers']
}

/** Request of one file, without the hidden headers. */
export interface FileSource extends FileRequest {
  record: FileRecord
  /** Header fields of the request, name and value. */
  headers: FileDetails['headers']
}

/** Requests of all files of a download. */
export interface FileSources {
  files: readonly FileSource[]
  /** Names of the hidden headers, each once. */
  hidden: readonly string[]
}

/** Number of files whose headers are read at the same time. */
const TOGETHER = 32

export async function readSources(api: Pick<Api, 'details'>, id: string, records: readonly FileRecord[]): Promise<FileSources> {
  const files: FileSource[] = []
  const hidden = new Map<string, string>()
  for (let from = 0; from < records.length; from += TOGETHER) {
    const some = records.slice(from, from + TOGETHER)
    const details = await Promise.all(some.map(({ index }) => api.details(id, index)))
    for (const [place, record] of some.entries()) {
      const { headers, hidden_headers } = details[place]!
      files.push({ record, headers })
      for (const name of hidden_headers) hidden.set(name.toLowerCase(), name)
    }
  }
  return { files, hidden: [...hidden.values()] }
}
