import * as lucide from 'lucide'
import { expect, test } from 'vitest'

import { outline } from '../../src/lib/svg-path'

test('SVG shapes are converted to path data', () => {
  expect(
    outline([
      ['line', { x1: '4', x2: '5', y1: '6', y2: '7' }],
      ['path', { d: 'm9 12 2 2' }],
    ]),
  ).toBe('M4 6L5 7M0 0m9 12 2 2')
  expect(
    outline([
      ['polyline', { points: '1 2 3 4' }],
      ['polygon', { points: '5 6 7 8' }],
    ]),
  ).toBe('M1 2 3 4M5 6 7 8z')
  expect(outline([['circle', { cx: 12, cy: 12, r: 10 }]])).toBe('M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0z')
  expect(outline([['rect', { x: 3, y: 4, width: 18, height: 12 }]])).toBe('M3 4h18v12h-18v-12z')
  expect(outline([['rect', { x: 3, y: 4, width: 18, height: 12, rx: 2 }]])).toBe(
    'M5 4h14a2 2 0 0 1 2 2v8a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-8a2 2 0 0 1 2 -2z',
  )
})

test('filled or unknown SVG shapes throw an error', () => {
  expect(() => outline([['circle', { cx: 1, cy: 1, r: 1, fill: 'currentColor' }]])).toThrow('filled')
  expect(() => outline([['use', {}]])).toThrow('use')
})

test('Lucide icons can be converted', () => {
  expect(outline(lucide.CircleAlert)).toContain('a10 10')
})
