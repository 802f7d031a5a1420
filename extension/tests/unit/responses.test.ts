import { describe, expect, it } from 'vitest'

import type { Cookie, ResponseDetails } from '../../src/browser/api'
import { type CookieContext, cookieLine } from '../../src/responses/cookie-line'
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
  it('response_head_contains_first_address_of_redirect_chain', () => {
    const heads = new Heads()
    heads.onRedirect(details({ url: 'https://page.test/get', statusCode: 302 }))
    heads.onRedirect(details({ url: 'https://page.test/two', statusCode: 302 }))
    heads.onHead(details({}))
    expect(heads.take('https://files.test/a', 0)?.first_url).toBe('https://page.test/get')
  })

  it('response_head_contains_referrer_of_last_request', () => {
    const heads = new Heads()
    expect(heads.onHead(details({}))?.referrer).toBeUndefined()
    heads.onRequest(details({ requestHeaders: [{ name: 'Referer', value: 'https://page.test/' }] }))
    heads.onRequest(details({ requestHeaders: [{ name: 'referer', value: 'https://page.test/b' }] }))
    expect(heads.onHead(details({}))?.referrer).toBe('https://page.test/b')
    heads.onRequest(details({ requestHeaders: [] }))
    expect(heads.onHead(details({}))?.referrer).toBeNull()
  })

  it('fragment_of_an_address_is_ignored', () => {
    const heads = new Heads()
    heads.onHead(details({ url: 'https://files.test/a#top' }))
    expect(heads.take('https://files.test/a', 0)).not.toBeNull()
  })

  it.each([301, 304, 404, 503])('response_head_with_status_%i_is_not_kept', (statusCode) => {
    const heads = new Heads()
    expect(heads.onHead(details({ statusCode }))).toBeNull()
    expect(heads.take('https://files.test/a', 0)).toBeNull()
  })

  it('end_of_response_to_a_download_is_remembered_despite_many_other_responses', () => {
    const heads = new Heads()
    heads.onHead(details({}))
    heads.take('https://files.test/a', 0)
    expect([heads.onCompleted({ requestId: '1' }), heads.onCompleted({ requestId: '2' })]).toEqual([true, false])
    for (let other = 3; other < 1000; other += 1) heads.onCompleted({ requestId: String(other) })
    expect([heads.isReceived('1'), heads.isReceived('2')]).toEqual([true, false])
  })

  it('end_of_response_is_remembered_even_if_it_precedes_the_download', () => {
    const heads = new Heads()
    heads.onHead(details({}))
    heads.onCompleted({ requestId: '1' })
    heads.take('https://files.test/a', 0)
    for (let other = 3; other < 1000; other += 1) heads.onCompleted({ requestId: String(other) })
    expect(heads.isReceived('1')).toBe(true)
  })

  it('latest_response_head_of_an_address_is_used', () => {
    const heads = new Heads()
    heads.onHead(details({ method: 'GET' }))
    heads.onHead(details({ method: 'POST' }))
    expect(heads.take('https://files.test/a', 0)?.method).toBe('POST')
  })

  it('response_head_can_be_used_only_once', () => {
    const heads = new Heads()
    heads.onHead(details({}))
    expect(heads.take('https://files.test/a', 0)).not.toBeNull()
    expect(heads.take('https://files.test/a', 0)).toBeNull()
  })

  it('response_head_of_an_earlier_request_is_not_used', async () => {
    const heads = new Heads()
    heads.onHead(details({ timeStamp: 10_000 }))
    expect(heads.take('https://files.test/a', 12_001)).toBeNull()
    const waiting = heads.wait('https://files.test/a', 12_001, new Promise(() => {}))
    heads.onHead(details({ timeStamp: 12_010, method: 'POST' }))
    expect((await waiting)?.method).toBe('POST')
  })

  it('at_most_two_hundred_response_heads_are_kept', () => {
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
  ])('content_length_%s_is_read_as_%s', (value, size) => {
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
  const cookie = (name: string, value: string, more: Partial<Cookie> = {}): Cookie => ({ name, value, path: '/', ...more })
  const TYPED: CookieContext = { url: 'https://files.test/a', type: 'main_frame', initiator: null, top: null }

  it('cookies_with_longer_paths_come_first', () => {
    expect(cookieLine([cookie('a', '1'), cookie('b', '2', { path: '/files' })], TYPED)).toBe('b=2; a=1')
  })

  it('empty_cookie_list_gives_no_cookie_header', () => {
    expect(cookieLine([], TYPED)).toBeNull()
  })

  const ofPartitions = [
    cookie('page', '1', { sameSite: 'no_restriction', partitionKey: { topLevelSite: 'https://page.test' } }),
    cookie('file', '2', { sameSite: 'no_restriction', partitionKey: { topLevelSite: 'https://files.test' } }),
    cookie('nested', '3', {
      sameSite: 'no_restriction',
      partitionKey: { topLevelSite: 'https://files.test', hasCrossSiteAncestor: true },
    }),
    cookie('plain', '4', { sameSite: 'no_restriction' }),
  ]

  it.each<[string, Partial<CookieContext>, string]>([
    ['navigation of the tab', { top: 'https://page.test/' }, 'file=2; plain=4'],
    ['frame of a page', { type: 'sub_frame', top: 'https://www.page.test/list' }, 'page=1; plain=4'],
    ['frame of a similar site', { type: 'sub_frame', top: 'https://notpage.test/' }, 'plain=4'],
    ['frame of the site without encryption', { type: 'sub_frame', top: 'http://page.test/' }, 'plain=4'],
    ['frame of an unknown page', { type: 'sub_frame', top: null }, 'plain=4'],
  ])('partition_of_%s', (_, changes, line) => {
    expect(cookieLine(ofPartitions, { ...TYPED, initiator: 'https://page.test', ...changes })).toBe(line)
  })

  const ofSites = [
    cookie('strict', '1', { sameSite: 'strict' }),
    cookie('lax', '2', { sameSite: 'lax' }),
    cookie('unset', '3', { sameSite: 'unspecified' }),
    cookie('none', '4', { sameSite: 'no_restriction' }),
  ]
  const EVERY = 'strict=1; lax=2; unset=3; none=4'
  const LAX = 'lax=2; unset=3; none=4'

  it.each<[string, Partial<CookieContext>, string]>([
    ['typed address', {}, EVERY],
    ['link of the same host', { initiator: 'https://files.test' }, EVERY],
    ['link of a subdomain', { initiator: 'https://www.files.test/list' }, EVERY],
    ['link of another site', { initiator: 'https://page.test' }, LAX],
    ['link of a similar site', { initiator: 'https://notfiles.test' }, LAX],
    ['link of the site without encryption', { initiator: 'http://files.test' }, LAX],
    ['link of a sandboxed page', { initiator: 'null' }, LAX],
    ['frame of the same site', { type: 'sub_frame', initiator: 'https://files.test', top: 'https://files.test/' }, EVERY],
    [
      'frame of the same site in another',
      { type: 'sub_frame', initiator: 'https://files.test', top: 'https://a.test/' },
      'none=4',
    ],
    ['frame of another site', { type: 'sub_frame', initiator: 'https://a.test', top: 'https://a.test/' }, 'none=4'],
    ['request of an unknown page', { type: 'other' }, 'none=4'],
  ])('same_site_of_%s', (_, changes, line) => {
    expect(cookieLine(ofSites, { ...TYPED, ...changes })).toBe(line)
  })

  it('two_hosts_share_a_site_if_a_cookie_covers_both', () => {
    const context = { ...TYPED, url: 'https://dl.files.test/a', initiator: 'https://www.files.test' }
    const strict = cookie('own', '1', { sameSite: 'strict', domain: 'dl.files.test' })
    expect(cookieLine([strict], context)).toBeNull()
    const shared = cookie('all', '2', { sameSite: 'lax', domain: '.files.test' })
    expect(cookieLine([strict, shared], context)).toBe('own=1; all=2')
    const narrow = cookie('all', '2', { sameSite: 'lax', domain: '.dl.files.test' })
    expect(cookieLine([strict, narrow], context)).toBe('all=2')
  })

  it.each(['a\r\nHost: x', 'a\0', 'a; b=c'])('cookie_whose_value_would_split_the_header_is_left_out', (value) => {
    expect(cookieLine([cookie('a', value), cookie('b', '2')], TYPED)).toBe('b=2')
  })
})
