import { describe, expect, it } from 'vitest'

import { hostOf, linksOf, nameOf, readChecksum, understand, without } from '../src/lib/links'

const troubleOf = (text: string) => understand(text)[0]?.trouble

describe('pasted lines', () => {
  it('are links, one on each, whatever the line endings', () => {
    const lines = understand('https://a.example/one\r\n\r\n  http://b.example:8080/two?x=1#y  \nhttps://c.example')
    expect(linksOf(lines)).toEqual(['https://a.example/one', 'http://b.example:8080/two?x=1#y', 'https://c.example'])
    expect(lines.map((line) => line.number)).toEqual([1, 3, 4])
  })

  it('may hold several links side by side, in brackets or in quotes', () => {
    expect(linksOf(understand('https://a.example/1 https://a.example/2'))).toHaveLength(2)
    expect(linksOf(understand('<https://a.example/1>\n"https://a.example/2"'))).toEqual(['https://a.example/1', 'https://a.example/2'])
  })

  it('say what is wrong with them', () => {
    expect(troubleOf('some words')).toBe('not-a-link')
    expect(troubleOf('example.org/file.zip')).toBe('not-a-link')
    expect(troubleOf('localhost:8080/x')).toBe('not-a-link')
    expect(troubleOf('https://')).toBe('not-a-link')
    expect(troubleOf('https:/one-slash.example')).toBe('not-a-link')
    expect(troubleOf('https://a.example/with space')).toBe('not-a-link')
    expect(troubleOf('https://robin:secret@a.example/x')).toBe('credentials')
    expect(troubleOf('https://robin@a.example/x')).toBe('credentials')
    expect(understand('ftp://a.example/x')[0]).toMatchObject({ trouble: 'other-scheme', scheme: 'ftp', url: null })
    expect(understand('magnet:?xt=urn:btih:1')[0]).toMatchObject({ trouble: 'other-scheme', scheme: 'magnet' })
  })

  it('count once', () => {
    const lines = understand('https://a.example/1\nhttps://a.example/1')
    expect(linksOf(lines)).toEqual(['https://a.example/1'])
    expect(lines[1]?.trouble).toBe('twice')
  })

  it('may be empty or comments', () => {
    expect(understand('\n  \n# a comment\n')).toEqual([])
  })

  it('stay when they were not added', () => {
    const text = 'https://a.example/1\nhttps://a.example/2\nnot a link'
    expect(without(text, new Set(['https://a.example/1']))).toBe('https://a.example/2\nnot a link')
  })
})

it('guesses a name to show', () => {
  expect(nameOf('https://a.example/pub/debian%2013.iso?mirror=1')).toBe('debian 13.iso')
  expect(nameOf('https://a.example/bad%E0%A4%A')).toBe('bad%E0%A4%A')
  expect(nameOf('https://a.example/')).toBe('a.example')
  expect(hostOf('https://a.example:81/x')).toBe('a.example:81')
})

it('reads checksums as they are published', () => {
  const digits = 'ab'.repeat(32)
  expect(readChecksum(`sha-256=${digits}`)).toBe(`sha-256=${digits}`)
  expect(readChecksum(` SHA256: ${digits.toUpperCase()} `)).toBe(`sha-256=${digits}`)
  expect(readChecksum(digits)).toBe(`sha-256=${digits}`)
  expect(readChecksum('d41d8cd98f00b204e9800998ecf8427e')).toBe('md5=d41d8cd98f00b204e9800998ecf8427e')
  expect(readChecksum(`sha-512=${digits}`)).toBeNull()
  expect(readChecksum('sha-256=xyz')).toBeNull()
  expect(readChecksum('abc')).toBeNull()
})
