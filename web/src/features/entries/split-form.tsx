import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { useState } from 'react'
import { clockTime, localDate } from '@stint/core/time/calendar.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { splitEntry } from '@stint/core/record/entry-edit.ts'
import { sessionTimes } from '@stint/core/reports/explanation.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { readMoment } from '@stint/core/time/time-span-input.ts'
import { Button } from '#ui/button.tsx'
import { FormActions } from '#ui/form-actions.tsx'
import { Form } from '#ui/form.tsx'
import { takeFocus } from '#ui/take-focus.ts'
import { TextField } from '#ui/text-field.tsx'
import { useSettings } from '#features/settings/api.ts'
import { useDayRule } from './api.ts'

/** Asks for the moment at which one session becomes two, and shows the two. */
export function SplitForm({
  entry,
  onSplit,
  onCancel,
}: {
  entry: TimeEntry
  onSplit: (at: number) => Promise<void>
  onCancel: () => void
}) {
  const { timeZone } = useDayRule()
  const { hourCycle } = useSettings()
  const [text, setText] = useState(() =>
    clockTime((entry.startedAt + entry.endedAt) / 2, timeZone, hourCycle),
  )
  const at = momentWithin(entry, text, timeZone)
  const parts = typeof at === 'number' ? partsOf(entry, at) : null
  const error = typeof at === 'string' ? at : parts === null ? 'It is too short to split.' : null
  return (
    <Form
      onSend={async () => {
        if (typeof at === 'number' && parts) await onSplit(at)
      }}
      className="flex flex-col gap-4"
    >
      <p className="figures text-sm">{sessionTimes(entry, timeZone, hourCycle)}</p>
      <TextField
        label="Split at"
        value={text}
        error={error}
        autoComplete="off"
        ref={takeFocus}
        onChange={(event) => setText(event.target.value)}
      />
      <output className="figures flex min-h-10 flex-col text-sm text-ink">
        {parts?.map((part) => (
          <span key={part.startedAt}>
            {sessionTimes(part, timeZone, hourCycle)} · {exactDuration(part.durationSeconds)}
          </span>
        ))}
      </output>
      <FormActions>
        <Button type="submit" variant="primary" disabled={!parts}>
          Split
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </FormActions>
    </Form>
  )
}

/** The moment within the session, on the day it started or a later one; else a sentence. */
function momentWithin(entry: TimeEntry, text: string, timeZone: string): number | string {
  for (const instant of [entry.startedAt, entry.endedAt]) {
    const date = localDate(instant, dayRuleOf(timeZone))
    const read = readMoment(text, { date, timeZone, now: entry.endedAt })
    if (read.kind === 'problem') return read.message
    if (read.kind === 'moment' && read.at > entry.startedAt && read.at < entry.endedAt) {
      return read.at
    }
  }
  return 'Say a time between its start and its end.'
}

function partsOf(entry: TimeEntry, at: number): TimeEntry[] | null {
  try {
    return splitEntry(entry, at, 'second', entry.updatedAt).map(({ after }) => after)
  } catch {
    return null
  }
}
