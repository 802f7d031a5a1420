// Parses pasted text for the simulated engine: links, alone or in prose, numbered ranges, and an error for the rest.
import { inEnglish } from '../i18n/engine-messages'
import type { UnderstoodLine, UserMessage } from '../api/api'

export function pretendToUnderstand(text: string): UnderstoodLine[] {
  return text.split('\n').flatMap((raw, place): UnderstoodLine[] => {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) return []
    const understood = { number: place + 1, lines: 1, text: line, requests: [], sign_in: null, trouble: null }
    const refuse = (id: string, args: NonNullable<UserMessage['args']> = {}): UnderstoodLine[] => [
      { ...understood, trouble: inEnglish(id, args) },
    ]
    if (line.startsWith('curl ')) {
      const url = /https?:[^\s'"]+/.exec(line)?.[0]
      if (url === undefined || line.includes('--cert')) return refuse('command.option', { option: '--cert' })
      return [
        {
          ...understood,
          requests: [{ url }],
          sign_in: line.includes(' -u ') ? { scheme: 'basic', user: 'robin', password: '' } : null,
        },
      ]
    }
    if (!/^https?:\/\/[^/\s]+\S*$/.test(line)) {
      const found = line.match(/\bhttps?:\/\/[^/\s<>"()]+[^\s<>"()]*/g) ?? []
      const links = [...new Set(found.map((link) => link.replace(/[.,;:!?'’\]}]+$/, '')))]
      if (links.length > 0) return links.map((url) => ({ ...understood, text: url, requests: [{ url }] }))
      const other = /\b(ftp|magnet):[/?]/.exec(line)?.[1]
      return other === undefined ? refuse('not-a-link') : refuse('other-scheme', { scheme: other })
    }
    const counted = /^(.*)\[(\d+)[:-](\d+)\](.*)$/.exec(line)
    if (counted === null) return [{ ...understood, requests: [{ url: line }] }]
    const [, before = '', from = '', to = '', after = ''] = counted
    const length = Math.min(1000, Math.max(1, Number(to) - Number(from) + 1))
    const number = (index: number): string => String(Number(from) + index).padStart(from.startsWith('0') ? from.length : 0, '0')
    return [{ ...understood, requests: Array.from({ length }, (_, index) => ({ url: `${before}${number(index)}${after}` })) }]
  })
}
