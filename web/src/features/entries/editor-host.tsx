import { lazy, Suspense, useEffect } from 'react'

import { closeEditor, useEditorRequest } from './editor-request.ts'

const EntryEditor = lazy(() => import('./entry-editor.tsx'))

/** Where the editor appears. One of it belongs on every signed-in page. */
export function EditorHost() {
  const request = useEditorRequest()
  // Signed out meanwhile: what was being edited is not the next person's.
  useEffect(() => closeEditor, [])
  return (
    <Suspense>
      {request && (
        <EntryEditor key={keyOf(request)} request={request} onClose={() => closeEditor()} />
      )}
    </Suspense>
  )
}

function keyOf(request: NonNullable<ReturnType<typeof useEditorRequest>>): string {
  return request.kind === 'edit' ? request.entryId : request.kind
}
