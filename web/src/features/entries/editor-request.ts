/** What is to be edited. Any screen asks; the editor, loaded when it is first asked for, answers. */
import { useSyncExternalStore } from 'react'

export type EditorRequest =
  /** A saved session. */
  | { readonly kind: 'edit'; readonly entryId: string }
  /** One that no timer made; what is known of it is filled in. */
  | {
      readonly kind: 'add'
      readonly taskId?: string
      readonly startedAt?: number
      readonly endedAt?: number
    }
  /** When the running timer began, and what it is about. */
  | { readonly kind: 'timer' }

let request: EditorRequest | null = null
const listeners = new Set<() => void>()

/** Opens the editor. */
export function openEditor(wanted: EditorRequest): void {
  publish(wanted)
}

/** Closes the editor. */
export function closeEditor(): void {
  publish(null)
}

/** What the editor is open for; null while it is closed. */
export function useEditorRequest(): EditorRequest | null {
  return useSyncExternalStore(subscribe, () => request)
}

function publish(wanted: EditorRequest | null): void {
  request = wanted
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
