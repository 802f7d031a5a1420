import { expect, it } from 'vitest'

import { enteredBy, isReady, mayBeAsked, patience } from '../../src/add/input-source'

it('every edit is treated as a paste, as a new line or as typing', () => {
  expect(['insertFromPaste', 'insertFromDrop'].map(enteredBy)).toEqual(['pasted', 'pasted'])
  expect(enteredBy('insertLineBreak')).toBe('left')
  expect(['insertText', 'insertCompositionText', 'deleteContentBackward', 'historyUndo', ''].map(enteredBy)).toEqual(
    Array(5).fill('typed'),
  )
})

it('only typed text delays the probe', () => {
  expect(patience('typed')).toBeGreaterThan(1000)
  expect([patience('pasted'), patience('offered'), patience('left')]).toEqual([0, 0, 0])
})

it('typed links are probed only if they look complete', () => {
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

it('handed-over links are never probed, and Enter submits them', () => {
  expect(mayBeAsked('https://a.example/b.iso', 'handed')).toBe(false)
  expect((['handed', 'offered', 'pasted', 'typed', 'left'] as const).filter(isReady)).toEqual(['handed', 'offered'])
})
