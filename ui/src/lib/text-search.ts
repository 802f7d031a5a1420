// Searches texts of the page, such as rows of the settings. [pure]

/** Whether every word of `search` occurs in at least one of the texts. Upper and lower case are equal. */
export function isFound(search: string, texts: readonly string[]): boolean {
  const all = texts.join(' ').toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word))
}
