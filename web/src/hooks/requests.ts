/**
 * What one part of the app asks of another one. A request waits until its handler has loaded; only the last one of a
 * kind is kept.
 */
import type { Task } from '@stint/core/record/task.ts'
import { createRequest } from '#ui/request.ts'

import type { Shortcut } from './shortcut-keys.ts'

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

/** The id of the task to edit. */
export const taskEditorRequest = createRequest<string>()

/** Opens the task editor. */
export const openTaskEditor = taskEditorRequest.open

/** The add form or the search box of the tasks page. */
export const tasksPageRequest = createRequest<'add' | 'search'>()

/**
 * The id of a session that the day timeline of /reports is to show and open. The request waits until
 * its block is on the page.
 */
export const sessionRequest = createRequest<string>()

/** The text for the line that starts a timer. */
export const startLineRequest = createRequest<string>()

/** The requested shortcut, by key or by a button with the same action. */
export const shortcutRequest = createRequest<Shortcut>()

/** Runs the shortcut; queues it until its handler has loaded. */
export const runShortcut = shortcutRequest.open
