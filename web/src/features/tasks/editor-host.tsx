import { useRequested } from '#ui/use-requested.ts'
import { taskEditorRequest } from './editor-request.ts'

/** Where a task is edited. One of it belongs on every signed-in page. */
export function TaskEditorHost() {
  const { wanted, part } = useRequested(taskEditorRequest, () => import('./task-editor.tsx'))
  return part && <part.TaskEditor key={wanted} taskId={wanted} onClose={taskEditorRequest.close} />
}
