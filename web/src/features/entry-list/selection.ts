/** The selected sessions of a list. */

export interface Selection {
  readonly ids: ReadonlySet<string>
  /** Where a range begins: the session that was selected last without Shift; null at first. */
  readonly anchor: string | null
  /** The sessions that were selected before the range. */
  readonly before: ReadonlySet<string>
}

export const NOTHING_SELECTED: Selection = { ids: new Set(), anchor: null, before: new Set() }

/** Selects a session, or removes it from the selection. A range begins here. */
export function toggled({ ids }: Selection, id: string): Selection {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return { ids: next, anchor: id, before: next }
}

/**
 * Selects the sessions from the anchor to this one, in the order of the list, instead of those of
 * the last range. Without an anchor in the list, the range begins at `from`.
 */
export function extended(
  { anchor, before }: Selection,
  listed: readonly { readonly id: string }[],
  from: number,
  to: number,
): Selection {
  const known = anchor === null ? -1 : listed.findIndex(({ id }) => id === anchor)
  const start = known < 0 ? from : known
  const range = listed.slice(Math.min(start, to), Math.max(start, to) + 1)
  const ids = new Set(before)
  for (const { id } of range) ids.add(id)
  return { ids, anchor: listed[start]?.id ?? null, before }
}

/** Selects all of them. */
export function allOf(listed: readonly { readonly id: string }[]): Selection {
  const ids = new Set(listed.map(({ id }) => id))
  return { ids, anchor: null, before: ids }
}
