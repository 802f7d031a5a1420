// The engine's sentences in the language of the page. They come in English with a code; which of the code's sentences it
// is, and what stands in its gaps, is told by the English catalogue. What that does not know is shown as it came. [pure]
import { size } from './format'
import { apart, type Catalogue } from './catalogue'
import { catalogue, english, say } from './i18n.svelte'

export interface Sentence {
  code: string
  text: string
}

interface Known {
  id: string
  /** What the gaps are called, in their order. */
  names: readonly string[]
  shape: RegExp
}

const shapes = new Map<string, readonly Known[]>()

/** Which of the catalogue's messages it is; null where none says this. */
export function idOf({ code, text }: Sentence): string | null {
  return knownOf(code).find(({ shape }) => shape.test(text))?.id ?? null
}

/** The whole sentence, with its cure. */
export function sentence({ code, text }: Sentence): string {
  const now = catalogue()
  if (now === english || now.language.tag === 'en') return text
  for (const { id, names, shape } of knownOf(code)) {
    const found = shape.exec(text)
    if (found === null || now.pattern(id) === null) continue
    return now.say(id, Object.fromEntries(names.map((name, place) => [name, inWords(found[place + 1] ?? '')])))
  }
  return now.language.direction === 'rtl' ? apart(text) : text
}

/** Its first sentence, so that it can follow a colon: no full stop, and no capital where the language has none there. */
export function clause(trouble: Sentence): string {
  const text = sentence(trouble)
  const first = /^.*?(?:[.!?؟।](?=[\s\u2069]|$)|[。！？])/u.exec(text)?.[0] ?? text
  const bare = first.replace(/[.!?؟।。！？]$/u, '')
  const { tag } = catalogue().language
  // In German every whole sentence begins with a capital, and everywhere names and abbreviations do.
  const keeps = tag === 'de' || !/^\p{Lu}[^\p{Lu}]/u.test(bare) || bare.startsWith('Ashore')
  return keeps ? bare : bare[0]!.toLocaleLowerCase() + bare.slice(1)
}

function knownOf(code: string): readonly Known[] {
  const known = shapes.get(code)
  if (known !== undefined) return known
  const made = english.idsOf(`trouble-${code}`).map((id) => shapeOf(english, id))
  shapes.set(code, made)
  return made
}

function shapeOf(of: Catalogue, id: string): Known {
  const pattern = of.pattern(id)
  const parts = Array.isArray(pattern) ? pattern : []
  const gaps = parts.flatMap((part) => (typeof part === 'object' && part.type === 'var' ? [part.name] : []))
  const text = of.say(id, Object.fromEntries(gaps.map((name) => [name, `\u0000${name}\u0000`])))
  // Every other piece is a gap.
  const pieces = text.split('\u0000')
  const shape = pieces.map((piece, place) => (place % 2 === 1 ? '(.+?)' : piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))).join('')
  return { id, names: pieces.filter((_, place) => place % 2 === 1), shape: new RegExp(`^${shape}$`, 's') }
}

const UNITS: { [unit: string]: number } = { B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 }
const DAYS: { [day: string]: string } = {
  Monday: 'day-monday',
  Tuesday: 'day-tuesday',
  Wednesday: 'day-wednesday',
  Thursday: 'day-thursday',
  Friday: 'day-friday',
  Saturday: 'day-saturday',
  Sunday: 'day-sunday',
}

/** A size or a day of the week is written as the page writes it; anything else is somebody's name or address. */
function inWords(gap: string): string {
  const amount = /^(\d+(?:\.\d)?) ([kMGT]?B)$/.exec(gap)
  if (amount !== null) return size(Number(amount[1]) * UNITS[amount[2]!]!)
  const day = /^([A-Z][a-z]+day) (\d\d:\d\d)$/.exec(gap)
  return day === null ? gap : `${say(DAYS[day[1]!] ?? day[1]!)} ${day[2]!}`
}
