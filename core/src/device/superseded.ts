/**
 * Confirmed states of tasks and entries that a later state has replaced. After the backend was restored
 * from a backup, a device that had heard of less may send such a state again.
 */
import { isOlder } from '#record/rebase.ts'

import type { Draft } from './draft.ts'
import { RULES } from './edits.ts'
import { isCreatedAgain } from './restored-backend.ts'
import type { Editable, Kind, Superseded } from './stored.ts'

/** A thing here and on the backend, and as the backend had it when it was changed here. */
interface Compared<T> {
  readonly here: T
  readonly remote: T
  readonly base: T | null
}

/** How many states are kept. A restored backend lacks what changed since its backup. */
export const MAX_SUPERSEDED = 100

/** Records that a later state has replaced this one. */
export function supersede<K extends Kind>(
  draft: Draft,
  kind: K,
  id: string,
  thing: Editable[K],
): void {
  if (kind === 'settings') return
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the thing has this kind
  const state = { kind, id, thing } as Superseded
  const states = draft.value('superseded')?.states ?? []
  draft.values.put({ key: 'superseded', states: [...states.slice(1 - MAX_SUPERSEDED), state] })
}

/**
 * Returns the parts in which the thing of the backend differs from the one here, because it is as it
 * was before a later state replaced it, and the backend has lost both. A state that is later than the `base`
 * of a change is lost as well.
 */
export function supersededParts<K extends Kind>(
  draft: Draft,
  kind: K,
  id: string,
  { here, remote, base }: Compared<Editable[K]>,
): readonly string[] {
  const { parts } = RULES[kind]
  const states = supersededStates(draft, kind, id)
  const lost = states.filter(
    (state) => isCreatedAgain(parts, state, remote) || (base && isOlder(parts, base, state)),
  )
  return parts
    .differing(here, remote)
    .filter((part) => lost.some((state) => !parts.differing(state, remote).includes(part)))
}

/** Returns the confirmed states of a thing that were replaced, the oldest first. */
export function supersededStates<K extends Kind>(
  draft: Draft,
  kind: K,
  id: string,
): readonly Editable[K][] {
  const states = draft.value('superseded')?.states ?? []
  return states.flatMap((each) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the state has the kind that was asked for
    each.kind === kind && each.id === id ? [each.thing as Editable[K]] : [],
  )
}
