// Searches texts of the page, such as rows of the settings. [pure]

/**
 * Whether every word of `search` occurs in at least one of the texts. Upper and lower case are equal, and so are letters with
 * and without accents.
 */
export function isFound(search: string, texts: readonly string[]): boolean {
  const all = folded(texts.join(' '))
  return folded(search)
    .split(/\s+/)
    .every((word) => all.includes(word))
}

function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
