import { expect, it } from 'vitest'

import type { FileDetails, FileRecord } from '../../../src/api/api'
import { readSources } from '../../../src/list/data/file-sources'

const detailsOf = (headers: [string, string][], hidden_headers: string[]): FileDetails => ({
  attempts: [],
  referrer: null,
  headers,
  hidden_headers,
  mirrors: [],
  checksums: [],
  finished: null,
})

it('the headers of all files are read in their order, and hidden names are listed once', async () => {
  const records = Array.from({ length: 100 }, (_, index) => ({ index }) as FileRecord)
  const asked: number[] = []
  const details = async (_: string, index: number): Promise<FileDetails> => {
    asked.push(index)
    return detailsOf([['Accept', String(index)]], index === 0 ? ['Cookie'] : ['cookie', 'X-Api-Key'])
  }
  const { files, hidden } = await readSources({ details }, 'id', records)
  expect(asked).toEqual(records.map(({ index }) => index))
  expect(files.map(({ headers }) => headers[0]![1])).toEqual(asked.map(String))
  expect(hidden.map((name) => name.toLowerCase())).toEqual(['cookie', 'x-api-key'])
})
