import { useRequested } from '#ui/use-requested.ts'
import { editorRequest } from '#hooks/requests.ts'

/** Renders the open editor. Every signed-in page has one. */
export function EditorHost() {
  const { wanted, part } = useRequested(editorRequest, () => import('./entry-editor.tsx'))
  if (!part) return null
  const key = wanted.kind === 'edit' ? wanted.entryId : wanted.kind
  return <part.EntryEditor key={key} request={wanted} onClose={editorRequest.close} />
}
