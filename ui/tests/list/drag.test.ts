import { expect, it } from 'vitest'

import { carry, dropped, fileUrl, LARGEST_LIST } from '../../src/list/drag'

it('a path becomes a file URL that decodes to the same path', () => {
  expect(fileUrl('/home/robin/thesis.pdf')).toBe('file:///home/robin/thesis.pdf')
  expect(fileUrl('/home/robin/50 % & more #1?.pdf')).toBe('file:///home/robin/50%20%25%20%26%20more%20%231%3F.pdf')
  expect(fileUrl('/home/robin/水.pdf')).toBe('file:///home/robin/%E6%B0%B4.pdf')
  expect(fileUrl('/home/robin/a\\b')).toBe('file:///home/robin/a%5Cb')
  expect(fileUrl('C:\\Users\\Robin\\a b.pdf')).toBe('file:///C:/Users/Robin/a%20b.pdf')
  expect(fileUrl('\\\\server\\share\\a.pdf')).toBe('file://server/share/a.pdf')
  for (const path of ['/a b/c', '/100%/ü#?', '/\\']) expect(decodeURIComponent(new URL(fileUrl(path)).pathname)).toBe(path)
})

it('a single dragged file can only be copied, and is offered as a URL', () => {
  const offered = new Map<string, string>()
  const data = { effectAllowed: 'uninitialized', setData: (type: string, value: string) => void offered.set(type, value) }
  carry(data as unknown as DataTransfer, '/home/robin/a b.pdf')
  expect(data.effectAllowed).toBe('copy')
  expect([...offered]).toEqual([
    ['text/uri-list', 'file:///home/robin/a%20b.pdf'],
    ['text/plain', '/home/robin/a b.pdf'],
  ])
})

it('dragging several files offers a placeholder instead of their URLs', () => {
  const offered = new Map<string, string>()
  carry({ setData: (type: string, value: string) => void offered.set(type, value) } as unknown as DataTransfer, null)
  expect([...offered]).toEqual([['text/uri-list', 'ashore:carried']])
})

it('dropped link lists are read unless they are too large', async () => {
  const text = (types: { [type: string]: string }) => ({ getData: (type: string) => types[type] ?? '' })
  const files = (...files: { size: number; text: string }[]) =>
    files.map(({ size, text }) => ({ size, text: async () => text })) as unknown as FileList
  expect(await dropped({ files: files(), ...text({ 'text/plain': 'https://a.example/1' }) })).toEqual(['https://a.example/1'])
  // The drop contains the file's own address, which is not a link to add.
  const list = {
    files: files({ size: 3, text: 'a\nb' }, { size: LARGEST_LIST + 1, text: '' }),
    ...text({ 'text/uri-list': 'file:///list.txt' }),
  }
  expect(await dropped(list)).toEqual(['a\nb', null])
})
