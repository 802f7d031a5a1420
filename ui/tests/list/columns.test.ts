import { expect, it } from 'vitest'

import { cellText, type Column, COLUMNS, columnsIn, readColumns, toggled } from '../../src/list/columns'
import { registration } from '../registration'

const MB = 1_000_000
const at = { now: 2000, speed: null }

it('the columns of a running download show its size, speed and time left', () => {
  const running = registration({ state: 'running', downloaded: 5 * MB, expected_total: 45 * MB })
  const moving = { ...at, speed: 2 * MB }
  expect(cellText('size', running, moving)).toBe('45\u00a0MB')
  expect(cellText('speed', running, moving)).toBe('2.0\u00a0MB/\u2060s')
  expect(cellText('left', running, moving)).toBe('20\u00a0s')
  expect(cellText('left', running, { ...at, speed: 0 })).toBe('')
})

it('unknown values leave the cell empty', () => {
  const waiting = registration()
  expect([cellText('size', waiting, at), cellText('speed', waiting, at), cellText('left', waiting, at)]).toEqual(['', '', ''])
  expect(cellText('size', registration({ downloaded: MB }), at)).toBe('1\u00a0MB')
  expect(cellText('added', waiting, at)).not.toBe('')
})

it('saved columns are read without unknown names, and a toggled column keeps its place', () => {
  expect(readColumns(null)).toEqual(COLUMNS)
  expect(readColumns('added,size,colour')).toEqual(['size', 'added'])
  expect(readColumns('')).toEqual([])
  expect(toggled(['size', 'added'], 'speed')).toEqual(['size', 'speed', 'added'])
  expect(toggled(['size', 'added'], 'size')).toEqual(['added'])
})

const shownIn = (page: number, list: number, chosen: readonly Column[] = COLUMNS, isDense = false) =>
  columnsIn({ page, list, isDense }, chosen)

it('a wide window has columns, and a wider one the date too', () => {
  expect(shownIn(1199, 999)).toBeNull()
  expect(shownIn(1200, 1000)).toEqual(['size', 'progress', 'speed', 'left'])
  expect(shownIn(1440, 1240)).toEqual(COLUMNS)
})

it('details at the side hide the least important columns first', () => {
  expect(shownIn(1600, 1016)).toEqual(['size', 'progress', 'speed', 'left'])
  expect(shownIn(1440, 856)).toEqual(['progress', 'speed'])
  expect(shownIn(1310, 726)).toEqual(['progress'])
  expect(shownIn(1200, 616)).toBeNull()
})

it('only chosen columns take space', () => {
  expect(shownIn(1440, 856, ['size', 'added'])).toEqual(['size', 'added'])
  expect(shownIn(1200, 616, [])).toEqual([])
})

it('compact rows leave more space for the name', () => {
  expect(shownIn(1200, 1000, COLUMNS, true)).toEqual(['size', 'progress', 'speed'])
})
