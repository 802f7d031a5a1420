// Simulated answers about a restored list, partial files that are not in the list, and files that could not be moved to
// the trash.
import type { KeptFile, Orphan, Recovery } from '../api/api'
import { inEnglish } from '../i18n/engine-messages'

const DAY = 86_400_000

export function pretendRecovery(now: number): Recovery {
  return {
    found: now,
    why: { code: '', text: 'database disk image is malformed' },
    kept_as: '/home/ada/.local/share/ashore/ledger.sqlite.damaged-20261122T090000Z',
    copy_of: now - DAY,
    found_again: [
      { unique_id: 'f1', title: 'debian-12.11.0-amd64-netinst.iso' },
      { unique_id: 'f2', title: 'tears-of-steel-2160p.mkv' },
    ],
    is_ahead: false,
  }
}

export function pretendOrphans(): Orphan[] {
  const orphan = (name: string, bytes: number, size: number): Orphan => ({
    path: `/home/ada/Downloads/${name}.0a1b2c3d.part`,
    name,
    url: `https://downloads.example.org/${name}`,
    bytes,
    size,
    may_resume: true,
  })
  return [orphan('field-recordings.flac', 48_000_000, 120_000_000), orphan('atlas-1912.pdf', 3_000_000, 88_000_000)]
}

export function keptFile(path: string): KeptFile {
  return { path, why: inEnglish('io.permission') }
}

export function pretendKeptFiles(): KeptFile[] {
  return [
    keptFile('/home/robin/Downloads/podcast-111.mp3'),
    keptFile('/media/robin/CAMERA/DCIM/interview, first part, uncut.mkv'),
  ]
}
