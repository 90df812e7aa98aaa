/** The question whether somebody still works on the running timer: when it is asked, and its three answers. */
import { changePrefs } from '@stint/core/device/edits.ts'
import type { Draft } from '@stint/core/device/draft.ts'
import { keepGap } from '@stint/core/device/questions.ts'
import { pressOn, start, stop } from '@stint/core/device/timer.ts'
import {
  askedFromPrefs,
  isAskedAbout,
  isRefuted,
  openQuestion,
  prefsFromAsked,
  stillWorking,
  usualEnds,
} from '@stint/core/focus/still-working.ts'
import type { Asked } from '@stint/core/focus/still-working.ts'
import { t } from '@stint/core/text.ts'
import type { RunningTimer, StoppedTimer } from '@stint/core/timer/timer.ts'
import { useEffect, useEffectEvent } from 'react'

import { newDocumentId } from '#record/document-id.ts'
import { useAsked } from '#hooks/use-asked.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useDayRule, useSettings } from '#hooks/use-settings.ts'
import { resumeStopped, UNDO_STOP_SECONDS } from '#hooks/use-timer-commands.ts'
import { useLocalEntries, useLocalTasks, useRecord } from '#session/signed-in.ts'
import { ACTIVITY_KEY } from '#session/personal-keys.ts'
import { offerUndo } from '#ui/undo.ts'

import { readActivity, watchActivity } from './activity.ts'
import { knownSilences, watchPresence } from './presence.ts'

export interface StillWorking {
  readonly question: Asked
  /** The time counts. */
  readonly keep: () => Promise<void>
  /** Stops the timer when nothing was seen any more, and offers Undo. */
  readonly stop: () => Promise<void>
  /** The same, and starts the task anew, with its note, now. */
  readonly stopAndContinue: () => Promise<void>
}

/** Watches over a running timer; returns the open question about it, or null. */
export function useStillWorking(timer: RunningTimer): StillWorking | null {
  const record = useRecord()
  const { clock, device } = record
  const settings = useSettings()
  const dayRule = useDayRule()
  const entries = useLocalEntries()
  const tasks = useLocalTasks()
  const { duration } = useFormats()
  const asked = useAsked()
  const question = openQuestion(asked, timer)

  const look = useEffectEvent(() => {
    const now = clock.now()
    const found = stillWorking({
      timer,
      settings,
      silences: knownSilences(now),
      usualEnds: () => usualEnds(entries, dayRule, now),
      asked,
      now,
    })
    if (found) void record.write((draft) => ask(draft, found, timer))
  })

  useEffect(() => watchActivity(clock.now), [clock])
  useEffect(() => watchPresence(clock.now, () => look()), [clock])

  // Another device has asked, and this one knows better.
  useEffect(() => {
    const activity = readActivity(ACTIVITY_KEY)
    if (!question || !activity || !isRefuted(question, activity)) return
    void record.write((draft) => answer(draft, question, question.at))
  }, [question, record])

  if (!question) return null
  const { from } = question
  return {
    question,
    keep: () => record.write((draft) => answer(draft, question, draft.now)),
    async stop() {
      const stopped = await record.write((draft) => (isShown(draft) ? stop(draft, from) : null))
      if (stopped)
        offerUndo(stoppedText(stopped), () => resumeStopped(record, stopped, 'undo'), UNDO)
    },
    async stopAndContinue() {
      const sessionId = newDocumentId(clock.now())
      const { taskId, note } = timer
      const stopped = await record.write((draft) => {
        if (!isShown(draft)) return null
        const ended = stop(draft, from)
        start(draft, { sessionId, taskId, note, device })
        return ended
      })
      if (!stopped) return
      const undo = async () => {
        const isSame = record.value('timer')?.timer.sessionId === sessionId
        if (!isSame) return t('Couldn’t undo: it has changed since.')
        await record.write((draft) => pressOn(draft, sessionId, [{ action: { kind: 'discard' } }]))
        await resumeStopped(record, stopped, 'undo')
        return undefined
      }
      offerUndo(stoppedText(stopped), undo, UNDO)
    },
  }

  function isShown(draft: Draft): boolean {
    return draft.value('timer')?.timer.sessionId === timer.sessionId
  }

  function stoppedText({ taskId, durationSeconds }: StoppedTimer): string {
    const stopped = t('Stopped after {duration}', { duration: duration(durationSeconds) })
    const task = tasks.find(({ id }) => id === taskId)
    return task ? `${stopped} · ${task.name}` : stopped
  }
}

const UNDO = { seconds: UNDO_STOP_SECONDS }

/** Asks, unless another tab or device has asked in the meantime. */
function ask(draft: Draft, found: Asked, timer: RunningTimer): void {
  const known = askedFromPrefs(draft.value('settings')?.prefs ?? {})
  if (openQuestion(known, timer)) return
  changePrefs(draft, prefsFromAsked(found))
}

/** Answers that the time until `until` counts, which then is no gap either. */
function answer(draft: Draft, question: Asked, until: number): void {
  changePrefs(draft, prefsFromAsked({ ...question, until }))
  for (const gap of draft.value('gaps')?.gaps ?? [])
    if (isAskedAbout({ ...question, until }, gap.sessionId, gap)) keepGap(draft, gap)
}
