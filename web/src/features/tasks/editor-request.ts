import { createRequest } from '#ui/request.ts'

/** The id of the task to edit. Any screen can request it; the dialog is loaded at the first request. */
export const taskEditorRequest = createRequest<string>()

/** Opens the task editor. */
export const openTaskEditor = taskEditorRequest.open
