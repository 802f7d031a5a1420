// Details of one file in the simulated engine: attempts and byte ranges.
import type { Attempt, FileDetails, Segments } from '../api/api'
import { BUSY, type Pretended, recordOf } from './registrations'
import { FAILURES } from './errors'

/** Page that the simulated requests name as their referrer. */
const PAGE = 'https://www.example.org/lectures/2026/autumn'
const PARTS = 128
const CONNECTIONS = 4
const BEFORE = ['timeout', 'bad-status'] as const

export function detailsOf(pretended: Pretended, index: number, now: number): FileDetails {
  const { registration } = pretended
  const record = recordOf(pretended, index)
  const begun = registration.created + index * 1000
  const minute = 60_000
  const attempts: Attempt[] = []
  for (let number = 1; number <= record.attempts; number += 1) {
    const isLast = number === record.attempts
    const started = begun + (number - 1) * minute
    const isOver = record.state !== 'active' || !isLast
    const code = !isLast
      ? BEFORE[(number - 1) % BEFORE.length]!
      : record.outcome === 'success' || !isOver
        ? null
        : (record.code ?? 'timeout')
    const brought = isLast ? Math.round(record.downloaded * 0.8) : number === 1 ? Math.round(record.downloaded * 0.2) : 0
    attempts.unshift({
      number,
      started,
      ended: !isOver
        ? null
        : isLast && code === null && registration.settled !== null
          ? Math.min(now, Math.max(started, registration.settled))
          : started + 12_000,
      status: code === 'bad-status' ? (isLast ? record.status : 503) : null,
      brought,
      bytes: isLast ? record.downloaded : Math.round(record.downloaded * 0.2),
      url_chain:
        code === 'bad-status' && !isLast ? [record.url, `https://mirror.example.net${new URL(record.url).pathname}`] : [],
      trouble:
        code === null
          ? null
          : !isLast && code === 'bad-status'
            ? BUSY
            : isLast && record.text !== null
              ? { code, variant: record.variant, args: record.args, text: record.text }
              : (FAILURES.find((one) => one.code === code) ?? { code, text: code }),
      is_final: isLast && code !== null && record.next_try === null,
      restart: isLast && number === 3 ? { why: 'changed', bytes: Math.round(record.downloaded * 0.2) } : null,
    })
  }
  return {
    attempts,
    referrer: index % 3 === 0 ? PAGE : null,
    headers:
      index % 3 === 0
        ? [
            ['Referer', PAGE],
            ['Accept-Language', 'en'],
          ]
        : [],
    hidden_headers: index % 6 === 0 && registration.category === 'document' ? ['X-Api-Key'] : [],
    mirrors: index % 3 === 0 ? [`https://mirror.example.net${new URL(record.url).pathname}`] : [],
    checksums: record.digest === null ? [] : [record.digest],
    finished: record.outcome === 'success' ? (attempts[0]?.ended ?? null) : null,
  }
}

export function segmentsOf(pretended: Pretended): Segments[] {
  const { registration } = pretended
  if (registration.state !== 'running') return []
  const record = recordOf(pretended, registration.succeeded)
  if (record.state !== 'active' || record.size === null || record.size === 0) return []
  const { size } = record
  // Each connection fetches a quarter of the file. Some are faster than others.
  const share = record.downloaded / size
  const quarter = PARTS / CONNECTIONS
  const reached = Array.from({ length: CONNECTIONS }, (_, place) => Math.min(1, share * (1.25 - place * 0.17)))
  const there = Array.from({ length: PARTS }, (_, part) => {
    const into = (part % quarter) / quarter
    const at = reached[Math.floor(part / quarter)]!
    return Math.round(Math.max(0, Math.min(1, (at - into) * quarter)) * 100)
  })
  const fetching = reached.flatMap((at, place): [number, number][] => {
    const start = (place * size) / CONNECTIONS
    return at >= 1 ? [] : [[Math.round(start + (at * size) / CONNECTIONS), Math.round(start + size / CONNECTIONS)]]
  })
  return [{ index: record.index, size, there, fetching }]
}
