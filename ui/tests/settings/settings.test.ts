import { expect, test } from 'vitest'

import { pretendSettings, put } from '../../src/mock/settings'
import { choiceName, found, SETTING_WORDS, settingWords } from '../../src/settings/setting-labels'
import { isListFound } from '../../src/settings/list-file'
import type { SettingKey } from '../../src/api/api'
import type { Tag } from '../../src/i18n/languages'
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

/** Usual names of settings in other programs, with the setting that each must find; null for export and import of the list. */
const USUAL: readonly (SettingKey | null)[] = [
  'start-at-login',
  'start-at-login',
  'parallel',
  'connections',
  'connections',
  'slow-speed',
  'slow-speed',
  'offer-copied-links',
  'folder-video',
  null,
  null,
  'close-to-tray',
  'quiet-hours',
  'metered',
]
/** The usual names in each language, in the order of `USUAL`, separated by semicolons. */
const NAMES: { readonly [tag in Tag]: readonly [string, string] } = {
  en: [
    'startup; autostart; simultaneous; threads; Segments; bandwidth; limit',
    'clipboard; category; backup; export; minimize; do not disturb; mobile',
  ],
  de: [
    'Systemstart; Autostart; gleichzeitig; Threads; Segmente; Bandbreite; Limit',
    'Zwischenablage; Kategorie; Sicherung; exportieren; minimieren; nicht stören; mobil',
  ],
  es: [
    'arranque; inicio automatico; simultáneas; hilos; segmentos; ancho de banda; límite',
    'portapapeles; categoría; copia de seguridad; exportar; minimizar; no molestar; móvil',
  ],
  fr: [
    'démarrage; demarrage automatique; simultané; threads; segments; bande passante; limite',
    'presse-papiers; catégorie; sauvegarde; exporter; minimiser; ne pas déranger; mobile',
  ],
  'pt-BR': [
    'iniciar com o sistema; inicialização automática; simultâneos; threads; segmentos; largura de banda; limite',
    'área de transferência; categoria; cópia de segurança; exportar; minimizar; não perturbe; móvel',
  ],
  ru: [
    'запуск системы; автозапуск; одновременно; потоки; сегменты; пропускная способность; лимит',
    'буфер обмена; категория; резервная копия; экспорт; свернуть; не беспокоить; мобильный',
  ],
  ar: [
    'بدء التشغيل; تشغيل تلقائي; متزامن; خيوط; مقاطع; عرض النطاق; حد',
    'الحافظة; فئة; نسخة احتياطية; تصدير; تصغير; عدم الإزعاج; الجوال',
  ],
  hi: ['स्टार्टअप; ऑटोस्टार्ट; एक साथ; थ्रेड; सेगमेंट; बैंडविड्थ; सीमा', 'क्लिपबोर्ड; श्रेणी; बैकअप; निर्यात; मिनिमाइज़; परेशान न करें; मोबाइल'],
  ja: [
    'スタートアップ; 自動起動; 同時; スレッド; セグメント; 帯域; 制限',
    'クリップボード; カテゴリ; バックアップ; エクスポート; 最小化; おやすみモード; モバイル',
  ],
  'zh-CN': ['开机启动; 自启动; 同时; 线程; 分段; 带宽; 限制', '剪贴板; 分类; 备份; 导出; 最小化; 勿扰; 移动网络'],
}
const namesIn = (tag: Tag): string[] => NAMES[tag].join('; ').split('; ')

const finds = (name: string, key: SettingKey | null): boolean => (key === null ? isListFound(name) : keys(name).includes(key))

test.each(Object.keys(NAMES) as Tag[])('the search finds each setting by its usual names in %s', async (tag) => {
  await speak(tag)
  const names = namesIn(tag)
  expect(names).toHaveLength(USUAL.length)
  expect(names.filter((name, place) => !finds(name, USUAL[place]!))).toEqual([])
  // Users also know the English names.
  expect(namesIn('en').filter((name, place) => !finds(name, USUAL[place]!))).toEqual([])
  await speak('en')
})

test('the search finds settings by further synonyms', async () => {
  for (const [word, key] of [
    ['save to', 'folder'],
    ['directory', 'folder-audio'],
    ['history', 'forget-finished-after'],
    ['popups', 'notifications'],
    ['hibernate', 'keep-awake'],
    ['storage', 'free-space-floor'],
    ['retries', 'attempts'],
    ['scheduler', 'hours'],
    ['TLS', 'ca-certificate'],
    ['extension', 'browser-hand-over'],
    ['socks', 'proxy'],
    ['credentials', 'keychain'],
  ] as const) {
    expect(keys(word), word).toContain(key)
  }
  await speak('de')
  expect([keys('Speicherort'), keys('Ruhezustand'), keys('Zugangsdaten')].map(([first]) => first)).toEqual([
    'folder',
    'keep-awake',
    'netrc',
  ])
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
