// Selection of list rows, and its changes by clicks and keys. [pure]
//
// The lead is one of the selected rows: keyboard commands start from it, and the details panel describes it. An empty
// selection has no lead.

export interface Selection {
  readonly lead: string | null
  /** Row at which a range selection starts. */
  readonly anchor: string | null
  readonly ids: ReadonlySet<string>
}

export const NOTHING: Selection = { lead: null, anchor: null, ids: new Set() }

export function only(id: string): Selection {
  return { lead: id, anchor: id, ids: new Set([id]) }
}

export function these(ids: readonly string[]): Selection {
  return ids.length === 0 ? NOTHING : { lead: ids[0]!, anchor: ids[0]!, ids: new Set(ids) }
}

/** Adds `id`; removes `id` if it was selected. */
export function toggled({ lead, ids }: Selection, id: string): Selection {
  const others = new Set(ids)
  if (!others.delete(id)) return { lead: id, anchor: id, ids: others.add(id) }
  return { lead: lead === id ? latest(others) : lead, anchor: id, ids: others }
}

/** Selects the range from the anchor to `id`; `isMore` also keeps the previous selection. */
export function stretched(selection: Selection, id: string, list: readonly string[], isMore = false): Selection {
  const to = list.indexOf(id)
  if (to < 0) return selection
  const began = [selection.anchor, selection.lead]
    .map((one) => (one === null ? -1 : list.indexOf(one)))
    .find((position) => position >= 0)
  const from = began ?? to
  const range = list.slice(Math.min(from, to), Math.max(from, to) + 1)
  return { lead: id, anchor: list[from]!, ids: new Set(isMore ? [...selection.ids, ...range] : range) }
}

export function everything({ lead, anchor, ids }: Selection, list: readonly string[]): Selection {
  if (list.length === 0) return NOTHING
  const isThere = lead !== null && ids.has(lead) && list.includes(lead)
  return { lead: isThere ? lead : list[0]!, anchor: isThere ? anchor : list[0]!, ids: new Set(list) }
}

/** Makes the row `id` the lead, if it is selected. Otherwise, returns the selection unchanged. */
export function ledBy(selection: Selection, id: string): Selection {
  return selection.ids.has(id) ? { ...selection, lead: id } : selection
}

/** Restricts the selection to rows that still exist; returns the same object if all rows exist. */
export function within(selection: Selection, isThere: (id: string) => boolean): Selection {
  const kept = new Set<string>()
  for (const id of selection.ids) if (isThere(id)) kept.add(id)
  if (kept.size === selection.ids.size) return selection
  return { ...selection, lead: selection.lead !== null && kept.has(selection.lead) ? selection.lead : latest(kept), ids: kept }
}

/**
 * Row to select after the row at `position` in `list` is removed: the next row that still exists, otherwise the
 * previous row that still exists.
 */
export function heir(list: readonly string[], position: number, isThere: (id: string) => boolean): string | null {
  return list.slice(position).find(isThere) ?? list.slice(0, position).findLast(isThere) ?? null
}

function latest(ids: ReadonlySet<string>): string | null {
  return [...ids].at(-1) ?? null
}
