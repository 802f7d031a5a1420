import { afterEach, describe, expect, it, vi } from 'vitest'

import { collectLinks } from '../../src/links/collect'

afterEach(() => vi.unstubAllGlobals())

function page(links: { href: string; textContent?: string }[]): void {
  const nodes = links.map((link) => ({ textContent: '', getAttribute: () => null, ...link }))
  vi.stubGlobal('getSelection', () => null)
  vi.stubGlobal('document', { querySelectorAll: () => nodes })
}

const many = (count: number, text = ''): { href: string; textContent: string }[] =>
  [...Array(count).keys()].map((at) => ({ href: `https://page.test/${at}`, textContent: text }))

describe('collectLinks', () => {
  it('each_link_address_is_listed_once_with_its_first_text', () => {
    page([
      { href: 'https://page.test/a' },
      { href: 'https://page.test/a#part', textContent: ' First\n text ' },
      { href: 'https://page.test/a', textContent: 'Second' },
      { href: 'mailto:ada@page.test' },
    ])
    expect(collectLinks(false, 10, 1000)).toEqual({ links: [{ url: 'https://page.test/a', text: 'First text' }], is_whole: true })
  })

  it('links_beyond_the_maximum_are_left_out', () => {
    page(many(3))
    expect(collectLinks(false, 3, 1000)).toMatchObject({ links: { length: 3 }, is_whole: true })
    expect(collectLinks(false, 2, 1000)).toMatchObject({ links: { length: 2 }, is_whole: false })
  })

  it.each(['', 'plain', '日本語', '"quoted" \\', '<b>'])('links_with_text_%j_do_not_exceed_the_byte_limit', (text) => {
    page(many(200, text))
    const { links, is_whole } = collectLinks(false, 1000, 4000)
    const written = JSON.stringify(links).replaceAll('<', '\\u003C')
    expect(new TextEncoder().encode(written).length).toBeLessThanOrEqual(4001)
    expect(new TextEncoder().encode(written).length).toBeGreaterThan(3800)
    expect(is_whole).toBe(false)
  })
})
