// Recovery words as a text for safekeeping: 24 numbered words, the address of the server and the user number. [pure,
// except for the language of `sheetOf`]
//
// Called where words are copied, and where they are entered again.
//
// - `readSheet` reads every text that `sheetOf` writes, in every language: labels are never compared.
// - `ashore sync words` prints sheets with several numbered words per line. `readSheet` reads them too.
import type { RecoveryWordsReport } from '../api/sync-api'
import { say } from '../i18n/i18n.svelte'

/** Content of a sheet, or of a part of it. */
export interface RecoverySheet {
  /** Words in lower case. */
  words: string[]
  /** Host, port and fingerprint of the server; null if no line of the text contains them. */
  address: string | null
  /** Number that belongs to the words, as digits; null if no line of the text contains a number. */
  number: string | null
}

/** Invisible marks of direction, which programs add around values. */
const MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const ADDRESS = /^(?:.*[\s：])?([^\s：#]+#[\w-]+)$/
const NUMBER = /^[^\d:：]+[:：]\s*(\d{1,10})$/
const NUMBERED = /^\d{1,2}\s*[.):]?\s*\p{L}/u

/** Returns the text of the report, with one line for each word, the address and the number. */
export function sheetOf({ words, address, uid }: RecoveryWordsReport): string {
  return [
    ...words.map((word, place) => `${place + 1}. ${word}`),
    `${say('sync-address')}: ${address}`,
    `${say('sync-number')}: ${uid}`,
  ].join('\n')
}

/**
 * Reads a sheet, or words in any other form. If lines begin with a number, only those lines contain words, because the
 * others are headings.
 */
export function readSheet(text: string): RecoverySheet {
  const lines = text
    .replaceAll(MARKS, '')
    .split('\n')
    .map((line) => line.trim())
  const isValue = (line: string): boolean => ADDRESS.test(line) || NUMBER.test(line)
  const rest = lines.filter((line) => !isValue(line))
  const numbered = rest.filter((line) => NUMBERED.test(line))
  return {
    words: (numbered.length > 0 ? numbered : rest).flatMap((line) => line.toLowerCase().match(/\p{L}+/gu) ?? []),
    address: valueIn(lines, ADDRESS),
    number: valueIn(lines, NUMBER),
  }
}

function valueIn(lines: readonly string[], pattern: RegExp): string | null {
  for (const line of lines) {
    const value = pattern.exec(line)?.[1]
    if (value !== undefined) return value
  }
  return null
}
