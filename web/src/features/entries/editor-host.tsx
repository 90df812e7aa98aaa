import { lazy, Suspense, useEffect } from 'react'

import { editorRequest } from './editor-request.ts'
import type { EditorRequest } from './editor-request.ts'

const EntryEditor = lazy(() => import('./entry-editor.tsx'))

/** Where the editor appears. One of it belongs on every signed-in page. */
export function EditorHost() {
  const request = editorRequest.use()
  // Signed out meanwhile: what was being edited is not the next person's.
  useEffect(() => editorRequest.close, [])
  return (
    <Suspense>
      {request && (
        <EntryEditor key={keyOf(request)} request={request} onClose={editorRequest.close} />
      )}
    </Suspense>
  )
}

function keyOf(request: EditorRequest): string {
  return request.kind === 'edit' ? request.entryId : request.kind
}
