import { lazy, Suspense, useEffect } from 'react'

import { taskEditorRequest } from './editor-request.ts'

const TaskEditor = lazy(() => import('./task-editor.tsx'))

/** Where a task is edited. One of it belongs on every signed-in page. */
export function TaskEditorHost() {
  const taskId = taskEditorRequest.use()
  useEffect(() => taskEditorRequest.close, [])
  return (
    <Suspense>
      {taskId !== null && (
        <TaskEditor key={taskId} taskId={taskId} onClose={taskEditorRequest.close} />
      )}
    </Suspense>
  )
}
