// Registrations for tests: a waiting one with nothing yet, and what the test says about it.
import type { FileRecord, Registration } from '../src/api/api'

export function registration(parts: Partial<Registration> = {}): Registration {
  return {
    unique_id: 'a', developer_id: 'a', owner: 'window', title: 'thesis.pdf', description: '', icon: null, icons: [], state: 'waiting', result: '', failureReason: '',
    failure: null, downloaded: 0, downloadTotal: 0, expected_total: 0, uploaded: 0, uploadTotal: 0, recordsAvailable: true, event_number: 0, requests: 1,
    succeeded: 0, failed: 0, active: 0, urgent: false, rank: 0, next_try: null, waiting_for: null, path: null, folder: '/home/robin', category: 'document', has_more: false,
    source: 'window', created: 1000, first_enqueued: 1000, last_updated: 1000, unmeasured: false,
    settled: null, expires: null,
    ...parts,
  }
}

export function record(parts: Partial<FileRecord> = {}): FileRecord {
  return {
    index: 0, url: 'https://example.org/a.bin', method: 'GET', state: 'pending', optional: false, status: null, status_text: null, headers: [],
    url_chain: [], path: null, size: null, downloaded: 0, outcome: null, code: null, text: null, verified: null, missing_guarantees: [], digest: null, attempts: 0,
    next_try: null, ...parts,
  }
}
