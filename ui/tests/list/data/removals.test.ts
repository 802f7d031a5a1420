import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { Failure } from '../../../src/api/api'
import { Removals, UNDO_FOR } from '../../../src/list/data/removals.svelte'

/** Fakes of the list, the engine and the storage of the page. */
function fakes(written: unknown[] = []) {
  const kept = new Map(written.length > 0 ? [['ashore.removing', JSON.stringify(written)]] : [])
  const there = {
    hidden: new Set<string>(),
    removed: [] as string[],
    /** Ids of removed downloads whose files are in the trash. */
    trashed: [] as string[],
    refused: new Set<string>(),
    /** Ids that are running or waiting in the engine. */
    underWay: new Set<string>(),
    unknown: new Set<string>(),
    failed: [] as string[],
    written: (): unknown[] => JSON.parse(kept.get('ashore.removing') ?? '[]'),
  }
  const removals = new Removals({
    hide: (ids) => ids.forEach((id) => there.hidden.add(id)),
    bringBack: (ids) => ids.forEach((id) => there.hidden.delete(id)),
    isStill: (id) => !there.underWay.has(id),
    askIsStill: async (id) => {
      if (there.unknown.has(id)) throw new Failure('unknown', 'It is gone.')
      return !there.underWay.has(id)
    },
    remove: async (id, files) => {
      if (there.refused.has(id)) throw new Failure('ledger', 'The disk is full.')
      if (there.unknown.has(id)) throw new Failure('unknown', 'It is gone.')
      there.removed.push(id)
      if (files) there.trashed.push(id)
    },
    failed: (refused, of) => there.failed.push(`${refused.map(({ id }) => id).join()} of ${of}`),
    keep: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    },
  })
  return { ...there, removals }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a removal', () => {
  it('a removal hides rows immediately and is sent to the engine after ten seconds', async () => {
    const { removals, hidden, removed, written } = fakes()
    removals.remove(['a', 'b'], 'a.pdf')
    expect([...hidden]).toEqual(['a', 'b'])
    expect(written()).toEqual(['a', 'b'])
    await vi.advanceTimersByTimeAsync(UNDO_FOR - 1)
    expect(removed).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(removed).toEqual(['a', 'b'])
    expect(removals.latest).toBeNull()
    expect(written()).toEqual([])
  })

  it('removals can be undone, latest first, before the engine is called', async () => {
    const { removals, hidden, removed, written } = fakes()
    removals.remove(['a'], 'a.pdf')
    await vi.advanceTimersByTimeAsync(UNDO_FOR / 2)
    removals.remove(['b'], 'b.pdf')
    removals.remove(['c'], 'c.pdf')
    expect(removals.takeBack()?.ids).toEqual(['c'])
    expect(removals.latest?.ids).toEqual(['b'])
    expect([...hidden]).toEqual(['a', 'b'])
    expect(written()).toEqual(['a', 'b'])
    await vi.advanceTimersByTimeAsync(UNDO_FOR / 2)
    expect(removed).toEqual(['a'])
    expect(removals.takeBack()?.ids).toEqual(['b'])
    expect(removals.takeBack()).toBeNull()
    await vi.advanceTimersByTimeAsync(2 * UNDO_FOR)
    expect(removed).toEqual(['a'])
  })

  it('a pending removal is carried out exactly once if the page unloads', async () => {
    const { removals, removed, written } = fakes()
    removals.remove(['a'], 'a.pdf')
    removals.remove(['b', 'c'], 'b.pdf')
    const last = removals.carryOutAll()
    expect(written(), 'a page that dies before it is told has it written down').toEqual(['a', 'b', 'c'])
    await last
    expect(removed).toEqual(['a', 'b', 'c'])
    await vi.advanceTimersByTimeAsync(2 * UNDO_FOR)
    expect(removed).toEqual(['a', 'b', 'c'])
    expect(written()).toEqual([])
  })

  it('a removal is reverted and reported as failed if the engine refuses it', async () => {
    const { removals, hidden, removed, failed, refused, unknown } = fakes()
    refused.add('b')
    unknown.add('c')
    removals.remove(['a', 'b', 'c'], 'a.pdf')
    await vi.advanceTimersByTimeAsync(UNDO_FOR)
    expect(removed).toEqual(['a'])
    expect([...hidden]).toEqual(['a', 'c'])
    expect(failed).toEqual(['b of 3'])
  })

  it('an undo returns the list of downloads that must be resumed', async () => {
    const { removals, removed } = fakes()
    removals.remove(['a', 'b'], 'a.iso', false, ['b'])
    expect(removals.takeBack()?.moving).toEqual(['b'])
    await vi.advanceTimersByTimeAsync(2 * UNDO_FOR)
    expect(removed).toEqual([])
  })

  it('a removal is cancelled if its download was resumed in the meantime', async () => {
    const { removals, hidden, removed, underWay, written } = fakes()
    removals.remove(['a', 'b'], 'a.pdf')
    underWay.add('a')
    await vi.advanceTimersByTimeAsync(UNDO_FOR)
    expect(removed).toEqual(['b'])
    expect([...hidden]).toEqual(['b'])
    expect(written()).toEqual([])
  })
})

describe('files of a removal', () => {
  it('a removal leaves the files untouched for ten seconds, and an undo keeps them', async () => {
    const { removals, removed, trashed, written } = fakes()
    removals.remove(['a', 'b'], 'a.pdf', true)
    removals.remove(['c'], 'c.pdf', true)
    expect(written()).toEqual([
      { id: 'a', files: true },
      { id: 'b', files: true },
      { id: 'c', files: true },
    ])
    await vi.advanceTimersByTimeAsync(UNDO_FOR - 1)
    expect(removed).toEqual([])
    expect(removals.takeBack()).toMatchObject({ ids: ['c'], files: true })
    await vi.advanceTimersByTimeAsync(1)
    expect(trashed).toEqual(['a', 'b'])
    expect(written()).toEqual([])
    await vi.advanceTimersByTimeAsync(2 * UNDO_FOR)
    expect(removed).toEqual(['a', 'b'])
  })

  it('files are kept if only the list entry is removed', async () => {
    const { removals, removed, trashed } = fakes()
    removals.remove(['a'], 'a.pdf')
    removals.remove(['b'], 'b.pdf', true)
    await removals.carryOutAll()
    expect([removed.sort(), trashed]).toEqual([['a', 'b'], ['b']])
  })

  it('files are moved to the trash only for valid stored entries', async () => {
    const { removals, removed, trashed, underWay } = fakes([
      { id: 'a', files: true },
      'b',
      { id: 'c', files: 'yes' },
      { id: 1, files: true },
      null,
      { id: 'd', files: true },
    ])
    underWay.add('d')
    await removals.start()
    expect([removed, trashed]).toEqual([['a', 'b', 'c'], ['a']])
  })
})

describe('a removal of the previous page', () => {
  it('a removal by the previous page is carried out unless its download was resumed', async () => {
    const { removals, hidden, removed, underWay, unknown, written } = fakes(['a', 'b', 'c'])
    underWay.add('b')
    unknown.add('c')
    const started = removals.start()
    expect([...hidden], 'none of it is shown meanwhile').toEqual(['a', 'b', 'c'])
    await started
    expect(removed).toEqual(['a'])
    expect([...hidden]).toEqual(['a', 'c'])
    expect(written()).toEqual([])
    expect(removals.latest).toBeNull()
  })
})
