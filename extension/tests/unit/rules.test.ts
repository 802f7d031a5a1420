import { describe, expect, it } from 'vitest'

import type { DownloadItem } from '../../src/browser/api'
import { type Circumstances, type KeepReason, offeredName, reasonToKeep, sizeOf } from '../../src/handoff/rules'
import { headOf } from '../../src/responses/heads'
import { settingsOf } from '../../src/settings/settings'

const DEFAULTS = settingsOf(undefined)
import { ITEM } from './simulated-browser'

const HEADERS = { 'content-type': 'application/octet-stream', 'content-length': '5000000' }

function head(headers: Record<string, string> = HEADERS, method = 'GET') {
  const responseHeaders = Object.entries(headers).map(([name, value]) => ({ name, value }))
  const details = {
    requestId: '1',
    url: ITEM.url,
    method,
    type: 'other',
    tabId: 1,
    statusCode: 200,
    timeStamp: 0,
    responseHeaders,
  }
  return headOf(details, ITEM.url)
}

const USUAL: Circumstances = { settings: DEFAULTS, head: head(), has_access: true, is_refused_site: false, is_bypassed: false }

const CASES: [string, Partial<DownloadItem>, Partial<Circumstances>, KeepReason | null][] = [
  ['usual download', {}, {}, null],
  ['private window', { incognito: true }, {}, 'private'],
  ['private container', { cookieStoreId: 'firefox-private' }, {}, 'private'],
  ['other container', { cookieStoreId: 'firefox-container-2' }, {}, null],
  ['blob', { url: 'blob:https://page.test/5c0a' }, {}, 'scheme'],
  ['data', { url: 'data:text/plain,hello' }, {}, 'scheme'],
  ['file', { url: 'file:///etc/hostname' }, {}, 'scheme'],
  ['filesystem', { url: 'filesystem:https://page.test/temporary/a' }, {}, 'scheme'],
  ['ftp', { url: 'ftp://files.test/a.iso' }, {}, 'scheme'],
  ['redirect to data', { finalUrl: 'data:text/plain,hello' }, {}, 'scheme'],
  ['broken address', { url: 'https://' }, {}, 'scheme'],
  ['other extension', { byExtensionId: 'abc' }, {}, 'extension'],
  ['empty extension id', { byExtensionId: '' }, {}, null],
  ['only by menu', {}, { settings: { ...DEFAULTS, mode: 'menu' } }, 'menu-only'],
  ['bypass key', {}, { is_bypassed: true }, 'bypass'],
  ['listed page', {}, { settings: { ...DEFAULTS, sites: ['page.test'] } }, 'site'],
  ['listed file host', {}, { settings: { ...DEFAULTS, sites: ['files.test'] } }, 'site'],
  ['parent of a host', {}, { settings: { ...DEFAULTS, sites: ['test'] } }, 'site'],
  ['similar host', {}, { settings: { ...DEFAULTS, sites: ['age.test'] } }, null],
  ['refused site', {}, { is_refused_site: true }, 'site-refused'],
  ['without access', {}, { head: null, has_access: false }, 'no-access'],
  ['without head', {}, { head: null }, 'no-head'],
  ['post', {}, { head: head(HEADERS, 'POST') }, 'method'],
  ['gzip', {}, { head: head({ ...HEADERS, 'content-encoding': 'gzip' }) }, 'encoded'],
  ['warning', { danger: 'uncommon' }, {}, 'danger'],
  ['file without a warning', { danger: 'safe' }, {}, null],
  ['file after a warning', { danger: 'accepted' }, {}, null],
  ['identity', {}, { head: head({ ...HEADERS, 'content-encoding': 'Identity' }) }, null],
  ['page', {}, { head: head({ ...HEADERS, 'content-type': 'Text/HTML; charset=utf-8' }) }, 'type'],
  ['page by the browser', { mime: 'text/html' }, { head: head({}) }, 'type'],
  ['script', {}, { head: head({ ...HEADERS, 'content-type': 'text/javascript' }) }, 'type'],
  ['name of a script', { filename: 'C:\\Users\\ada\\app.JS' }, {}, 'ending'],
  ['name of a page', { filename: '/home/ada/index.html' }, {}, 'ending'],
  ['name without ending', { filename: '/home/a.js/README' }, {}, null],
  ['empty list of endings', { filename: 'index.html' }, { settings: { ...DEFAULTS, endings: [] } }, null],
  ['one byte below the limit', { totalBytes: 1_048_575 }, {}, 'small'],
  ['exactly the limit', { totalBytes: 1_048_576 }, {}, null],
  ['empty file', { totalBytes: 0 }, { head: head({ ...HEADERS, 'content-length': '0' }) }, 'small'],
  ['unknown size', { totalBytes: -1 }, { head: head({ 'content-type': 'video/mp4' }) }, null],
]

describe('reasonToKeep', () => {
  it.each(CASES)('%s', (_, item, circumstances, reason) => {
    expect(reasonToKeep({ ...ITEM, ...item }, { ...USUAL, ...circumstances })).toBe(reason)
  })
})

describe('sizeOf', () => {
  it('size_that_firefox_does_not_know_is_taken_from_the_response', () => {
    expect(sizeOf({ ...ITEM, totalBytes: -1 }, head())).toBe(5_000_000)
  })

  it('size_zero_from_chromium_counts_as_unknown_without_a_response_head', () => {
    expect(sizeOf({ ...ITEM, totalBytes: 0 }, null)).toBe(null)
  })
})

describe('offered name', () => {
  it.each([
    ['../../../escape.bin', 'escape.bin'],
    ['..\\..\\escape.bin', 'escape.bin'],
    ['photo\u202egnp.bin', 'photognp.bin'],
    ['a\r\nX-Injected: yes\r\n.bin', 'aX-Injected: yes.bin'],
    ['a\0b.bin', 'ab.bin'],
    ['\u202e', null],
    ['', 'disk.iso'],
  ])('file_name_%j_in_the_response_is_offered_to_ashore_as_%j', (name, expected) => {
    expect(offeredName({ ...ITEM, filename: '/home/ada/disk.iso' }, { ...head(), name })).toBe(expected)
  })
})
