import { describe, expect, it } from 'vitest'

import { pretend } from '../../src/mock/mock'
import { isListFound, saved, takenIn } from '../../src/settings/list-file'

const nothing = { registrations: 0, requests: 0, known: 0, elsewhere: 0, without_headers: 0 }

describe('messages about a list file', () => {
  it('the text after an export has the path, and the number of files whose headers were left out', () => {
    const exported = { path: '/a/b.ndjson', registrations: 3, requests: 7, without_headers: 0 }
    expect(saved(exported)).toEqual(['The list was exported to /a/b.ndjson. Downloads in the file: 3.'])
    expect(saved({ ...exported, without_headers: 2 })[1]).toMatch(/may be secret: 2\.$/)
  })

  it('the text after an import counts new and known downloads, and those that the import changed', () => {
    expect(takenIn({ ...nothing, known: 2 })).toEqual([
      'The file contains no new downloads.',
      'Downloads that were already in the list: 2.',
    ])
    const all = takenIn({ registrations: 4, requests: 9, known: 1, elsewhere: 2, without_headers: 3 })
    expect(all).toHaveLength(4)
    expect(all[0]).toContain('New downloads: 4.')
    expect(all[2]).toContain('default folder')
    expect(all[3]).toContain('sign in')
  })
})

describe('rows of the list file', () => {
  it('the rows for export and import are found by words in their texts', () => {
    expect(['', 'export', 'IMPORT a', 'cookies', ' list '].every((search) => isListFound(search.trim()))).toBe(true)
    expect(isListFound('proxy')).toBe(false)
  })

  it('the rows for export and import work with the simulated engine and show its refusals', async () => {
    const api = pretend(new URLSearchParams('mock&still'))
    const exported = await api.saveList()
    const imported = await api.takeInList()
    expect(exported!.registrations).toBeGreaterThan(0)
    expect(imported!.known).toBe(exported!.registrations)
    await expect(pretend(new URLSearchParams('mock&still&fail=import')).takeInList()).rejects.toThrow()
  })
})
