import { afterEach, describe, expect, it } from 'vitest'

import { readSheet, sheetOf } from '../../src/sync/recovery-sheet'
import { speak } from '../../src/i18n/i18n.svelte'
import { LANGUAGES } from '../../src/i18n/languages'

const WORDS = Array.from({ length: 24 }, (_, place) => 'abcdefghijklmnopqrstuvwx'[place]!.repeat(4))
const ADDRESS = '192.168.1.20:5350#mN7jQ2xV9cF4sT-8_w'
const REPORT = { words: WORDS, address: ADDRESS, uid: 1_234_567_890 }

afterEach(() => speak('en'))

describe('readSheet', () => {
  it.each(Object.keys(LANGUAGES))('readSheet reads a sheet that sheetOf writes in the language %s', async (tag) => {
    await speak(tag)
    expect(readSheet(sheetOf(REPORT))).toEqual({ words: WORDS, address: ADDRESS, number: '1234567890' })
  })

  it.each(['laptop.local:5350#tls', '[fe80::1]:5350#-', 'sync.example.org:443#tls'])(
    'readSheet reads the address %s',
    (address) => {
      expect(readSheet(sheetOf({ ...REPORT, address })).address).toBe(address)
      expect(readSheet(address)).toEqual({ words: [], address, number: null })
    },
  )

  it('readSheet reads lines of several numbered words below a heading, with Windows line ends', () => {
    const rows = [0, 6, 12, 18].map((first) =>
      WORDS.slice(first, first + 6)
        .map((word, place) => `${first + place + 1}. ${word}`)
        .join('  '),
    )
    const heading = 'Write down these 24 words, the address and the number.'
    const text = [heading, ...rows, `Address: \u2068${ADDRESS}\u2069`, 'Number: 7', ''].join('\r\n')
    expect(readSheet(text)).toEqual({ words: WORDS, address: ADDRESS, number: '7' })
  })

  it('readSheet reads words without numbers in any arrangement', () => {
    expect(readSheet(` ${WORDS.slice(0, 12).join(', ').toUpperCase()}\n${WORDS.slice(12).join(' ')}`)).toEqual({
      words: WORDS,
      address: null,
      number: null,
    })
  })

  it('readSheet includes a word that the user is still typing', () => {
    expect(readSheet('1. anchor\n2').words).toEqual(['anchor'])
    expect(readSheet('anchor bree').words).toEqual(['anchor', 'bree'])
  })
})
