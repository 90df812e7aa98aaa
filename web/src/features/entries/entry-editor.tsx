import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { useRef, useState } from 'react'
import type { ChangeEvent } from 'react'
import { localDate, sessionDay } from '@stint/core/time/calendar.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { editEntry, newEntry, NOTE_MAX_LENGTH, splitEntry } from '@stint/core/record/entry-edit.ts'
import type { EntryChange } from '@stint/core/record/entry-change.ts'
import { sessionTimes } from '@stint/core/reports/explanation.ts'
import { overlapping, trimNeighbours } from '@stint/core/record/overlaps.ts'
import { NO_PAUSES, pausedMilliseconds } from '@stint/core/timer/pauses.ts'
import { nameInReports } from '@stint/core/record/task.ts'
import { entryFromTimer } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import type { ActiveTimer } from '@stint/core/timer/timer.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { FormActions } from '#ui/form-actions.tsx'
import { Form } from '#ui/form.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { takeFocus } from '#ui/take-focus.ts'
import { TextArea } from '#ui/text-area.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useTasks } from '#features/tasks/api.ts'
import { useTimer } from '#features/timer/api.ts'
import { useSettings } from '#features/settings/api.ts'
import { useEntries, useDayRule } from './api.ts'
import type { EditorRequest } from './editor-request.ts'
import { draftOf, draftWithSpan, readDraft, spanProblem } from './entry-draft.ts'
import type { DraftContext, DraftTimes, EntryDraft } from './entry-draft.ts'
import { OtherActions } from './other-actions.tsx'
import { TrimPreview } from './overlap-choice.tsx'
import { useRecordCommands } from './record-commands.ts'
import { SplitForm } from './split-form.tsx'

/** Adds a session by hand, edits a saved one, or says when the running timer began. */
export function EntryEditor({ request, onClose }: { request: EditorRequest; onClose: () => void }) {
  const { entries } = useEntries()
  const { timer } = useTimer()
  // As they were when it was opened: what is typed is not swept away by another device.
  const [entry] = useState(() =>
    request.kind === 'edit' ? entries.find(({ id }) => id === request.entryId) : undefined,
  )
  const [running] = useState(() =>
    request.kind === 'timer' && timer.status !== 'idle' ? timer : undefined,
  )
  const isGone =
    (request.kind === 'edit' && !entry) || (request.kind === 'timer' && running === undefined)
  const title =
    request.kind === 'add' ? 'Add time' : request.kind === 'edit' ? 'Edit session' : 'Edit timer'
  return (
    <Dialog open title={title} onClose={onClose}>
      {isGone ? (
        <p>It is no longer there.</p>
      ) : (
        <EditorForm request={request} entry={entry} running={running} onClose={onClose} />
      )}
    </Dialog>
  )
}

function EditorForm({
  request,
  entry,
  running,
  onClose,
}: {
  request: EditorRequest
  entry: TimeEntry | undefined
  running: ActiveTimer | undefined
  onClose: () => void
}) {
  // What is typed is the clock's date, whenever the person's days begin.
  const { timeZone } = useDayRule()
  const { hourCycle } = useSettings()
  const { tasks, allTasks } = useTasks()
  const { entries } = useEntries()
  const { timer } = useTimer()
  const commands = useRecordCommands()
  // The moment of the last change: 'now' and '15m ago' are what was read when they were typed.
  const [now, setNow] = useState(commands.now)
  const [original] = useState(() => originalOf(request, entry, running))
  const context: DraftContext = { timeZone, hourCycle, now, original }
  const [draft, setDraft] = useState(() => firstDraft(context))
  // What the line for all of it starts from, and what it says.
  const [base, setBase] = useState(draft)
  const [quick, setQuick] = useState('')
  const [taskId, setTaskId] = useState(() => firstTask())
  const [note, setNote] = useState(entry?.note ?? '')
  const [step, setStep] = useState<'form' | 'overlap' | 'split'>('form')
  const [tried, setTried] = useState(false)
  const saving = useRef(false)

  // Another device, or another tab, deleted it meanwhile: what is typed here is not lost with it.
  const isDeleted = entry !== undefined && !entries.some(({ id }) => id === entry.id)
  const { times, problem } = readDraft(draft, context)
  const quickProblem = quick === '' ? null : spanProblem(quick, base, context)
  const mayRun = running !== undefined || (request.kind === 'add' && timer.status === 'idle')
  const missingEnd = times?.endedAt === null && !mayRun
  const shownProblem = missingEnd
    ? { field: 'end' as const, message: 'Say when it ended.' }
    : problem
  const saved = times && !shownProblem && quickProblem === null ? savedEntry(times) : null
  // What was there before is not asked about again because of a note.
  const overlapped = saved && isMoved(saved) ? overlapping(saved, entries) : []
  const trims = saved ? trimNeighbours(saved, overlapped, commands.newId, now) : []

  const errorOf = (field: string) => {
    const isShown = tried || shownProblem?.field !== 'start' || draft.start !== ''
    return shownProblem?.field === field && isShown ? shownProblem.message : null
  }

  if (step === 'split' && entry) {
    return <SplitForm entry={entry} onSplit={split} onCancel={() => setStep('form')} />
  }
  if (step === 'overlap' && saved) {
    return (
      <>
        <p className="text-sm">
          {sessionTimes(saved, timeZone, hourCycle)} shares time with{' '}
          {overlapped.length === 1 ? 'another session' : `${overlapped.length} other sessions`}.
          Trimmed, they give way to it:
        </p>
        <TrimPreview trims={trims} />
        <FormActions>
          <Button variant="primary" ref={takeFocus} onClick={() => void save(trims)}>
            Trim neighbours
          </Button>
          <Button onClick={() => void save([])}>Keep both</Button>
          <Button variant="quiet" onClick={() => setStep('form')}>
            Cancel
          </Button>
        </FormActions>
      </>
    )
  }
  return (
    <Form
      onSend={async () => {
        setTried(true)
        if (!saved || taskId === '') return
        if (overlapped.length > 0) setStep('overlap')
        else await save([])
      }}
      className="flex flex-col gap-4"
      noValidate
    >
      {running === undefined && (
        <TextField
          label="Time"
          value={quick}
          placeholder="9-1030, 9:30 to 11, 1h15, 90m"
          autoComplete="off"
          data-autofocus={request.kind === 'add' ? '' : undefined}
          error={quickProblem}
          onChange={(event) => typeQuick(event.target.value)}
        />
      )}
      {isDeleted && <output>Deleted elsewhere. Save adds it again.</output>}
      <div className="grid grid-cols-2 gap-3 md:grid-cols-[1.4fr_1fr_1fr]">
        <div className="max-md:col-span-2">
          <TextField
            label="Date"
            type="date"
            required
            max={localDate(now, dayRuleOf(timeZone))}
            {...textOf('date')}
          />
        </div>
        <TextField
          label="Start"
          placeholder={running ? '15 minutes ago' : '9:30'}
          data-autofocus={running === undefined ? undefined : ''}
          ref={takeFocus}
          {...textOf('start')}
        />
        {running === undefined && (
          <TextField
            label="End"
            placeholder={mayRun ? 'still running' : '11:00'}
            {...textOf('end')}
          />
        )}
      </div>
      <output className="figures -mt-2 min-h-5 text-sm text-ink">
        {saved && understood(saved, times?.endedAt === null)}
        {!saved && running !== undefined && errorOf('end')}
      </output>
      <SelectField
        label="Task"
        required
        value={taskId}
        error={tried && taskId === '' ? 'Pick a task.' : null}
        onChange={(event) => setTaskId(event.target.value)}
      >
        <option value="" disabled>
          Pick a task
        </option>
        {allTasks
          .filter((task) => task.isActive || task.id === taskId)
          .toSorted((a, b) => a.name.localeCompare(b.name))
          .map((task) => (
            <option key={task.id} value={task.id}>
              {nameInReports(task)}
            </option>
          ))}
      </SelectField>
      {running === undefined && (
        <>
          <TextField label="Pauses" placeholder="12:00-12:30, 15:10-15:20" {...textOf('pauses')} />
          <TextArea
            label="Note"
            rows={2}
            value={note}
            maxLength={NOTE_MAX_LENGTH}
            // What is pasted may be cut, which must not go unseen.
            hint={
              note.length > 1800 ? `${note.length} of ${NOTE_MAX_LENGTH} characters` : undefined
            }
            onChange={(event) => setNote(event.target.value)}
          />
        </>
      )}
      <FormActions>
        <Button type="submit" variant="primary">
          {times?.endedAt === null && request.kind === 'add' && !shownProblem
            ? 'Start timer'
            : 'Save'}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </FormActions>
      {entry && !isDeleted && (
        <OtherActions
          entry={entry}
          entries={entries}
          commands={commands}
          onSplit={() => setStep('split')}
          onDone={onClose}
        />
      )}
    </Form>
  )

  /** One line for all of it: '9-1030', '1h15', '9:30 to 11'. Emptied, nothing was said. */
  function typeQuick(text: string) {
    const typedAt = commands.now()
    setNow(typedAt)
    setQuick(text)
    const read = draftWithSpan(base, text, { ...context, now: typedAt })
    const said = read ?? (text.trim() === '' ? base : null)
    if (said) setDraft({ ...said, pauses: draft.pauses })
  }

  function textOf(name: 'date' | 'start' | 'end' | 'pauses') {
    return {
      value: draft[name],
      error: errorOf(name),
      autoComplete: 'off',
      // What is typed here counts, whatever the line for all of it said before.
      onChange: (event: ChangeEvent<HTMLInputElement>) => {
        const next = { ...draft, [name]: event.target.value }
        setNow(commands.now())
        setDraft(next)
        if (name === 'pauses') return
        setBase(next)
        setQuick('')
      },
    }
  }

  function isMoved({ startedAt, endedAt, pauses }: TimeEntry): boolean {
    if (running) return startedAt !== running.startedAt
    if (!entry) return true
    const isSame = startedAt === entry.startedAt && endedAt === entry.endedAt
    return !isSame || !sameIntervals(pauses, entry.pauses)
  }

  function firstTask(): string {
    if (entry) return entry.taskId
    if (running) return running.taskId
    const wanted = request.kind === 'add' ? request.taskId : undefined
    return wanted ?? (tasks.length === 1 ? (tasks[0]?.id ?? '') : '')
  }

  /** The entry as it would be saved; of a timer, as it would be if it stopped now. */
  function savedEntry({ startedAt, endedAt, pauses }: DraftTimes): TimeEntry {
    const trimmedNote = note.trim() === '' ? null : note.trim()
    if (running) {
      return entryFromTimer({ ...running, startedAt, taskId }, now)
    }
    if (entry) {
      const edit = { startedAt, endedAt: endedAt ?? now, taskId, note: trimmedNote }
      const isSame = sameIntervals(pauses, entry.pauses)
      return editEntry(entry, isSame ? edit : { ...edit, pauses: pauses.intervals }, now).after
    }
    const times = { startedAt, endedAt: endedAt ?? now, pauses }
    return newEntry({ id: 'new', taskId, note: trimmedNote, ...times }, now).after
  }

  /** Closes once it is durable: what was typed is not lost with what could not be saved. */
  async function save(also: readonly EntryChange[]): Promise<void> {
    if (!saved || !times || saving.current) return
    saving.current = true
    try {
      if (await isWritten(saved, times, also)) onClose()
    } finally {
      saving.current = false
    }
  }

  async function isWritten(
    after: TimeEntry,
    { startedAt, endedAt }: DraftTimes,
    also: readonly EntryChange[],
  ): Promise<boolean> {
    // Another device, or another tab, stopped it meanwhile: what it left is changed.
    const left = running && entries.find(({ id }) => id === running.sessionId)
    if (left) {
      const change = editEntry(left, { startedAt: after.startedAt, taskId }, now)
      return commands.change({ entries: [change, ...also] }, 'Session changed')
    }
    if (running) {
      const change = { startedAt: after.startedAt, taskId }
      const timer = { sessionId: running.sessionId, change }
      return commands.change({ entries: also, timer }, 'Timer changed')
    }
    if (endedAt === null) {
      const isStarted = await commands.startAt(taskId, startedAt)
      if (!isStarted || also.length === 0) return isStarted
      return commands.change({ entries: also }, 'Neighbours trimmed')
    }
    const change =
      entry && !isDeleted
        ? { before: entry, after }
        : { before: null, after: { ...after, id: commands.newId(), sessionId: null } }
    return commands.change(
      { entries: [change, ...also] },
      entry ? 'Session changed' : `Added ${exactDuration(after.durationSeconds)}`,
    )
  }

  async function split(at: number): Promise<void> {
    if (!entry) return
    const entries = splitEntry(entry, at, commands.newId(), commands.now())
    if (await commands.change({ entries }, 'Session split')) onClose()
  }

  function understood(shown: TimeEntry, isOpen: boolean): string {
    const day = sessionDay(shown.startedAt, now, dayRuleOf(timeZone))
    const spanned = isOpen
      ? `since ${sessionTimes(shown, timeZone, hourCycle).split(' – ')[0]}`
      : sessionTimes(shown, timeZone, hourCycle)
    const paused = Math.floor(pausedMilliseconds(shown.pauses) / 1000)
    const rest = paused > 0 ? `, ${exactDuration(paused)} paused` : ''
    return `${day}, ${spanned} · ${exactDuration(shown.durationSeconds)}${rest}`
  }
}

function originalOf(
  request: EditorRequest,
  entry: TimeEntry | undefined,
  running: ActiveTimer | undefined,
): DraftContext['original'] {
  if (entry) return entry
  if (running) return { startedAt: running.startedAt, endedAt: null, pauses: running.pauses }
  if (request.kind !== 'add' || request.startedAt === undefined) return null
  const { startedAt, endedAt = null } = request
  return { startedAt, endedAt, pauses: NO_PAUSES }
}

function firstDraft(context: DraftContext): EntryDraft {
  const { original, timeZone, now } = context
  if (original) return draftOf(original, context)
  return { date: localDate(now, dayRuleOf(timeZone)), start: '', end: '', pauses: '' }
}

function sameIntervals(some: TimeEntry['pauses'], others: TimeEntry['pauses']): boolean {
  return JSON.stringify(some.intervals) === JSON.stringify(others.intervals)
}
