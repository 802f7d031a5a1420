import { beforeEach, describe, expect, it, vi } from 'vitest'

import { continueIn, focusedIn } from '../../src/pages/focus'

class Control {
  selection: unknown[] = []
  selectionStart = 1
  selectionEnd = 2
  defaultValue = ''
  constructor(
    readonly label: string | null,
    readonly type = 'button',
    public value = '',
  ) {}
  getAttribute = (): string | null => this.label
  focus = (): void => void (document_.activeElement = this)
  setSelectionRange = (...range: unknown[]): void => void (this.selection = range)
}

const document_: { activeElement: Control | null } = { activeElement: null }

beforeEach(() => {
  vi.stubGlobal('document', document_)
  vi.stubGlobal('HTMLInputElement', Control)
})

/** Page with one section for each list of controls. */
function pageOf(...sections: Control[][]): HTMLElement {
  const children = sections.map((controls) => ({
    querySelectorAll: () => controls,
    contains: (one: Control | null) => one !== null && controls.includes(one),
  }))
  return { children } as unknown as HTMLElement
}

/** Moves the focus from `before` on the first page to the second page. */
function replaced(first: Control[][], before: Control, second: Control[][]): Control | null {
  before.focus()
  const focused = focusedIn(pageOf(...first))
  document_.activeElement = null
  if (focused !== null) continueIn(pageOf(...second), focused)
  return document_.activeElement
}

describe('focus', () => {
  it('control_without_name_keeps_focus_if_its_position_is_unchanged', () => {
    const [radio, other, again] = [new Control(null, 'radio'), new Control(null, 'radio'), new Control(null, 'radio')]
    expect(replaced([[new Control('a')], [other, radio]], radio, [[new Control('a')], [other, again]])).toBe(again)
  })

  it('button_of_removed_row_passes_focus_to_next_row', () => {
    const rows = ['a', 'b', 'c'].map((name) => new Control(name))
    const after = ['a', 'c'].map((name) => new Control(name))
    expect(replaced([rows], rows[1]!, [after])).toBe(after[1])
    expect(replaced([rows], rows[2]!, [after])).toBe(after[1])
  })

  it('field_keeps_focus_text_and_selection_if_rows_before_it_change', () => {
    const field = new Control('Add', 'text', 'a.exa')
    const again = new Control('Add', 'text')
    expect(replaced([[field]], field, [[new Control('a'), new Control('b'), again]])).toBe(again)
    expect([again.value, again.selection]).toEqual(['a.exa', [1, 2]])
  })

  it('focus_outside_of_sections_is_not_moved', () => {
    expect(replaced([[]], new Control('a'), [[new Control('a')]])).toBeNull()
  })
})
