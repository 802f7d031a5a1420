import { expect, it } from 'vitest'

import { enteredBy, isReady, mayBeAsked, patience } from '../../src/add/input-source'

it('what is pasted or dropped came at once, and another line ends the one before it', () => {
  expect(['insertFromPaste', 'insertFromDrop'].map(enteredBy)).toEqual(['pasted', 'pasted'])
  expect(enteredBy('insertLineBreak')).toBe('left')
  expect(['insertText', 'insertCompositionText', 'deleteContentBackward', 'historyUndo', ''].map(enteredBy)).toEqual(
    Array(5).fill('typed'),
  )
})

it('only somebody who types is waited for', () => {
  expect(patience('typed')).toBeGreaterThan(1000)
  expect([patience('pasted'), patience('offered'), patience('left')]).toEqual([0, 0, 0])
})

it('of a link that is being typed, only what looks whole may be asked for', () => {
  const whole = [
    'https://a.example/b/c.iso',
    'http://localhost:8080/c.7z',
    'http://127.0.0.1/c.tar.gz',
    'https://[::1]/c.mp4',
    'https://a.example/c%20d.PDF',
  ]
  const parts = [
    '',
    'https:',
    'https://a',
    'https://a.',
    'https://a.e',
    'https://a.example',
    'https://a.example/',
    'https://a.example/b',
    'https://a.example/b.',
    'https://a.example/b.i',
    'https://a.example/debian-12',
    'https://a.example/debian-12.10',
    'https://a.example/b/',
    'https://a.example/b.iso?key=1',
    'https://a.example/b.iso#part',
    'http://one/c.iso',
  ]
  for (const url of whole) expect(mayBeAsked(url, 'typed'), url).toBe(true)
  for (const url of parts) expect(mayBeAsked(url, 'typed'), url).toBe(false)
  for (const url of parts) for (const how of ['pasted', 'offered', 'left'] as const) expect(mayBeAsked(url, how), url).toBe(true)
})

it('no server hears of what another program handed over, and Enter adds it as what the person gave', () => {
  expect(mayBeAsked('https://a.example/b.iso', 'handed')).toBe(false)
  expect((['handed', 'offered', 'pasted', 'typed', 'left'] as const).filter(isReady)).toEqual(['handed', 'offered'])
})
