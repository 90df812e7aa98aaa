import { createRequest } from '#ui/request.ts'

/** The id of the task to edit. Any screen asks; the dialog, loaded when it is first asked for, answers. */
export const taskEditorRequest = createRequest<string>()

/** Opens the dialog in which a task is renamed, coloured, merged, given a goal. */
export const openTaskEditor = taskEditorRequest.open
