import { afterEach, describe, expect, it, vi } from 'vitest'

import { Catalogue } from '../../src/i18n/catalogue'
import { languageOf } from '../../src/i18n/languages'
import { moment, part, rate, size, span } from '../../src/i18n/format'
import { SETTING_WORDS } from '../../src/settings/setting-labels'
import { dayNames } from '../../src/settings/week'
import { line } from '../../src/i18n/status-text'
import { words } from '../../src/i18n/labels'
import { language, list, speak, spoken } from '../../src/i18n/i18n.svelte'
import { clause, inEnglish, requestSentencesFrom, sentence } from '../../src/i18n/engine-messages'
import { registration } from '../registration'

const german = (...sources: string[]) => new Catalogue({ tag: 'en', formats: 'de', direction: 'ltr' }, sources)

it('language setting takes precedence over desktop languages', () => {
  expect(languageOf('en', ['xx'])).toEqual({ tag: 'en', formats: 'en-u-nu-latn', direction: 'ltr' })
  expect(languageOf('auto', ['xx', 'en-GB', 'en']).formats).toBe('en-GB-u-nu-latn')
  expect(languageOf('auto', []).tag).toBe('en')
  expect(['de-AT', 'pt-PT', 'zh-Hans-SG', 'ar-EG', 'eo'].map((wanted) => languageOf('auto', ['xx', wanted]).tag)).toEqual([
    'de',
    'pt-BR',
    'zh-CN',
    'ar',
    'en',
  ])
  expect(languageOf('ar', ['de', 'ar-EG'])).toEqual({ tag: 'ar', formats: 'ar-EG-u-nu-latn', direction: 'rtl' })
  expect(languageOf('toString', ['no such thing']).tag).toBe('en')
})

it('a missing message comes from the fallback catalogue, and an unknown id is shown as it is', () => {
  const above = new Catalogue({ tag: 'en', formats: 'de', direction: 'ltr' }, ['a = Ja'], german('a = Yes\nb = No, { $name }'))
  expect(above.say('a')).toBe('Ja')
  expect(above.say('b', { name: 'Ida' })).toBe('No, Ida')
  expect(above.say('c.d')).toBe('c.d')
})

it('numbers follow the language', () => {
  expect(german('n = { $count }').say('n', { count: 12345 })).toBe('12.345')
})

it('right-to-left pages isolate all values, and left-to-right pages only right-to-left values', () => {
  const hebrew = 'שלום'
  expect(german('a = „{ $name }“').say('a', { name: hebrew })).toBe(`„\u2068${hebrew}\u2069“`)
  expect(german('a = „{ $name }“').say('a', { name: 'x' })).toBe('„x“')
  const arabic = new Catalogue({ tag: 'en', formats: 'ar-u-nu-latn', direction: 'rtl' }, ['a = من { $name }'])
  expect(arabic.say('a', { name: 'x' })).toBe('من \u2068x\u2069')
})

it('labels are translated on each access, and functions stay unchanged', () => {
  const words = spoken({ add: 'add', inside: { cancel: 'cancel' }, twice: (text: string) => text + text })
  expect([words.add, words.inside.cancel, words.twice('a'), Object.keys(words)]).toEqual([
    'Add',
    'Cancel',
    'aa',
    ['add', 'inside', 'twice'],
  ])
})

describe('a change of language', () => {
  afterEach(() => speak('en'))
  const gone = inEnglish('bad-status.gone')

  it('a change of language applies to existing labels', async () => {
    await speak('de')
    expect([words.add, SETTING_WORDS.folder.name, words.details.pages.files]).toEqual([
      'Hinzufügen',
      'Ordner für Downloads',
      'Dateien',
    ])
    await speak('en')
    expect(words.add).toBe('Add')
  })

  it('the last of several requested languages is shown', async () => {
    await Promise.all([speak('ja'), speak('de')])
    expect(language().tag).toBe('de')
  })

  it('a change of language changes the format of sizes, speeds, times and days', async () => {
    await speak('de')
    expect([size(8_100_000), part(3.1e9, 4.2e9), rate(11_400_000), span(200_000)]).toEqual([
      '8,1\u00a0MB',
      '3,1 von 4,2\u00a0GB',
      '11,4\u00a0MB/\u2060s',
      '2\u00a0Tage',
    ])
    expect(moment(Date.UTC(2026, 9, 3, 14, 2), Date.UTC(2026, 9, 5), { timeZone: 'UTC' })).toBe('3. Okt., 14:02')
    expect(dayNames('long')[0]).toBe('Montag')
    await speak('fr')
    expect(size(8_100_000)).toBe('8,1\u00a0Mo')
  })

  it('engine messages are translated with their values, and unknown messages stay in English', async () => {
    await speak('de')
    expect(sentence(gone)).toBe('Datei auf dem Server nicht gefunden. Versuchen Sie einen neuen Link.')
    expect(sentence(inEnglish('bad-status.status', { status: '418' }))).toBe(
      'Der Server hat mit Status 418 abgelehnt. Prüfen Sie den Link.',
    )
    const short = inEnglish('disk.short', { amount: { bytes: 1.5e9 }, folder: '/home/a (b)' })
    expect(sentence(short)).toBe(
      '/home/a (b) hat zu wenig Speicherplatz; es fehlen 1,5\u00a0GB. Geben Sie Speicherplatz frei, dann laufen Downloads automatisch weiter.',
    )
    const hours = inEnglish('hours', { until: { day: 'monday', time: '08:00' } })
    expect(clause(hours)).toBe('Außerhalb der erlaubten Stunden, bis Montag 08:00')
    const denied = inEnglish('target.refused', { path: '/a', why: inEnglish('io.permission') })
    expect(sentence(denied)).toContain('/a kann nicht verwendet werden: der Zugriff ist nicht erlaubt')
    expect(sentence({ ...gone, code: 'no-such-code' })).toBe(gone.text)
  })

  it('sentences that the page lacks are requested from a newer engine, but only once', async () => {
    await speak('de')
    const asked: string[] = []
    requestSentencesFrom(async (tag) => {
      asked.push(tag)
      return 'message-newer = Etwas Neues in { $path }.\nmessage-bad-status = Nein.\n    .gone = Datei auf dem Server nicht gefunden. Versuchen Sie einen neuen Link.\n    .newer = Der Server ist neu.'
    })
    const newer = { code: 'newer', args: { path: '/a' }, text: 'Something new in /a.' }
    expect([sentence(newer), sentence(newer)]).toEqual([newer.text, newer.text])
    await vi.waitFor(() => expect(sentence(newer)).toBe('Etwas Neues in /a.'))
    expect(asked).toEqual(['de'])
    const variant = { code: 'bad-status', variant: 'newer', text: 'The server is new.' }
    expect(sentence(variant)).toBe('Der Server ist neu.')
    expect(sentence({ code: 'newer', text: 'Without its value.' })).toBe('Without its value.')
    await speak('en')
    await speak('de')
    expect([sentence(newer), asked]).toEqual(['Etwas Neues in /a.', ['de']])
    expect(sentence(gone)).toBe('Datei auf dem Server nicht gefunden. Versuchen Sie einen neuen Link.')
  })

  it('the first letter after a colon depends on the language', async () => {
    const lost = registration({
      state: 'settled',
      result: 'failure',
      failureReason: 'bad-status',
      failure: gone,
      requests: 5,
      failed: 5,
    })
    const lines: string[] = []
    for (const tag of ['de', 'fr', 'ja', 'hi']) {
      await speak(tag)
      lines.push(line(lost, { now: 0 }).text)
    }
    expect(lines).toEqual([
      'Alle 5 Dateien sind fehlgeschlagen: Datei auf dem Server nicht gefunden',
      'Les 5 fichiers ont échoué : fichier introuvable sur le serveur',
      '5 個のファイルすべてが失敗: サーバーにファイルが見つかりません',
      'सभी 5 फ़ाइलें विफल: सर्वर पर फ़ाइल नहीं मिली',
    ])
  })

  it('in a right-to-left language each fact of a joined list is isolated', async () => {
    await speak('ar')
    expect(list('3.1\u00a0GB', 'x')).toBe('⁨3.1\u00a0GB⁩ · ⁨x⁩')
    expect(list('x')).toBe('x')
  })
})
