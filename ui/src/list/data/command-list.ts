// The cURL commands of all files of several downloads.
import type { Registration } from '../../api/api'
import { fileName } from '../../details/details-text'
import { curlCommand } from './curl-command'
import type { FileSources } from './file-sources'

export interface CommandList {
  lines: readonly string[]
  /** Names of the headers that the commands leave out, each once. */
  hidden: readonly string[]
}

export async function readCommands(
  registrations: readonly Registration[],
  read: (id: string) => Promise<FileSources>,
): Promise<CommandList> {
  const lines: string[] = []
  const names = new Map<string, string>()
  for (const { unique_id, page } of registrations) {
    const { files, hidden } = await read(unique_id)
    for (const file of files) lines.push(curlCommand(file, fileName(file.record), page))
    for (const name of hidden) names.set(name.toLowerCase(), name)
  }
  return { lines, hidden: [...names.values()] }
}
