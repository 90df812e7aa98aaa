import { useCallback, useState } from 'react'
import { t } from '@stint/core/text.ts'
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
import type { LocalRecord } from '#record/record.ts'
import { useFromRecord, useRecord } from '#session/signed-in.ts'
import { useRecordCommands } from '#hooks/use-record-commands.ts'
import type { Clock } from './time-texts.ts'

/**
 * Asks for the time at which to split a session, with a preview of both parts. It shows and splits the session as it
 * is now: another device may change it while the form is open.
 */
export function SplitForm({
  entry: opened,
  clock,
  onDone,
  onCancel,
}: {
  entry: TimeEntry
  clock: Clock
  onDone: () => void
  onCancel: () => void
}) {
  const { timeZone, hourCycle } = clock
  const { change, newId, now } = useRecordCommands()
  const record = useRecord()
  const current = useCallback(
    ({ view }: LocalRecord) => view.entries.get(opened.id) ?? opened,
    [opened],
  )
  const entry = useFromRecord(current)
  const [text, setText] = useState(() =>
    clockTime((entry.startedAt + entry.endedAt) / 2, timeZone, hourCycle),
  )
  const secondId = (here: TimeEntry) => {
    const { view } = record
    const id = splitId(here, view.edit('entry', here.id)?.base ?? here)
    // An earlier split produced the same id. If that entry still exists, a new id is used.
    return view.entries.get(id)?.deletedAt === null ? newId() : id
  }
  const read = readSplit(entry, text, clock)
  return (
    <Form
      onSend={async () => {
        // What has just changed is shown at the next render.
        const here = current(record)
        const { problem, at } = readSplit(here, text, clock)
        if (problem !== null || here.deletedAt !== null) return
        const entries = splitEntry(here, at, secondId(here), now())
        if (await change({ entries }, t('Session split'))) onDone()
      }}
      className="flex flex-col gap-4"
    >
      <p className="figures text-sm">{sessionTimes(entry, timeZone, hourCycle)}</p>
      <TextField
        label={t('Split at')}
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
          {t('Split')}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {t('Cancel')}
        </Button>
      </FormActions>
    </Form>
  )
}

/**
 * Returns the split instant, on the day of the start or of the end, and both parts; or the problem as a
 * text.
 */
function readSplit(entry: TimeEntry, text: string, clock: Clock) {
  const { startedAt, endedAt, updatedAt } = entry
  let problem = t('Enter a time between start and end.')
  for (const instant of [startedAt, endedAt]) {
    const date = localDate(instant, dayRuleOf(clock.timeZone))
    const read = readMoment(text, { ...clock, date, now: endedAt })
    if (read.kind === 'problem') problem = read.message
    if (read.kind === 'moment' && read.at > startedAt && read.at < endedAt) {
      const { at } = read
      try {
        const parts = splitEntry(entry, at, 'second', updatedAt).map(({ after }) => after)
        return { problem: null, at, parts }
      } catch {
        return { problem: t('This session is too short to split.'), parts: [] }
      }
    }
  }
  return { problem, parts: [] }
}
