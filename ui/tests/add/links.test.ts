import { expect, it } from 'vitest'

import { pretendToUnderstand } from '../../src/mock/parsed-lines'
import { hostOf, inOrder, isProse, nameOf, readChecksum, without } from '../../src/add/links'

it('added links are removed from the text, and other links stay', () => {
  const text = 'https://a.example/1\nhttps://a.example/[2:4]\nnot a link\nhttps://a.example/5'
  const lines = pretendToUnderstand(text)
  const all = lines.flatMap((line) => line.requests)
  expect(without(text, lines, new Set(all.slice(0, 2)))).toBe(
    'not a link\nhttps://a.example/5\nhttps://a.example/3\nhttps://a.example/4',
  )
  expect(without(text, lines, new Set(all))).toBe('not a link')
  expect(without(text, lines, new Set())).toBe(text)
})

it('a line with several links keeps those that were not added', () => {
  const text = 'Hi Anna, they are at https://a.example/1 and https://a.example/2.\nhttps://a.example/3'
  const lines = pretendToUnderstand(text)
  const [first, second, third] = lines.flatMap((line) => line.requests)
  expect([first!.url, second!.url, third!.url]).toEqual([1, 2, 3].map((number) => `https://a.example/${number}`))
  expect(without(text, lines, new Set([first!]))).toBe('https://a.example/3\nhttps://a.example/2')
})

it('a few lines without a link are shown before the links, and prose after them', () => {
  const codes = (text: string): string[] => inOrder(pretendToUnderstand(text)).map(({ trouble }) => trouble?.code ?? 'link')
  expect(codes('https://a.example/1\nsome words')).toEqual(['not-a-link', 'link'])
  const prose = 'Hello\nthis is\nfor you\nftp://a.example/x\nhttps://a.example/1\nBye'
  expect(codes(prose)).toEqual(['other-scheme', 'link', 'not-a-link', 'not-a-link', 'not-a-link', 'not-a-link'])
  expect([isProse(pretendToUnderstand(prose)), isProse(pretendToUnderstand('a\nb\nc\nd\ne'))]).toEqual([true, false])
})

it('displayed name comes from the path or the host', () => {
  expect(nameOf('https://a.example/pub/debian%2013.iso?mirror=1')).toBe('debian 13.iso')
  expect(nameOf('https://a.example/bad%E0%A4%A')).toBe('bad%E0%A4%A')
  expect(nameOf('https://a.example/')).toBe('a.example')
  expect(hostOf('https://a.example:81/x')).toBe('a.example:81')
})

it('checksums are parsed in all common formats', () => {
  const digits = 'ab'.repeat(32)
  expect(readChecksum(`sha-256=${digits}`)).toBe(`sha-256=${digits}`)
  expect(readChecksum(` SHA256: ${digits.toUpperCase()} `)).toBe(`sha-256=${digits}`)
  expect(readChecksum(digits)).toBe(`sha-256=${digits}`)
  expect(readChecksum('d41d8cd98f00b204e9800998ecf8427e')).toBe('md5=d41d8cd98f00b204e9800998ecf8427e')
  expect(readChecksum(`sha-512=${digits}`)).toBeNull()
  expect(readChecksum('sha-256=xyz')).toBeNull()
  expect(readChecksum('abc')).toBeNull()
})
