import { expect, test } from 'vitest'

import { pretendSettings, put } from '../../src/mock/settings'
import { choiceName, found, SETTING_WORDS, settingWords } from '../../src/settings/setting-labels'
import { isListFound } from '../../src/settings/list-file'
import { speak } from '../../src/i18n/i18n.svelte'

const { settings } = pretendSettings(false)
const keys = (search: string): string[] => found(settings, search).map((setting) => setting.key)

test('the search matches the name, description, choices and key of a setting', () => {
  expect(keys('')).toHaveLength(settings.length)
  expect(keys('retry-after')).toEqual(['retry-after-seconds'])
  expect(keys('NEWEST')).toEqual(['order'])
  expect(keys('battery charge')).toEqual(['battery-below'])
  expect(keys('power')).toEqual(expect.arrayContaining(['battery-below', 'in-use', 'checkpoint-seconds']))
  expect(keys('torrent')).toEqual([])
})

test('the search finds settings by common synonyms', () => {
  for (const [word, key] of [
    ['startup', 'start-at-login'],
    ['autostart', 'start-at-login'],
    ['simultaneous', 'parallel'],
    ['threads', 'connections'],
    ['Segments', 'connections'],
    ['bandwidth', 'slow-speed'],
    ['limit', 'slow-speed'],
    ['clipboard', 'offer-copied-links'],
    ['category', 'folder-video'],
    ['minimize', 'close-to-tray'],
    ['do not disturb', 'quiet-hours'],
    ['mobile', 'metered'],
  ] as const) {
    expect(keys(word), word).toContain(key)
  }
  for (const word of ['backup', 'export']) expect(isListFound(word), word).toBe(true)
})

test('the search finds synonyms of other languages, with and without accents', async () => {
  for (const [language, words] of Object.entries({
    de: ['Autostart', 'Zwischenablage', 'Kategorie', 'Mobilfunk', 'nicht stören'],
    fr: ['demarrage automatique', 'presse-papiers', 'catégorie', 'itinérance', 'ne pas déranger'],
    ja: ['自動起動', 'クリップボード', 'カテゴリ', 'テザリング', 'おやすみモード'],
    ar: ['تشغيل تلقائي', 'الحافظة', 'تصنيف', 'تجوال', 'عدم الإزعاج'],
  })) {
    await speak(language)
    for (const word of words) expect(keys(word), `${language}: ${word}`).not.toEqual([])
  }
  await speak('en')
})

test('every choice has a label', () => {
  for (const { key, kind } of settings) {
    if (kind.type !== 'choice') continue
    for (const value of kind.of) expect(choiceName(key, value), key).not.toBe(value)
    expect(kind.of, key).toEqual(expect.arrayContaining(Object.keys(SETTING_WORDS[key].choices ?? {})))
  }
})

test('the first problem is shown with the number of further problems', () => {
  expect(settingWords.notFollowed('One.', 0)).toBe('Problem in the settings file: One.')
  expect(settingWords.notFollowed('One.', 2)).toBe('Problem in the settings file: One. The page Settings lists 2 more problems.')
})

test('the simulated engine refuses invalid values of settings', () => {
  const report = pretendSettings(false)
  expect(() => put(report, 'parallel', '65')).toThrow('must be from 1 to 64')
  const changed = put(report, 'parallel', '12').settings.find((setting) => setting.key === 'parallel')
  expect(changed?.value).toBe(12)
  expect(() => put(report, 'quiet-hours', '10pm')).toThrow('Write it as "22:00-07:00"')
  expect(put(report, 'quiet-hours', '').settings.find((setting) => setting.key === 'quiet-hours')?.value).toBe('')
  expect(put(report, 'parallel', null).settings.find((setting) => setting.key === 'parallel')?.value).toBe(4)
})
