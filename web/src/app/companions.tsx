/** The parts that every signed-in screen has in the background. load-companions.tsx loads them. */
import { useEffect } from 'react'
import { SignOutDialog } from '#features/auth/sign-out.tsx'
import { GuestOfferHost } from '#features/guest/guest-offer-host.tsx'
import { EditorHost } from '#features/entries/entry-editor-host.tsx'
import { Focus } from '#features/focus/focus.tsx'
import { ToldDevice } from '#features/settings/told-device.tsx'
import { CopyKeeper } from '#features/your-data/copy-keeper.tsx'
import { Keyboard } from '#features/keyboard/keyboard.tsx'
import { TaskEditorHost } from '#features/tasks/task-editor-host.tsx'
import { TargetNotices } from '#features/targets/on-demand.tsx'
import { SealedQuestionHost } from '#features/timesheet/sealed-question-host.tsx'
import { Prompts, Warnings } from '#features/timer/on-demand.ts'
import { UrlActions } from '#features/timer/url-actions.tsx'
import { OverlapPrompts } from '#features/your-data/on-demand.ts'
import { untilLoaded } from '#loading/until-loaded.ts'
import { useUndoKey } from '#ui/undo-key.ts'

/** What asks or warns must be there when there is no network. */
const QUESTIONS = [Prompts, OverlapPrompts, SignOutDialog, Warnings]

export function Companions({ earlyKeys }: { earlyKeys: readonly KeyboardEvent[] }) {
  useUndoKey()
  useEffect(() => {
    const unmounted = new AbortController()
    for (const { load } of QUESTIONS) void untilLoaded(load, unmounted)
    return () => unmounted.abort()
  }, [])
  return (
    <>
      <EditorHost />
      <TaskEditorHost />
      <Keyboard earlyKeys={earlyKeys} />
      <UrlActions />
      <Focus />
      <TargetNotices />
      <CopyKeeper />
      <ToldDevice />
      <SealedQuestionHost />
      <GuestOfferHost />
    </>
  )
}
