import { expect, it } from 'vitest'

import { Lines } from '../../../src/list/data/rows'

it('collapsed registrations have one line each', () => {
  const lines = new Lines(3, [])
  expect(lines.length).toBe(3)
  expect(lines.at(2)).toEqual({ position: 2, file: null })
})

it('each registration line is followed by its file lines, and each line names its registration', () => {
  const lines = new Lines(4, [
    { position: 0, files: 2 },
    { position: 2, files: 3 },
  ])
  const all = Array.from({ length: lines.length }, (_, line) => lines.at(line))
  expect(all.map(({ position, file }) => (file === null ? `${position}` : `${position}/${file}`))).toEqual([
    '0',
    '0/0',
    '0/1',
    '1',
    '2',
    '2/0',
    '2/1',
    '2/2',
    '3',
  ])
  for (let position = 0; position < 4; position += 1) {
    expect(lines.at(lines.lineOf(position))).toEqual({ position, file: null })
  }
  for (let line = 0; line <= lines.length; line += 1) {
    const above = all.slice(0, line)
    const registrations = above.filter(({ file }) => file === null).length
    expect(lines.before(line), `before line ${line}`).toEqual({ registrations, files: line - registrations })
  }
})
