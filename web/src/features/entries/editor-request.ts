import type { Task } from '@stint/core/record/task.ts'
import { createRequest } from '#ui/request.ts'

/** What to edit. Any screen can request it; the editor is loaded at the first request. */
export type EditorRequest =
  /** A saved session. */
  | { readonly kind: 'edit'; readonly entryId: string }
  /** A new session, with what is known of it filled in. */
  | {
      readonly kind: 'add'
      readonly taskId?: string
      /** The task of that id if it does not exist yet. Saving the session creates it, closing the editor does not. */
      readonly newTask?: Task | undefined
      readonly startedAt?: number | undefined
      readonly endedAt?: number | undefined
      readonly note?: string | undefined
      /** Asks about overlaps at once, as after a press on Save. */
      readonly isSubmitted?: boolean
    }
  /** The start and the task of the running timer. */
  | { readonly kind: 'timer' }

export const editorRequest = createRequest<EditorRequest>()

/** Opens the editor. */
export const openEditor = editorRequest.open
