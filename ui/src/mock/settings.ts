// Settings of the simulated engine: those settings of the real engine that the form needs.
import { inEnglish } from '../i18n/engine-messages'
import { refused } from './errors'
import { painted } from '../api/week'
import { LANGUAGES } from '../i18n/languages'
import { bytesOf, secondsOf } from '../settings/quantities'
import { type Setting, type SettingGroup, type SettingKey, type SettingsReport, type SettingValue, type Week } from '../api/api'
import type { SettingKind } from '../api/generated/SettingKind'

const FULL: Week = { days: Array.from({ length: 7 }, () => 'f'.repeat(48)) as Week['days'], is_exact: true }
const NIGHTS: Week = painted(
  painted(FULL, { day: 0, half: 16 }, { day: 4, half: 35 }, 's'),
  { day: 5, half: 20 },
  { day: 6, half: 23 },
  'o',
)

const whole = (least: number, most: number): SettingKind => ({ type: 'number', least, most, is_whole: true, unit: null })
const seconds = (least: number, most: number): SettingKind => ({ type: 'number', least, most, is_whole: false, unit: 'seconds' })
const choice = (...of: string[]): SettingKind => ({ type: 'choice', of })
const flag: SettingKind = { type: 'flag' }
const text: SettingKind = { type: 'text' }
const file: SettingKind = { type: 'file' }

type Row = [key: SettingKey, group: SettingGroup, kind: SettingKind, initial: SettingValue, own?: SettingValue]

const ROWS: Row[] = [
  ['language', 'general', choice('auto', ...Object.keys(LANGUAGES)), 'auto'],
  ['parallel', 'general', whole(1, 64), 4, 6],
  ['parallel-per-host', 'general', whole(1, 64), 2],
  ['order', 'general', choice('first-come', 'newest-first'), 'first-come'],
  ['forget-finished-after', 'general', { type: 'period' }, 'never', '30d'],
  ['close-to-tray', 'general', flag, true],
  ['start-at-login', 'general', flag, false, true],
  ['offer-copied-links', 'general', flag, false],
  ['folder', 'folders', { type: 'folder' }, ''],
  ['folder-video', 'folders', { type: 'folder' }, 'Video'],
  ['folder-audio', 'folders', { type: 'folder' }, 'Audio'],
  ['folder-pictures', 'folders', { type: 'folder' }, 'Pictures'],
  ['folder-documents', 'folders', { type: 'folder' }, 'Documents'],
  ['folder-archives', 'folders', { type: 'folder' }, 'Archives'],
  ['folder-programs', 'folders', { type: 'folder' }, 'Programs'],
  ['connections', 'network', whole(1, 64), 8],
  ['offline', 'network', choice('wait', 'go'), 'wait'],
  ['metered', 'network', choice('wait', 'go'), 'wait', 'go'],
  ['proxy', 'network', text, ''],
  ['no-proxy', 'network', text, ''],
  ['proxy-loopback', 'network', flag, false],
  ['local-for-programs', 'network', flag, false],
  ['cookies', 'network', flag, false, true],
  ['browser-hand-over', 'browsers', choice('automatic', 'menu'), 'automatic'],
  ['browser-least-size', 'browsers', { type: 'amount', least: 0, most: 2 ** 53, is_speed: false }, '1M'],
  ['browser-sites', 'browsers', text, '', 'example.org'],
  ['browser-endings', 'browsers', text, 'htm html xhtml php asp aspx jsp js mjs css xpi crx'],
  ['browser-bypass-key', 'browsers', flag, true],
  ['browser-starts-ashore', 'browsers', flag, true],
  ['browser-channel', 'browsers', flag, false],
  ['hours', 'schedule', { type: 'week' }, []],
  ['slow-speed', 'schedule', { type: 'amount', least: 1024, most: 10 * 2 ** 30, is_speed: true }, '512K'],
  ['notifications', 'notifications', choice('calm', 'all', 'ended', 'none'), 'calm'],
  ['quiet-while-focused', 'notifications', flag, true],
  ['quiet-hours', 'notifications', { type: 'span' }, '', '22:00-07:00'],
  ['all-done', 'notifications', flag, true],
  ['battery-below', 'power', { type: 'number', least: 0, most: 100, is_whole: true, unit: 'percent' }, 0],
  ['in-use', 'power', choice('wait', 'go'), 'go'],
  ['keep-awake', 'power', flag, true],
  ['free-space-floor', 'space', { type: 'amount', least: 0, most: 2 ** 44, is_speed: false }, '512M'],
  ['attempts', 'advanced', whole(1, 100), 8],
  ['retry-after-seconds', 'advanced', seconds(0.01, 3600), 10],
  ['stall-seconds', 'advanced', seconds(1, 3600), 10],
  ['connect-timeout-seconds', 'advanced', seconds(0.1, 600), 15],
  ['total-timeout-seconds', 'advanced', seconds(0, 31_622_400), 0],
  ['checkpoint-seconds', 'advanced', seconds(0.05, 60), 1],
  ['http2', 'advanced', flag, true],
  ['insecure-redirects', 'advanced', flag, false],
  ['ca-certificate', 'advanced', file, ''],
  ['user-agent', 'advanced', text, ''],
  ['referrer', 'advanced', text, ''],
  ['netrc', 'advanced', file, ''],
  ['keychain', 'advanced', choice('auto', 'system', 'file', 'none'), 'auto'],
]

export function pretendSettings(withTroubles: boolean, language = 'auto'): SettingsReport {
  return {
    settings: ROWS.map(([key, group, kind, initial, own]) => ({
      key,
      group,
      kind,
      value:
        key === 'language'
          ? language
          : (own ?? (key === 'hours' ? ['mon-fri 08:00-18:00 slow', 'sat-sun 10:00-12:00 off'] : initial)),
      default: initial,
      week: key === 'hours' ? NIGHTS : null,
    })),
    troubles: withTroubles
      ? [
          { name: 'paralel', ...inEnglish('invalid.unknown', { name: 'paralel', meant: 'parallel' }) },
          { name: 'stall-seconds', ...inEnglish('invalid', { name: 'stall-seconds', value: '0', least: '1', most: '3600' }) },
        ]
      : [],
    file: '/home/robin/.local/share/ashore/ashore.toml',
  }
}

/** Returns the report with `key` changed; throws the failure that the real engine would throw. */
export function put(report: SettingsReport, key: SettingKey, value: SettingValue | null): SettingsReport {
  const changed = (setting: Setting): Setting => {
    const { kind } = setting
    const wanted = value ?? setting.default
    if (kind.type === 'week')
      return { ...setting, week: isWeek(wanted) ? wanted : FULL, value: value === null ? [] : ['as it is painted'] }
    if (kind.type === 'span' && !/^(\d\d:\d\d-\d\d:\d\d)?$/.test(String(wanted))) {
      throw refused('invalid.quiet', { value: String(wanted), why: inEnglish('hours-fault.time') })
    }
    if (kind.type === 'amount') checkAmount(key, kind, String(wanted))
    if (kind.type === 'period' && wanted !== 'never') checkPeriod(String(wanted))
    if (kind.type !== 'number') return { ...setting, value: wanted }
    const number = Number(wanted)
    if (!(number >= kind.least && number <= kind.most)) {
      throw refused('invalid', { name: key, value: String(wanted), least: String(kind.least), most: String(kind.most) })
    }
    return { ...setting, value: number }
  }
  return { ...report, settings: report.settings.map((setting) => (setting.key === key ? changed(setting) : setting)) }
}

function checkAmount(name: SettingKey, kind: SettingKind & { type: 'amount' }, value: string): void {
  const bytes = bytesOf(value)
  if (bytes === undefined) throw refused('invalid.amount', { value })
  if (bytes >= kind.least && bytes <= kind.most) return
  const args = { name, value: String(bytes), least: String(kind.least), most: String(kind.most) }
  throw kind.is_speed ? refused('invalid.speed', args) : refused('invalid.bytes', args)
}

function checkPeriod(value: string): void {
  const seconds = secondsOf(value)
  if (seconds === undefined) throw refused('invalid.time', { value })
  if (seconds < 1 || seconds > 36_525 * 86_400) throw refused('invalid.kept')
}

const isWeek = (value: SettingValue): value is Week => typeof value === 'object' && 'days' in value
