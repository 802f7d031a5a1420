import { expect, it } from 'vitest'

const sources = import.meta.glob<string>('../src/**/*.{ts,svelte}', { query: '?raw', import: 'default', eager: true })

/** Pattern of code that would interpret text as markup or as a program. */
const OBEYS =
  /\{@html|\b(?:inner|outer)HTML\b|\binsertAdjacentHTML\b|\bdocument\s*\.\s*write|\bsetHTML|\bcreateContextualFragment\b|\bDOMParser\b|\bsrcdoc\b|\beval\s*\(|\bnew\s+Function\b/

it('the source code inserts text only as text nodes', () => {
  expect(Object.keys(sources).length).toBeGreaterThan(100)
  for (const [file, source] of Object.entries(sources)) expect(OBEYS.exec(source)?.[0], file).toBeUndefined()
})

it('the search pattern matches every known way to insert markup', () => {
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
