import { expect, it } from 'vitest'

import type { UnderstoodLine } from '../../../src/api/api'
import { type Left, readDraft, readLeft, withoutSecrets } from '../../../src/list/data/saved-view'

const NOTHING: Left = { filter: 'all', category: null, search: '', opened: [], selected: null }

it('saved view is restored', () => {
  const left: Left = { filter: 'failed', category: 'video', search: 'thes', opened: ['a', 'b'], selected: 'b' }
  expect(readLeft(JSON.stringify(left))).toEqual(left)
})

it('invalid values of a saved view are dropped, and valid values are restored', () => {
  expect(readLeft(null)).toEqual(NOTHING)
  for (const text of ['', 'none', 'null', '7', '[]', '{"filter":']) expect(readLeft(text), text).toEqual(NOTHING)
  const text = '{"filter":"lost","category":7,"search":"a","opened":["a",7],"selected":{}}'
  expect(readLeft(text)).toEqual({ ...NOTHING, search: 'a', opened: ['a'] })
})

it('saved draft contains no credentials', () => {
  const line = (number: number, text: string, parts: Partial<UnderstoodLine> = {}): UnderstoodLine => ({
    number,
    lines: 1,
    text,
    requests: [],
    sign_in: null,
    trouble: null,
    ...parts,
  })
  const text = [
    'https://a.example/1',
    'curl \\',
    'https://a.example/2',
    'https://ann:x@a.example/3',
    'https://a.example/4',
    'words',
  ].join('\n')
  const lines = [
    line(1, 'https://a.example/1', { requests: [{ url: 'https://a.example/1' }] }),
    line(2, 'curl https://a.example/2', { lines: 2, requests: [{ url: 'https://a.example/2', headers: [['Cookie', 'a']] }] }),
    line(4, 'https://ann:x@a.example/3', { sign_in: { scheme: 'basic', user: 'ann', password: 'x' } }),
    line(5, 'https://a.example/4', { requests: [{ url: 'https://a.example/4', headers: [] }] }),
    line(6, 'words', { trouble: { code: 'not-a-link', text: 'Not a link.' } }),
  ]
  expect(withoutSecrets(text, lines)).toBe('https://a.example/1\nhttps://a.example/4\nwords')
  expect(withoutSecrets('curl -u a', [line(1, 'curl -u a', { trouble: { code: 'command', text: 'No.' } })])).toBe('')
})

it('saved draft is restored, and invalid values become empty', () => {
  expect(readDraft('{"text":"a","folder":"/b","isOpen":true}')).toEqual({ text: 'a', folder: '/b', isOpen: true })
  for (const written of [null, '', '7', '{"text":7,"folder":null,"isOpen":"yes"}'])
    expect(readDraft(written)).toEqual({ text: '', folder: '', isOpen: false })
})
