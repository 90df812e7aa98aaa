import { createRequest } from '#ui/request.ts'

/** The id of the task to edit. Any screen requests it; the dialog is loaded on the first request. */
export const taskEditorRequest = createRequest<string>()

/** Opens the dialog in which a task is renamed, coloured, merged, given a goal. */
export const openTaskEditor = taskEditorRequest.open
