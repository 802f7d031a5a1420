// Machines, downloads, conflicts and sent downloads of the simulated sync.
import { inEnglish } from '../i18n/engine-messages'
import type { ConflictReport, DeviceReport, RemoteDownload, SentDownload } from '../api/sync-api'

const DAY = 86_400_000
const GB = 1e9

export const LAPTOP = 'aXk3mQ9vT2s'
export const DESKTOP = 'pL7wZr4cN8e'
export const SERVER = 'hB5tYu1dK6o'

export function devicesOf(now: number): DeviceReport[] {
  return [
    { device: SERVER, name: 'Workshop', last_seen_ms: now, is_own: true, is_trusted: false },
    { device: LAPTOP, name: 'Laptop', last_seen_ms: now, is_own: false, is_trusted: false },
    { device: DESKTOP, name: 'Desktop', last_seen_ms: now - 5 * DAY, is_own: false, is_trusted: true },
  ]
}

/** Returns `name`, followed by a number if another machine already has this name. */
export function freeName(name: string, taken: readonly string[]): string {
  const isTaken = (one: string): boolean => taken.some((other) => other.toLowerCase() === one.toLowerCase())
  let free = name
  for (let number = 2; isTaken(free); number += 1) free = `${name} (${number})`
  return free
}

export function othersOf(now: number): RemoteDownload[] {
  const names: Record<string, string> = { [LAPTOP]: 'Laptop', [DESKTOP]: 'Desktop' }
  const other = (id: string, device: string, title: string, parts: Partial<RemoteDownload>): RemoteDownload => ({
    id,
    title,
    device,
    device_name: names[device] ?? device,
    state: 'queued',
    requested: 'run',
    failure: null,
    size: null,
    created_ms: now,
    is_complete: true,
    ...parts,
  })
  return [
    other('o1', DESKTOP, 'debian-13.2.0-amd64-netinst.iso', { state: 'running', size: 0.66 * GB }),
    other('o2', DESKTOP, 'orchard-drone-survey-2160p.mkv', { state: 'running', requested: 'paused', size: 9.4 * GB }),
    other('o3', LAPTOP, 'lecture-08.mp4', { state: 'failed', failure: inEnglish('bad-status.gone') }),
    other('o4', LAPTOP, 'Map tiles, southern coast', { state: 'paused', requested: 'paused', size: 24 * GB, is_complete: false }),
  ]
}

export function sendsOf(now: number): SentDownload[] {
  const send = (id: string, title: string, state: SentDownload['state'], days: number): SentDownload => ({
    id,
    title,
    from: 'Workshop',
    device: DESKTOP,
    to: 'Desktop',
    state,
    sent_ms: now - days * DAY,
  })
  return [
    send('s4', 'lecture-09.mp4', 'waiting', 0.1),
    send('s3', 'Map tiles, northern coast', 'delivered', 2),
    send('s2', 'alpine-standard-3.22.iso', 'refused', 9),
    send('s1', 'orchard-survey.zip', 'expired', 41),
    { ...send('s0', 'lecture-01.mp4', 'missed', 43), from: 'Laptop', device: SERVER, to: 'Workshop' },
  ]
}

export function conflictsOf(now: number): ConflictReport[] {
  return [
    {
      number: 1,
      title: 'thesis.pdf',
      field: 'title',
      losing: 'Thesis, first draft',
      winning: 'Thesis of Robin',
      device_name: 'Workshop',
      removed_by: null,
      found_ms: now - DAY,
    },
    {
      number: 2,
      title: 'lecture-07.mp4',
      field: 'requested',
      losing: 'paused',
      winning: 'run',
      device_name: 'Desktop',
      removed_by: null,
      found_ms: now - 2 * DAY,
    },
    {
      number: 3,
      title: 'orchard-survey.zip',
      field: 'removed',
      losing: 'run',
      winning: 'removed',
      device_name: 'Laptop',
      removed_by: 'Desktop',
      found_ms: now - 3 * DAY,
    },
  ]
}
