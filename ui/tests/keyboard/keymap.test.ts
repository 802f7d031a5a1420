import { expect, it } from 'vitest'

import {
  chordsOf,
  listCommand,
  OVERVIEW,
  selectsEverything,
  windowCommand,
  worksInDialog,
  worksWhileTyping,
} from '../../src/keyboard/keymap'
import { KEY_LINES } from '../../src/keyboard/key-labels'

const pressed = (key: string, ...held: ('ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey')[]) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...Object.fromEntries(held.map((one) => [one, true])),
})

it('modifier keys change the command of a key', () => {
  expect(listCommand(pressed('ArrowDown'))).toBe('down')
  expect(listCommand(pressed('ArrowDown', 'shiftKey'))).toBe('more-down')
  expect(listCommand(pressed('ArrowDown', 'altKey'))).toBe('later')
  expect(listCommand(pressed('ArrowDown', 'ctrlKey'))).toBeNull()
  expect(listCommand(pressed('Delete', 'shiftKey'))).toBe('remove-files')
  expect(windowCommand(pressed('z', 'ctrlKey'))).toBe('undo')
  expect(windowCommand(pressed('z'))).toBeNull()
  expect(windowCommand(pressed('Z', 'ctrlKey', 'shiftKey'))).toBeNull()
})

it('Command key counts as Ctrl, and Caps Lock is ignored', () => {
  expect(listCommand(pressed('a', 'metaKey'))).toBe('everything')
  expect(listCommand(pressed('A', 'ctrlKey'))).toBe('everything')
})

it('Ctrl+A selects no rows while the list is hidden', () => {
  const everything = pressed('a', 'ctrlKey')
  expect(selectsEverything(everything, { view: 'list', list: {} })).toBe(true)
  expect(selectsEverything(pressed('a'), { view: 'list', list: {} })).toBe(false)
  expect(selectsEverything(everything, { view: 'settings', list: {} })).toBe(false)
  for (const list of [null, undefined]) expect(selectsEverything(everything, { view: 'list', list })).toBe(false)
})

it('the keys for closing and quitting work while the user types, but are ignored in a browser', () => {
  expect([windowCommand(pressed('w', 'ctrlKey')), windowCommand(pressed('q', 'ctrlKey'))]).toEqual(['close', 'quit'])
  expect(windowCommand(pressed('w', 'ctrlKey'), false)).toBeNull()
  expect(windowCommand(pressed('f', 'ctrlKey'), false)).toBe('search')
  expect([worksWhileTyping('close'), worksWhileTyping('quit'), worksWhileTyping('undo')]).toEqual([true, true, false])
})

it('while a dialog is open, only the key for quitting works', () => {
  const commands = ['add', 'search', 'paste', 'undo', 'settings', 'keys', 'close', 'quit'] as const
  expect(commands.filter(worksInDialog)).toEqual(['quit'])
})

it('right-to-left languages swap the keys that expand and collapse a row', () => {
  expect([
    listCommand(pressed('ArrowRight')),
    listCommand(pressed('ArrowLeft'), true),
    listCommand(pressed('ArrowRight'), true),
  ]).toEqual(['unfold', 'unfold', 'fold'])
  expect([listCommand(pressed('ArrowUp'), true), chordsOf('unfold', true)]).toEqual(['up', [['ArrowLeft']]])
})

it('the overview of shortcuts lists the command of every key once, with a label', () => {
  const commands = OVERVIEW.flatMap(({ lines }) => lines.flatMap((line) => line.commands))
  expect(new Set(commands).size).toBe(commands.length)
  for (const { lines } of OVERVIEW) for (const { line } of lines) expect(KEY_LINES[line]).not.toBe('')
  for (const command of commands) {
    const chords = chordsOf(command)
    expect(chords.length, command).toBeGreaterThan(0)
    for (const keys of chords) {
      const held = { Ctrl: 'ctrlKey', Alt: 'altKey', Shift: 'shiftKey' } as const
      const with_ = keys.slice(0, -1).map((key) => held[key as keyof typeof held])
      expect([listCommand(pressed(keys.at(-1)!, ...with_)), windowCommand(pressed(keys.at(-1)!, ...with_))]).toContain(command)
    }
  }
  const every = [
    'ArrowDown',
    'ArrowUp',
    'Home',
    'End',
    'Enter',
    ' ',
    'Delete',
    'F2',
    'Escape',
    'ContextMenu',
    'ArrowLeft',
    'ArrowRight',
    'PageUp',
    'PageDown',
  ]
  for (const key of every) expect(commands, key).toContain(listCommand(pressed(key)))
})
