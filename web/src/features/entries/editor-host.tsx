import { useRequested } from '#ui/use-requested.ts'
import { editorRequest } from './editor-request.ts'

/** Where the editor appears. One of it belongs on every signed-in page. */
export function EditorHost() {
  const { wanted, part } = useRequested(editorRequest, () => import('./entry-editor.tsx'))
  if (!part) return null
  const key = wanted.kind === 'edit' ? wanted.entryId : wanted.kind
  return <part.EntryEditor key={key} request={wanted} onClose={editorRequest.close} />
}
