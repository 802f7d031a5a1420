import { expect, test } from 'vitest'

import { pretendSettings, put } from '../../src/mock/settings'
import { choiceName, found, SETTING_WORDS, settingWords } from '../../src/settings/setting-labels'

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
