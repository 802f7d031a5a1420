import { describe, expect, it } from 'vitest'

import { outline, topOf } from '../../src/lib/line-chart'

describe('a line chart', () => {
  it('a line chart has a round speed at the top of its axis', () => {
    expect([0, 1, 999, 1001, 2500, 4100, 9_999_999, 10_000_000].map(topOf)).toEqual([
      1000, 1000, 1000, 2000, 4000, 5000, 10_000_000, 10_000_000,
    ])
  })

  it('the line and the area of a chart are interrupted at gaps', () => {
    expect(outline([0, 50, null, 100, 100], 100, 40, 20)).toEqual({
      line: 'M 0 20 L 10 10 M 30 0 L 40 0',
      area: 'M 0 20 L 0 20 L 10 10 L 10 20 Z M 30 20 L 30 0 L 40 0 L 40 20 Z',
    })
    expect(outline([null, 50, null], 100, 20, 20).line).toBe('M 10 10 h 1')
    expect(outline([], 100, 20, 20)).toEqual({ line: '', area: '' })
  })
})
