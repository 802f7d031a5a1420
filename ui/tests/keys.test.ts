import { expect, it } from 'vitest'

import { listCommand, windowCommand } from '../src/lib/keys'

const pressed = (key: string, ...held: ('ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey')[]) => ({
  key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...Object.fromEntries(held.map((one) => [one, true])),
})

it('a key means what is held with it', () => {
  expect(listCommand(pressed('ArrowDown'))).toBe('down')
  expect(listCommand(pressed('ArrowDown', 'shiftKey'))).toBe('more-down')
  expect(listCommand(pressed('ArrowDown', 'altKey'))).toBe('later')
  expect(listCommand(pressed('ArrowDown', 'ctrlKey'))).toBeNull()
  expect(listCommand(pressed('Delete', 'shiftKey'))).toBe('remove-files')
  expect(windowCommand(pressed('z', 'ctrlKey'))).toBe('undo')
  expect(windowCommand(pressed('z'))).toBeNull()
  expect(windowCommand(pressed('Z', 'ctrlKey', 'shiftKey'))).toBeNull()
})

it('the Command key is as good as Ctrl, and the shift lock changes no letter', () => {
  expect(listCommand(pressed('a', 'metaKey'))).toBe('everything')
  expect(listCommand(pressed('A', 'ctrlKey'))).toBe('everything')
})
