import { expect, it } from 'vitest'

const sources = import.meta.glob<string>('../src/**/*.{ts,svelte}', { query: '?raw', import: 'default', eager: true })

/** Whatever would take text for markup, or for a program. */
const OBEYS =
  /\{@html|\b(?:inner|outer)HTML\b|\binsertAdjacentHTML\b|\bdocument\s*\.\s*write|\bsetHTML|\bcreateContextualFragment\b|\bDOMParser\b|\bsrcdoc\b|\beval\s*\(|\bnew\s+Function\b/

it('text is only ever a text node', () => {
  expect(Object.keys(sources).length).toBeGreaterThan(100)
  for (const [file, source] of Object.entries(sources)) expect(OBEYS.exec(source)?.[0], file).toBeUndefined()
})

it('what would be more is found', () => {
  const more = [
    '<p>{@html title}</p>',
    'row.innerHTML = title',
    'row.outerHTML = title',
    "row.insertAdjacentHTML('beforeend', title)",
    'document.write(title)',
    'document.writeln(title)',
  ]
  for (const line of more) expect(line).toMatch(OBEYS)
})
