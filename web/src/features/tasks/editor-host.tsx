import { useEffect } from 'react'

import { useLoaded } from '#ui/use-loaded.ts'

import { taskEditorRequest } from './editor-request.ts'

/** Where a task is edited. One of it belongs on every signed-in page. */
export function TaskEditorHost() {
  const taskId = taskEditorRequest.use()
  const part = useLoaded(
    () => import('./task-editor.tsx'),
    taskId !== null,
    taskEditorRequest.close,
  )
  useEffect(() => taskEditorRequest.close, [])
  return (
    taskId !== null &&
    part && <part.TaskEditor key={taskId} taskId={taskId} onClose={taskEditorRequest.close} />
  )
}
