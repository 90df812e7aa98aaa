/** Changes that a restored backend has lost of things that another device has changed since. */
import type { Draft } from './draft.ts'
import { RULES } from './edits.ts'
import { keepParts } from './sent-again.ts'
import type { Editable, Kind } from './stored.ts'
import { supersededStates } from './superseded.ts'

/**
 * Sends lost changes again. The backend was restored and lacks what it had confirmed at `instant` (epoch
 * milliseconds). A thing that another device has changed after that may be, in other parts, as it was
 * before a change that this device knows. Nobody has taken that change back: the other device had not
 * heard of it.
 */
export function putBackLost(draft: Draft, kind: Kind, instant: number): void {
  const states = draft.value('superseded')?.states ?? []
  for (const id of new Set(states.map((state) => state.id))) {
    const last = states.findLast((state) => state.kind === kind && state.id === id)
    if (last && !last.isOwn && !draft.edit(kind, id)) putBack(draft, kind, id, instant)
  }
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the states have the kind of the rules
function putBack<K extends Kind>(draft: Draft, kind: K, id: string, instant: number): void {
  const { parts, get } = RULES[kind]
  const there = get(draft, id)
  const [before, ...earlier] = supersededStates(draft, kind, id).toReversed()
  if (there === undefined || before === undefined) return
  const [stamps, known] = [parts.stamps(there), parts.stamps(before)]
  if (Number(stamps?.updatedAt) <= instant || stamps?.createdAt !== known?.createdAt) return
  const isAsIn = (state: Editable[K], part: string) =>
    !parts.differing(state, there).some((each) => each === part)
  const stays = parts
    .differing(before, there)
    .filter((part) => earlier.some((state) => isAsIn(state, part)))
  keepParts(draft, kind, id, { here: before, remote: there, stays })
}
