import { useEffect } from 'react'

import { useLoaded } from '#ui/use-loaded.ts'

import { editorRequest } from './editor-request.ts'
import type { EditorRequest } from './editor-request.ts'

/** Where the editor appears. One of it belongs on every signed-in page. */
export function EditorHost() {
  const request = editorRequest.use()
  const part = useLoaded(() => import('./entry-editor.tsx'), request !== null, editorRequest.close)
  // Signed out meanwhile: what was being edited is not the next person's.
  useEffect(() => editorRequest.close, [])
  return (
    request &&
    part && (
      <part.EntryEditor key={keyOf(request)} request={request} onClose={editorRequest.close} />
    )
  )
}

function keyOf(request: EditorRequest): string {
  return request.kind === 'edit' ? request.entryId : request.kind
}
