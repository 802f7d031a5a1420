import { describe, expect, it, vi } from 'vitest'

import type { Event, KeptFile, Orphan, Recovery } from '../../src/api/api'
import { speak } from '../../src/i18n/i18n.svelte'
import { inEnglish } from '../../src/i18n/engine-messages'
import { became, keptLines, stray } from '../../src/shell/recovery-text'
import { Recovered } from '../../src/app/recovery.svelte'

const NOW = Date.UTC(2026, 10, 22, 9)

const recovery: Recovery = {
  found: NOW,
  why: { code: '', text: 'malformed' },
  kept_as: '/data/kept',
  copy_of: NOW - 86_400_000,
  found_again: [{ unique_id: '1', title: 'a.iso' }],
  is_ahead: false,
}

const orphan = (name: string, may_resume = true): Orphan => ({
  path: `/downloads/${name}.part`,
  name,
  url: `https://example.org/${name}`,
  bytes: 1,
  size: 2,
  may_resume,
})

const keptFile = (name: string): KeptFile => ({ path: `/downloads/${name}`, why: inEnglish('io.permission') })

describe('the recovery text', () => {
  it('the recovery text lists three files that could not be trashed, with reasons, then an ellipsis', () => {
    expect(keptLines(['a', 'b', 'c'].map(keptFile))).toEqual(
      ['a', 'b', 'c'].map((name) => `/downloads/${name} (permission is denied)`),
    )
    expect(keptLines(['a', 'b', 'c', 'd'].map(keptFile)).at(-1)).toBe('…')
  })

  it('the recovery text shows in the language of the page why a file could not be trashed', async () => {
    await speak('de')
    expect(keptLines([keptFile('a')])).toEqual(['/downloads/a (der Zugriff ist nicht erlaubt)'])
    await speak('en')
  })

  it('the recovery text mentions the backup, the recovered titles and the damaged file', () => {
    const [first, second, third, ...more] = became(recovery, NOW)
    expect(first).toMatch(/^The list was damaged and was restored from the copy of .*Nov 21/)
    expect(second).toContain('a.iso')
    expect(third).toContain('/data/kept')
    expect(more).toEqual([])
  })

  it('the recovery text mentions a missing backup, and a recovery that needs a restart', () => {
    const begun = became({ ...recovery, copy_of: null, found_again: [], kept_as: null }, NOW)
    expect(begun).toEqual(['The list was damaged, and there was no copy of it. A new list was created.'])
    const [ahead, ...more] = became({ ...recovery, is_ahead: true }, NOW)
    expect(ahead).toContain('start it again')
    expect(more).toEqual([])
  })

  it('the recovery text lists three partial files, then an ellipsis', () => {
    expect(stray(['a', 'b', 'c'].map((name) => orphan(name)))).toMatch(/: a, b, c$/)
    expect(stray(['a', 'b', 'c', 'd'].map((name) => orphan(name)))).toMatch(/: a, b, c, …$/)
  })
})

function fakes(orphans: Orphan[], keptFiles: KeptFile[] = []) {
  const kept = new Map<string, string>()
  const listeners: ((event: Event) => void)[] = []
  const api = {
    recovery: vi.fn(async () => recovery as Recovery | null),
    recoverySeen: vi.fn(async () => undefined),
    orphans: vi.fn(async () => orphans),
    keptFiles: vi.fn(async () => keptFiles),
    adopt: vi.fn(async () => {
      orphans = []
      return []
    }),
  }
  const failed = vi.fn()
  const options = {
    api,
    watch: (listener: (event: Event) => void) => listeners.push(listener),
    failed,
    keep: { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) },
  }
  return { api, failed, options, emit: (event: Event) => listeners.forEach((listener) => listener(event)) }
}

describe('the recovery banner', () => {
  it('the recovery banner stays until the user dismisses it', async () => {
    const { api, options } = fakes([])
    const recovered = new Recovered(options)
    await recovered.read()
    expect(recovered.recovery).toEqual(recovery)
    await recovered.seen()
    expect(recovered.recovery).toBeNull()
    expect(api.recoverySeen).toHaveBeenCalledOnce()
  })

  it('the recovery banner offers resumable partial files once and adopts all of them', async () => {
    const { api, options } = fakes([orphan('a'), orphan('b', false)])
    const recovered = new Recovered(options)
    await recovered.read()
    expect(recovered.orphans.map(({ name }) => name)).toEqual(['a'])
    await recovered.adopt()
    expect(api.adopt).toHaveBeenCalledWith(['/downloads/a.part'])
    expect(recovered.orphans).toEqual([])
  })

  it('the recovery banner stays hidden for files that the user has postponed', async () => {
    const { options } = fakes([orphan('a')])
    const first = new Recovered(options)
    await first.read()
    first.later()
    expect(first.orphans).toEqual([])
    const second = new Recovered(options)
    await second.read()
    expect(second.orphans).toEqual([])
  })

  it('the recovery banner reads its findings again after lost events', async () => {
    const { api, options, emit } = fakes([])
    new Recovered(options)
    emit({ type: 'lagged' })
    await vi.waitFor(() => expect(api.orphans).toHaveBeenCalledOnce())
  })

  it('files that could not be trashed are shown until postponed, then only new ones are shown', async () => {
    const keptFiles = [keptFile('a')]
    const { options, emit } = fakes([], keptFiles)
    const recovered = new Recovered(options)
    await recovered.read()
    expect(recovered.kept).toEqual([keptFile('a')])
    recovered.keptLater()
    expect(recovered.kept).toEqual([])
    keptFiles.push(keptFile('b'))
    emit({ type: 'lagged' })
    await vi.waitFor(() => expect(recovered.kept).toEqual([keptFile('b')]))
  })

  it('the recovery banner reports a failed adoption and keeps its files', async () => {
    const { api, options, failed } = fakes([orphan('a')])
    const recovered = new Recovered(options)
    await recovered.read()
    api.adopt.mockRejectedValueOnce(new Error('no'))
    await recovered.adopt()
    expect(failed).toHaveBeenCalledOnce()
    expect(recovered.orphans.map(({ name }) => name)).toEqual(['a'])
  })
})
