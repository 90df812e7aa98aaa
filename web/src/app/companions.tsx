/** The parts that every signed-in screen has in the background. load-companions.tsx loads them. */
import { EditorHost } from '#features/entries/editor-host.tsx'
import { Focus } from '#features/focus/focus.tsx'
import { CopyKeeper } from '#features/settings/copy-keeper.tsx'
import { Keyboard } from '#features/keyboard/keyboard.tsx'
import { TaskEditorHost } from '#features/tasks/editor-host.tsx'
import { UrlActions } from '#features/timer/url-actions.tsx'
import { useUndoKey } from '#ui/undo-key.ts'

export function Companions({ earlyKeys }: { earlyKeys: readonly KeyboardEvent[] }) {
  useUndoKey()
  return (
    <>
      <EditorHost />
      <TaskEditorHost />
      <Keyboard earlyKeys={earlyKeys} />
      <UrlActions />
      <Focus />
      <CopyKeeper />
    </>
  )
}
