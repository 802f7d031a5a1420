import { beforeEach, expect, it, vi } from 'vitest'

import { theme } from '../../src/components/theme.svelte'
import { isAppearanceFound } from '../../src/settings/appearance-labels'

const kept = new Map<string, string>()
const dataset: { theme?: string } = {}
beforeEach(() => {
  kept.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
  vi.stubGlobal('document', { documentElement: { dataset } })
})

it('the chosen theme is remembered and applied, and the theme of the system needs no attribute', () => {
  theme.start(null)
  expect([theme.now, 'theme' in dataset]).toEqual(['system', false])
  theme.now = 'dark'
  expect([dataset.theme, [...kept.values()]]).toEqual(['dark', ['dark']])
  theme.now = 'system'
  expect('theme' in dataset).toBe(false)
  theme.now = 'light'
  theme.start(null)
  expect([theme.now, dataset.theme]).toEqual(['light', 'light'])
})

it('a forced theme is applied but not remembered, and an unknown theme is that of the system', () => {
  theme.start('dark')
  expect([dataset.theme, kept.size]).toEqual(['dark', 0])
  theme.start('sepia')
  expect(theme.now).toBe('system')
})

it('the search finds the section by its texts and by familiar words', () => {
  for (const search of ['', 'theme', 'dark mode', 'compact']) expect(isAppearanceFound(search), search).toBe(true)
  expect(isAppearanceFound('proxy')).toBe(false)
})
