import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

class Link {
  href = 'https://page.test/a'
  clicks = 0
  click(): void {
    this.clicks += 1
  }
}

type Listener = (event: unknown) => void

/** Loads the script into a simulated page. Returns a function that simulates a click on a link of this page. */
async function load(origin: string, settings: unknown) {
  let onClick: Listener = () => {}
  let onChanged: (changes: object, area: string) => void = () => {}
  const sent: unknown[] = []
  vi.stubGlobal('HTMLAnchorElement', Link)
  vi.stubGlobal('addEventListener', (_: string, listener: Listener) => (onClick = listener))
  vi.stubGlobal('browser', {
    runtime: { getURL: () => origin, sendMessage: async (message: unknown) => void sent.push(message) },
    storage: {
      // Chromium denies content scripts access to this storage.
      local: { get: async () => (origin.startsWith('moz') ? { settings } : Promise.reject(new Error('Access denied.'))) },
      onChanged: { addListener: (listener: typeof onChanged) => (onChanged = listener) },
    },
  })
  await import('../../src/clicks/page')
  await Promise.resolve()
  await Promise.resolve()
  const click = (altKey: boolean): boolean => {
    const link = new Link()
    let isPrevented = false
    const prevent = (): void => void (isPrevented = true)
    const event = { isTrusted: true, altKey, button: 0, composedPath: () => [link], preventDefault: prevent }
    onClick({ ...event, stopImmediatePropagation: prevent })
    expect(link.clicks).toBe(isPrevented ? 1 : 0)
    return isPrevented
  }
  return { click, sent, change: (newValue: unknown) => onChanged({ settings: { newValue } }, 'local') }
}

describe('script of clicks', () => {
  beforeEach(() => vi.resetModules())
  afterEach(() => vi.unstubAllGlobals())

  it.each<[string, string, unknown, boolean]>([
    ['with the default settings in Firefox', 'moz-extension://id/', undefined, true],
    ['with the key turned off', 'moz-extension://id/', { has_bypass_key: false }, false],
    ['if nothing is handed over', 'moz-extension://id/', { mode: 'menu' }, false],
    ['in Chromium, which follows the link itself', 'chrome-extension://id/', undefined, false],
  ])('click_with_alt_%s', async (_, origin, settings, isFollowed) => {
    const { click, sent } = await load(origin, settings)
    expect(click(true)).toBe(isFollowed)
    expect(click(false)).toBe(false)
    expect(sent).toHaveLength(2)
  })

  it('change_of_the_settings_takes_effect_at_once', async () => {
    const { click, change } = await load('moz-extension://id/', undefined)
    change({ has_bypass_key: false })
    expect(click(true)).toBe(false)
    change({ has_bypass_key: true })
    expect(click(true)).toBe(true)
  })
})
