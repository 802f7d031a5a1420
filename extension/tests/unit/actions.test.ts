import { describe, expect, it } from 'vitest'

import type { BrowserApi, MenuClick, Tab } from '../../src/browser/api'
import type { World } from '../../src/handoff/handoff'
import type { Link, OfferedDownload, Refusal } from '../../src/host/protocol'
import { addLinks, createMenus, onMenu } from '../../src/links/actions'
import { Heads } from '../../src/responses/heads'
import { memoryOf } from '../../src/settings/memory'

const TAB: Tab = { id: 4, url: 'https://page.test/list', title: 'List', cookieStoreId: 'firefox-container-1' }

function simulated({ answer = 'taken', links = [] as Link[], is_whole = true, refusal = null as Refusal | null } = {}) {
  const seen = {
    asks: [] as OfferedDownload[],
    ids: [] as string[],
    released: [] as string[],
    offers: [] as Link[][],
    badge: '',
    scripts: [] as unknown[],
    menus: [] as string[],
  }
  const stored: Record<string, unknown> = {}
  const area = {
    get: async (key: string | null) => ({ [key!]: stored[key!] }),
    set: async (values: object) => void Object.assign(stored, values),
  }
  const browser = {
    storage: { local: area, session: area },
    cookies: {
      getAll: async ({ storeId }: { storeId?: string }) => [
        { name: 'store', value: storeId ?? 'none', path: '/', sameSite: 'no_restriction' },
      ],
    },
    action: {
      setBadgeText: async ({ text }: { text: string }) => void (seen.badge = text),
      setBadgeBackgroundColor: async () => undefined,
    },
    scripting: {
      executeScript: async (script: { target: unknown; args: unknown }) => (
        seen.scripts.push([script.target, script.args]),
        [{ result: { links, is_whole } }]
      ),
    },
    contextMenus: { removeAll: async () => undefined, create: ({ title }: { title: string }) => seen.menus.push(title) },
  } as unknown as BrowserApi
  const host = {
    greet: async () => null,
    letGo: async (ask: string) => seen.released.push(ask) > 0,
    rules: async () => null,
    ask: async (ask: string, download: OfferedDownload) => {
      seen.asks.push(download)
      seen.ids.push(ask)
      if (answer === 'silent') return new Promise(() => {})
      if (answer === 'fail') throw new Error('Native host has exited.')
      return { type: answer, ask, code: 'browser-refused', text: 'Gone.' }
    },
    offer: async (given: Link[]) => (seen.offers.push(given), refusal),
  }
  const world: World = {
    browser,
    host,
    heads: new Heads(),
    memory: memoryOf(browser),
    user_agent: 'Test/1.0',
    now: () => 5,
    after: () => (answer === 'silent' ? Promise.resolve() : new Promise(() => {})),
  }
  return { world, seen, stored }
}

const click = (menuItemId: string, more: Partial<MenuClick> = {}): MenuClick => ({ menuItemId, pageUrl: TAB.url!, ...more })

describe('menu entry', () => {
  it.each([
    ['link', { linkUrl: 'http://192.168.0.2/a.iso', srcUrl: 'https://page.test/a.png' }, 'http://192.168.0.2/a.iso'],
    ['image', { linkUrl: 'https://page.test/x', srcUrl: 'https://page.test/a.png' }, 'https://page.test/a.png'],
    ['media', { srcUrl: 'https://page.test/a.mp4' }, 'https://page.test/a.mp4'],
  ])('menu_entry_%s_adds_the_file_as_a_download_that_the_user_clicked', async (id, more, url) => {
    const { world, seen } = simulated()
    await onMenu(world, click(id, more), TAB)
    expect(seen.asks).toHaveLength(1)
    expect(seen.asks[0]).toMatchObject({
      url,
      was_clicked: true,
      referrer: TAB.url,
      title: 'List',
      cookies: 'store=firefox-container-1',
    })
    expect(seen.badge).toBe('')
  })

  it('link_gets_the_cookies_of_a_click_and_image_gets_those_of_an_embedded_image', async () => {
    const { world, seen } = simulated()
    world.browser.cookies!.getAll = async () => [
      { name: 'lax', value: '1', path: '/', sameSite: 'lax' },
      { name: 'strict', value: '1', path: '/', sameSite: 'strict' },
    ]
    for (const host of ['page.test', 'files.test']) {
      await onMenu(world, click('link', { linkUrl: `https://${host}/a.iso` }), TAB)
      await onMenu(world, click('image', { srcUrl: `https://${host}/a.png` }), TAB)
    }
    expect(seen.asks.map(({ cookies }) => cookies)).toEqual(['lax=1; strict=1', 'lax=1; strict=1', 'lax=1', null])
  })

  it.each(['declined', 'fail', 'silent'])('after_answer_%s_the_button_is_marked_and_the_reason_is_stored', async (answer) => {
    const { world, seen, stored } = simulated({ answer })
    await onMenu(world, click('link', { linkUrl: 'https://page.test/a.iso' }), TAB)
    expect(seen.badge).toBe('!')
    const code = { declined: 'browser-refused', fail: 'host-failed', silent: 'host-silent' }[answer]
    const refusal = { code, text: answer === 'declined' ? 'Gone.' : '' }
    expect(stored['last_kept']).toEqual({ name: 'a.iso', site: 'page.test', at: 5, why: { refusal } })
  })

  it.each([
    ['fail', true],
    ['silent', true],
    ['declined', false],
    ['taken', false],
  ])('ashore_is_told_to_drop_the_chosen_file_after_answer_%s: %s', async (answer, isDropped) => {
    const { world, seen } = simulated({ answer })
    await onMenu(world, click('link', { linkUrl: 'https://page.test/a.iso' }), TAB)
    expect(seen.released).toEqual(isDropped ? seen.ids : [])
  })

  it.each(['data:text/plain,a', 'javascript:alert(1)', 'blob:https://page.test/1'])(
    'address_%s_is_not_added',
    async (linkUrl) => {
      const { world, seen } = simulated()
      await onMenu(world, click('link', { linkUrl }), TAB)
      expect(seen.asks).toEqual([])
    },
  )

  it('menu_entries_add_nothing_in_a_private_window', async () => {
    const { world, seen } = simulated()
    await onMenu(world, click('link', { linkUrl: 'https://page.test/a.iso' }), { ...TAB, incognito: true })
    await onMenu(world, click('page'), { ...TAB, incognito: true })
    expect([seen.asks, seen.offers]).toEqual([[], []])
  })

  it('only_links_in_the_clicked_frame_are_offered_to_ashore', async () => {
    const links = [{ url: 'https://page.test/a', text: 'A' }]
    const { world, seen } = simulated({ links })
    await onMenu(world, click('page', { frameId: 7 }), TAB)
    await onMenu(world, click('selection', { frameId: 0 }), TAB)
    expect(seen.scripts).toEqual([
      [{ tabId: 4, frameIds: [7] }, [false, 20_000, 3_145_728]],
      [{ tabId: 4, frameIds: [0] }, [true, 20_000, 3_145_728]],
    ])
    expect(seen.offers).toEqual([links, links])
  })

  it('links_that_were_left_out_are_mentioned', async () => {
    const links = [{ url: 'https://page.test/a', text: 'A' }]
    const { world, seen } = simulated({ links, is_whole: false })
    expect(await addLinks(world, TAB, 0, false)).toMatchObject({ code: 'links-left-out' })
    expect(seen.offers).toHaveLength(1)
    expect(seen.badge).toBe('!')
  })

  it('page_without_links_is_explained', async () => {
    const { world, seen } = simulated()
    expect(await addLinks(world, TAB, 0, false)).toMatchObject({ code: 'no-links' })
    expect(seen.offers).toEqual([])
    expect(seen.badge).toBe('!')
  })

  it('every_menu_entry_has_a_text', async () => {
    const { world, seen } = simulated()
    await createMenus(world, (id) => id)
    expect(seen.menus).toHaveLength(5)
  })
})
