import { useState } from 'react'
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { clockTime, localDate } from '@stint/core/time/calendar.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { splitEntry } from '@stint/core/record/entry-edit.ts'
import { splitId } from '@stint/core/record/split-id.ts'
import { sessionTimes } from '@stint/core/reports/explanation.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { readMoment } from '@stint/core/time/time-span-input.ts'
import { Button } from '#ui/button.tsx'
import { FormActions } from '#ui/form-actions.tsx'
import { Form } from '#ui/form.tsx'
import { takeFocus } from '#ui/take-focus.ts'
import { TextField } from '#ui/text-field.tsx'
import { useRecord } from '#session/signed-in.ts'
import { useRecordCommands } from '#features/changes/api.ts'
import type { Clock } from './time-texts.ts'

/** Asks for the moment at which one session becomes two, and shows the two. */
export function SplitForm({
  entry,
  clock: { timeZone, hourCycle },
  onDone,
  onCancel,
}: {
  entry: TimeEntry
  clock: Clock
  onDone: () => void
  onCancel: () => void
}) {
  const { change, newId, now } = useRecordCommands()
  const record = useRecord()
  const [text, setText] = useState(() =>
    clockTime((entry.startedAt + entry.endedAt) / 2, timeZone, hourCycle),
  )
  // Another device may have changed it in this moment: the form shows that next.
  const isShownAsItIs = () => {
    const here = record.view.entries.get(entry.id)
    return here?.startedAt === entry.startedAt && here.endedAt === entry.endedAt
  }
  const secondId = () => {
    const { view } = record
    const id = splitId(entry, view.edit('entry', entry.id)?.base ?? entry)
    // One that was split off before, and lives on elsewhere, stays.
    return view.entries.get(id)?.deletedAt === null ? newId() : id
  }
  const read = readSplit(entry, text, timeZone)
  return (
    <Form
      onSend={async () => {
        if (read.problem !== null || !isShownAsItIs()) return
        const entries = splitEntry(entry, read.at, secondId(), now())
        if (await change({ entries }, 'Session split')) onDone()
      }}
      className="flex flex-col gap-4"
    >
      <p className="figures text-sm">{sessionTimes(entry, timeZone, hourCycle)}</p>
      <TextField
        label="Split at"
        value={text}
        error={read.problem}
        autoComplete="off"
        ref={takeFocus}
        onChange={(event) => setText(event.target.value)}
      />
      <output className="figures flex min-h-10 flex-col text-sm text-ink">
        {read.parts.map((part) => (
          <span key={part.startedAt}>
            {sessionTimes(part, timeZone, hourCycle)} · {exactDuration(part.durationSeconds)}
          </span>
        ))}
      </output>
      <FormActions>
        <Button type="submit" variant="primary" disabled={read.problem !== null}>
          Split
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </FormActions>
    </Form>
  )
}

/** The moment within the session, on the day it started or ended, and its two parts; or a sentence. */
function readSplit(entry: TimeEntry, text: string, timeZone: string) {
  const { startedAt, endedAt, updatedAt } = entry
  for (const instant of [startedAt, endedAt]) {
    const date = localDate(instant, dayRuleOf(timeZone))
    const read = readMoment(text, { date, timeZone, now: endedAt })
    if (read.kind === 'problem') return { problem: read.message, parts: [] }
    if (read.kind === 'moment' && read.at > startedAt && read.at < endedAt) {
      const { at } = read
      try {
        const parts = splitEntry(entry, at, 'second', updatedAt).map(({ after }) => after)
        return { problem: null, at, parts }
      } catch {
        return { problem: 'It is too short to split.', parts: [] }
      }
    }
  }
  return { problem: 'Enter a time between start and end.', parts: [] }
}
