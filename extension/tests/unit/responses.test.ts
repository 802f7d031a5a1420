import { describe, expect, it } from 'vitest'

import type { ResponseDetails } from '../../src/browser/api'
import { cookieLine } from '../../src/responses/cookie-line'
import { Heads, nameOf } from '../../src/responses/heads'

const details = (changes: Partial<ResponseDetails>): ResponseDetails => ({
  requestId: '1',
  url: 'https://files.test/a',
  method: 'GET',
  type: 'main_frame',
  tabId: 3,
  statusCode: 200,
  timeStamp: 0,
  responseHeaders: [],
  ...changes,
})

describe('Heads', () => {
  it('head_names_the_first_address_of_its_chain', () => {
    const heads = new Heads()
    heads.onRedirect(details({ url: 'https://page.test/get', statusCode: 302 }))
    heads.onRedirect(details({ url: 'https://page.test/two', statusCode: 302 }))
    heads.onHead(details({}))
    expect(heads.take('https://files.test/a', 0)?.first_url).toBe('https://page.test/get')
  })

  it('fragment_of_an_address_is_ignored', () => {
    const heads = new Heads()
    heads.onHead(details({ url: 'https://files.test/a#top' }))
    expect(heads.take('https://files.test/a', 0)).not.toBeNull()
  })

  it.each([301, 304, 404, 503])('response_%i_is_not_kept', (statusCode) => {
    const heads = new Heads()
    expect(heads.onHead(details({ statusCode }))).toBeNull()
    expect(heads.take('https://files.test/a', 0)).toBeNull()
  })

  it('latest_head_of_an_address_wins', () => {
    const heads = new Heads()
    heads.onHead(details({ method: 'GET' }))
    heads.onHead(details({ method: 'POST' }))
    expect(heads.take('https://files.test/a', 0)?.method).toBe('POST')
  })

  it('head_is_taken_once', () => {
    const heads = new Heads()
    heads.onHead(details({}))
    expect(heads.take('https://files.test/a', 0)).not.toBeNull()
    expect(heads.take('https://files.test/a', 0)).toBeNull()
  })

  it('head_of_an_earlier_request_is_not_taken', async () => {
    const heads = new Heads()
    heads.onHead(details({ timeStamp: 10_000 }))
    expect(heads.take('https://files.test/a', 12_001)).toBeNull()
    const waiting = heads.wait('https://files.test/a', 12_001, new Promise(() => {}))
    heads.onHead(details({ timeStamp: 12_010, method: 'POST' }))
    expect((await waiting)?.method).toBe('POST')
  })

  it('two_hundred_heads_are_kept', () => {
    const heads = new Heads()
    for (let at = 0; at <= 200; at += 1) heads.onHead(details({ url: `https://files.test/${at}` }))
    expect(heads.take('https://files.test/0', 0)).toBeNull()
    expect(heads.take('https://files.test/1', 0)).not.toBeNull()
    expect(heads.take('https://files.test/200', 0)).not.toBeNull()
  })

  it.each([
    ['12', 12],
    ['0', 0],
    ['-1', null],
    ['9223372036854775808', null],
    ['1e3', null],
    ['', null],
  ])('length_%s_is_read_as_%s', (value, size) => {
    const heads = new Heads()
    expect(heads.onHead(details({ responseHeaders: [{ name: 'Content-Length', value }] }))?.size).toBe(size)
  })
})

describe('nameOf', () => {
  it.each([
    [null, null],
    ['inline', null],
    ['attachment; filename=plain.zip', 'plain.zip'],
    ['attachment; filename="two words.zip"', 'two words.zip'],
    ['attachment; filename="a \\"b\\".zip"', 'a "b".zip'],
    ['attachment; filename="fallback.zip"; filename*=UTF-8\'\'na%C3%AFve%20%E2%82%AC.zip', 'naïve €.zip'],
    ["attachment; filename*=utf-8'en'%ff; filename=plain.zip", 'plain.zip'],
  ])('%s', (disposition, name) => {
    expect(nameOf(disposition)).toBe(name)
  })
})

describe('cookieLine', () => {
  const cookie = (name: string, value: string, path = '/', topLevelSite?: string) => ({
    name,
    value,
    path,
    ...(topLevelSite !== undefined && { partitionKey: { topLevelSite } }),
  })

  it('longer_paths_come_first', () => {
    expect(cookieLine([cookie('a', '1'), cookie('b', '2', '/files')], null)).toBe('b=2; a=1')
  })

  it('no_cookies_give_no_line', () => {
    expect(cookieLine([], null)).toBeNull()
  })

  it('only_the_partition_of_the_page_is_included', () => {
    const all = [
      cookie('own', '1', '/', 'https://page.test'),
      cookie('other', '2', '/', 'https://else.test'),
      cookie('plain', '3'),
    ]
    expect(cookieLine(all, 'https://www.page.test/list')).toBe('own=1; plain=3')
    expect(cookieLine(all, null)).toBe('plain=3')
    expect(cookieLine(all, 'https://notpage.test/')).toBe('plain=3')
    expect(cookieLine(all, 'http://page.test/')).toBe('plain=3')
  })

  it.each(['a\r\nHost: x', 'a\0', 'a; b=c'])('value_that_splits_the_header_is_left_out', (value) => {
    expect(cookieLine([cookie('a', value), cookie('b', '2')], null)).toBe('b=2')
  })
})
