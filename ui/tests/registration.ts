// Builders of registrations and file records for tests. By default, they build a waiting registration without bytes;
// tests override its fields.
import type { FileRecord, Registration } from '../src/api/api'
import { waitingRegistration } from '../src/mock/waiting'

export function registration(parts: Partial<Registration> = {}): Registration {
  return {
    ...waitingRegistration('a'),
    title: 'thesis.pdf',
    folder: '/home/robin',
    category: 'document',
    created: 1000,
    first_enqueued: 1000,
    last_updated: 1000,
    ...parts,
  }
}

export function record(parts: Partial<FileRecord> = {}): FileRecord {
  return {
    index: 0,
    url: 'https://example.org/a.bin',
    method: 'GET',
    state: 'pending',
    optional: false,
    status: null,
    status_text: null,
    headers: [],
    url_chain: [],
    path: null,
    size: null,
    downloaded: 0,
    outcome: null,
    code: null,
    text: null,
    verified: null,
    missing_guarantees: [],
    digest: null,
    attempts: 0,
    next_try: null,
    ...parts,
  }
}
