/**
 * A press beside a modal dialog closes it: at its end, not at its beginning, since the rest of a
 * finger's press would go to what lies behind. One that began inside, as a selection does, is none.
 */
import type { SyntheticEvent } from 'react'

let pressed: EventTarget | null = null

/** For `onPointerDown` of the dialog: where a press begins. */
export function notePress({ target }: SyntheticEvent): void {
  pressed = target
}

/** For its `onClick`: whether the whole press was beside the dialog. */
export function wasBeside({ target, currentTarget }: SyntheticEvent): boolean {
  return target === currentTarget && pressed === currentTarget
}
