/** Takes in a thing that the backend has lost, because it was restored from an older backup. */
import { wentBack } from '#record/went-back.ts'

import type { Draft } from './draft.ts'
import { keepUnsent, RULES, unsentOf } from './edits.ts'
import type { Editable, Kind } from './stored.ts'
import { supersede } from './superseded.ts'

/**
 * Takes in an earlier state of a thing, or its absence (null). The local state stays and is sent
 * again.
 */
export function takeInEarlier<K extends Kind>(
  draft: Draft,
  kind: K,
  id: string,
  remote: Editable[K] | null,
): void {
  const { parts, get, put } = RULES[kind]
  const edit = draft.edit(kind, id)
  const here = get(draft, id)
  if (here === undefined) return
  // Another device, which had not heard of the change from here, may send the lost state again.
  if (edit?.base) supersede(draft, kind, id, edit.base)
  const { value, unsent } = wentBack(parts, edit ? unsentOf(edit) : null, here, remote)
  put(draft, id, value)
  keepUnsent(draft, edit ?? { kind, id, refused: null, isHidden: false }, unsent)
}
