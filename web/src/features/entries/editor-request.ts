import { createRequest } from '#ui/request.ts'

/** What is to be edited. Any screen requests it; the editor is loaded on the first request. */
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

export const editorRequest = createRequest<EditorRequest>()

/** Opens the editor. */
export const openEditor = editorRequest.open
