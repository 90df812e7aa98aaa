import { useRequested } from '#ui/use-requested.ts'
import { taskEditorRequest } from '#hooks/requests.ts'

/** Renders the open task editor. Every signed-in page has one. */
export function TaskEditorHost() {
  const { wanted, part } = useRequested(taskEditorRequest, () => import('./task-editor.tsx'))
  return part && <part.TaskEditor key={wanted} taskId={wanted} onClose={taskEditorRequest.close} />
}
