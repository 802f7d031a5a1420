import { describe, expect, it } from 'vitest'

import { joined, kindOf, nameOf, SeenMedia } from '../../src/links/media'
import { headOf } from '../../src/responses/heads'

describe('kindOf', () => {
  it.each<[string | null, string, ReturnType<typeof kindOf>]>([
    ['video/mp4', 'https://files.test/a', 'video'],
    ['Audio/MPEG; codecs=x', 'https://files.test/a', 'audio'],
    ['application/vnd.apple.mpegurl', 'https://files.test/a', 'stream'],
    ['application/dash+xml', 'https://files.test/a', 'stream'],
    ['text/plain', 'https://files.test/live.m3u8?x=1', 'stream'],
    ['video/mp2t', 'https://files.test/1.ts', null],
    ['video/iso.segment', 'https://files.test/1.m4s', null],
    ['image/png', 'https://files.test/a.png', null],
    [null, 'https://files.test/a.mp4', null],
    ['video/mp4', 'not an address', 'video'],
  ])('%s %s', (type, url, kind) => {
    expect(kindOf(type, url)).toBe(kind)
  })
})

describe('nameOf', () => {
  it.each([
    ['https://files.test/a%20b.mp4?x#y', 'a b.mp4'],
    ['https://files.test/', 'files.test'],
    ['https://files.test/%ff', '%ff'],
    ['nothing', 'nothing'],
  ])('%s', (url, name) => {
    expect(nameOf(url)).toBe(name)
  })
})

describe('SeenMedia', () => {
  const see = (
    media: SeenMedia,
    url: string,
    { tab = 1, type = 'media', status = 200, contentType = 'video/mp4' } = {},
  ): void => {
    const responseHeaders = [
      { name: 'content-type', value: contentType },
      { name: 'content-length', value: '9' },
    ]
    const details = { requestId: '1', url, method: 'GET', type, tabId: tab, statusCode: status, timeStamp: 0, responseHeaders }
    media.onHead(tab, type, headOf(details, url))
  }

  it('files_are_grouped_by_tab_without_duplicates', () => {
    const media = new SeenMedia()
    see(media, 'https://files.test/a')
    see(media, 'https://files.test/a')
    see(media, 'https://files.test/b', { tab: 2 })
    see(media, 'https://files.test/c', { tab: -1 })
    expect(media.of(1)).toEqual([{ url: 'https://files.test/a', name: 'a', kind: 'video', size: 9 }])
    expect(media.of(2)).toHaveLength(1)
    expect(media.of(-1)).toEqual([])
  })

  it('size_of_a_partial_response_is_unknown', () => {
    const media = new SeenMedia()
    see(media, 'https://files.test/a', { status: 206 })
    expect(media.of(1)[0]?.size).toBeNull()
  })

  it('files_are_forgotten_if_the_page_changes_or_the_tab_closes', () => {
    const media = new SeenMedia()
    see(media, 'https://files.test/a')
    see(media, 'https://page.test/', { type: 'main_frame', contentType: 'text/html' })
    expect(media.of(1)).toEqual([])
    see(media, 'https://files.test/a')
    media.forget(1)
    expect(media.of(1)).toEqual([])
  })

  it('at_most_two_hundred_files_of_a_tab_are_kept', () => {
    const media = new SeenMedia()
    for (let at = 0; at < 250; at += 1) see(media, `https://files.test/${at}`)
    expect(media.of(1)).toHaveLength(200)
  })
})

describe('joined', () => {
  it('file_known_from_a_response_replaces_the_page_entry_with_its_address', () => {
    const seen = [{ url: 'https://files.test/a', name: 'given.mp4', kind: 'video' as const, size: 9 }]
    const named = [
      { url: 'https://files.test/a', type: 'video' },
      { url: 'https://files.test/b.ogg', type: 'audio' },
      { url: 'https://files.test/c.png', type: 'image/png' },
    ]
    expect(joined(named, seen)).toEqual([...seen, { url: 'https://files.test/b.ogg', name: 'b.ogg', kind: 'audio', size: null }])
  })
})
