import { expect, it } from 'vitest'

import type { UnderstoodLine } from '../../../src/api/api'
import { type Left, type LeftDraft, openLinks, readDraft, readLeft, withoutSecrets } from '../../../src/list/data/saved-view'

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

it('saved draft keeps the plain links of lines whose headers are secret', () => {
  const [url, other] = ['https://a.example/1', 'https://a.example/2']
  const line = (parts: Partial<UnderstoodLine>): UnderstoodLine => ({
    number: 1,
    lines: 1,
    text: url,
    requests: [{ url, headers: [['Cookie', 'a=1']] }],
    sign_in: null,
    trouble: null,
    ...parts,
  })
  const secret = line({ sign_in: { scheme: 'basic', user: 'ann', password: 'x' } })
  expect(withoutSecrets(`${url} a=1\n${other}`, [line({}), line({ number: 2, requests: [{ url: other }] })])).toBe(
    `${url}\n${other}`,
  )
  expect(withoutSecrets(`${url} ${other}`, [line({}), line({ requests: [{ url: other }] })])).toBe(`${url}\n${other}`)
  expect(withoutSecrets(`${url} ${other}`, [line({}), secret])).toBe('')
  expect([openLinks([line({})], new Set()), openLinks([secret], new Set())]).toEqual([url, ''])
})

const EMPTY: LeftDraft = { text: '', folder: '', each: 'set', start: 'now', device: null, deviceName: '' }

it('saved drafts are restored, and invalid values are replaced', () => {
  const draft: LeftDraft = { text: 'a', folder: '/b', each: 'each', start: 'later', device: 'd', deviceName: 'desk' }
  expect(readDraft(JSON.stringify([draft]))).toEqual(draft)
  expect(readDraft('{"text":"a","folder":"/b"}'), 'a single draft').toEqual({ ...EMPTY, text: 'a', folder: '/b' })
  for (const written of [null, '', '7', 'null', '[7,null]', '[{"text":7,"folder":null,"each":"all","start":1,"device":{}}]'])
    expect(readDraft(written), String(written)).toEqual(EMPTY)
})

it('several saved drafts become one draft with the options that they share', () => {
  const draft: LeftDraft = { text: 'a', folder: '/b', each: 'each', start: 'later', device: 'd', deviceName: 'desk' }
  expect(readDraft(JSON.stringify([draft, { ...draft, text: 'b' }]))).toEqual({ ...draft, text: 'a\nb' })
  const other = { ...draft, text: 'b', folder: '/c', device: null, deviceName: '' }
  expect(readDraft(JSON.stringify([draft, other]))).toEqual({ ...EMPTY, text: 'a\nb', each: 'each', start: 'later' })
})
