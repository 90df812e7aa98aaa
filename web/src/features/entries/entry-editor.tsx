import { useReducer, useRef, useState } from 'react'
import { acceptance } from '@stint/core/record/accepted-findings.ts'
import { checkHealth } from '@stint/core/record/data-health.ts'
import type { EntryChange } from '@stint/core/record/entry-change.ts'
import { NOTE_MAX_LENGTH } from '@stint/core/record/entry-edit.ts'
import { areRoundings, trimNeighbours } from '@stint/core/record/overlaps.ts'
import { nameInReports } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { t } from '@stint/core/text.ts'
import { localDate } from '@stint/core/time/calendar.ts'
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { Button } from '#ui/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { Dialog } from '#ui/dialog.tsx'
import { FormActions } from '#ui/form-actions.tsx'
import { Form } from '#ui/form.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { takeFocus } from '#ui/take-focus.ts'
import { TextArea } from '#ui/text-area.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useAcceptedFindings } from '#hooks/use-accepted-findings.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { useEntries } from '#hooks/use-entries.ts'
import { useDayRule } from '#hooks/use-settings.ts'
import { TagSuggestions } from '#hooks/tag-suggestions.tsx'
import type { EditorRequest } from '#hooks/requests.ts'
import { editorReducer, openDraft, planSave, readDraft } from './editor-state.ts'
import type {
  DraftChange,
  EditorAction,
  EditorDraft,
  EditorReading,
  SavePlan,
} from './editor-state.ts'
import { MergeChoice } from './merge-choice.tsx'
import { OtherActions } from './other-actions.tsx'
import { OverlapChoice } from './overlap-choice.tsx'
import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { useRecord } from '#session/signed-in.ts'
import { SplitForm } from './split-form.tsx'
import type { TimeField } from './time-texts.ts'

const TITLES = { add: t('Add time'), edit: t('Edit session'), timer: t('Edit timer') }

/** Adds a session, edits a saved one, or edits the start and the task of the running timer. */
export function EntryEditor({ request, onClose }: { request: EditorRequest; onClose: () => void }) {
  // Typed times are clock times, whatever the hour at which the person's day starts.
  const { timeZone } = useDayRule()
  const { hourCycle } = useSettings()
  const { entries } = useEntries()
  const { timer } = useTimer()
  const { tasks } = useTasks()
  const { now } = useRecordCommands()
  const [opened] = useState(() =>
    openDraft(request, { entries, timer, tasks }, { timeZone, hourCycle, now: now() }),
  )
  const title = TITLES[request.kind]
  if (opened) return <Editor opened={opened} title={title} onClose={onClose} />
  return (
    <Dialog open title={title} onClose={onClose}>
      <p>{t('This session no longer exists.')}</p>
    </Dialog>
  )
}

function Editor({
  opened,
  title,
  onClose,
}: {
  opened: EditorDraft
  title: string
  onClose: () => void
}) {
  const [draft, dispatch] = useReducer(editorReducer, opened)
  const isSplitting = draft.step.kind === 'split'
  return (
    <Dialog open title={isSplitting ? t('Split session') : title} onClose={onClose}>
      <Step draft={draft} dispatch={dispatch} onClose={onClose} />
    </Dialog>
  )
}

/** The fields, or what their buttons ask. */
function Step({
  draft,
  dispatch,
  onClose,
}: {
  draft: EditorDraft
  dispatch: (action: EditorAction) => void
  onClose: () => void
}) {
  const record = useRecord()
  const { entries } = useEntries()
  const { allTasks } = useTasks()
  const { timer } = useTimer()
  const { acceptQuietly } = useAcceptedFindings()
  const { change, newId, now, start: startTimer, startNew } = useRecordCommands()
  const isSaving = useRef(false)
  const known = { entries, timer }
  const reading = readDraft(draft, known)
  const { entry, overlapped } = reading
  const set = (to: DraftChange) => dispatch({ type: 'set', to })
  const toForm = () => set({ step: { kind: 'form' } })

  function begin({ taskId, newTask, ...options }: NonNullable<SavePlan['start']>) {
    return newTask ? startNew(newTask.name, options) : startTimer(taskId, options)
  }

  /** Returns the id of the session that a save has made or changed, or that its timer will have. */
  function savedAs(newId: string): string {
    if (draft.kind === 'editing') return draft.entry.id
    if (draft.kind === 'running') return draft.timer.sessionId
    return reading.startsTimer ? (record.view.value('timer')?.timer.sessionId ?? newId) : newId
  }

  /** Remembers that the overlaps with a session are meant, so that nothing asks about them again. */
  async function keepOverlaps(saved: TimeEntry): Promise<void> {
    const findings = checkHealth([saved, ...overlapped], allTasks, now())
    const kept = findings.filter(
      ({ kind, entries }) => kind === 'overlap' && entries.some(({ id }) => id === saved.id),
    )
    await acceptQuietly(kept.map(acceptance))
  }

  /** Closes the editor once the change is durable, so that a failed save keeps what was typed. */
  async function save(entry: TimeEntry, trims: readonly EntryChange[]): Promise<void> {
    if (isSaving.current) return
    isSaving.current = true
    try {
      const id = newId()
      const { start, changes, message } = planSave(draft, reading, entry, known, trims, id)
      if (start && !(await begin(start))) return
      if (changes !== null && !(await change(changes, message))) return
      onClose()
      if (trims.length === 0 && overlapped.length > 0)
        await keepOverlaps({ ...entry, id: savedAs(id) })
    } finally {
      isSaving.current = false
    }
  }

  if (draft.step.kind === 'split') {
    const { entry } = draft.step
    return <SplitForm entry={entry} clock={draft} onDone={onClose} onCancel={toForm} />
  }
  if (draft.step.kind === 'merge') {
    const { merge } = draft.step
    return <MergeChoice {...merge} clock={draft} onDone={onClose} onCancel={toForm} />
  }
  if (draft.step.kind === 'overlap' && entry) {
    return (
      <OverlapChoice
        entry={entry}
        overlapped={overlapped}
        trims={trimNeighbours(entry, overlapped, newId, draft.now)}
        clock={draft}
        onSave={(trims) => void save(entry, trims)}
        onCancel={toForm}
      />
    )
  }
  return (
    <Form
      onSend={async () => {
        set({ isSubmitted: true })
        if (!entry || draft.taskId === '') return
        const trims = trimNeighbours(entry, overlapped, newId, draft.now)
        if (areRoundings(trims)) await save(entry, trims)
        else set({ step: { kind: 'overlap' } })
      }}
      className="flex flex-col gap-4"
      noValidate
    >
      <Fields draft={draft} reading={reading} dispatch={dispatch} now={now} />
      <FormActions>
        <Button type="submit" variant="primary">
          {reading.startsTimer ? t('Start timer') : t('Save')}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          {t('Cancel')}
        </Button>
      </FormActions>
      {draft.kind === 'editing' && !reading.isDeleted && (
        <OtherActions
          entry={draft.entry}
          entries={entries}
          onMerge={(merge) => set({ step: { kind: 'merge', merge } })}
          onSplit={() => set({ step: { kind: 'split', entry: draft.entry } })}
          onDone={onClose}
        />
      )}
    </Form>
  )
}

/** The fields. A running timer has only its start and its task. */
function Fields({
  draft,
  reading,
  dispatch,
  now,
}: {
  draft: EditorDraft
  reading: EditorReading
  dispatch: (action: EditorAction) => void
  now: () => number
}) {
  const { allTasks } = useTasks()
  const [noteField, setNoteField] = useState<HTMLTextAreaElement | null>(null)
  const { texts, span, taskId, note } = draft
  const newTasks = draft.kind === 'adding' && draft.newTask ? [draft.newTask] : []
  const isRunning = draft.kind === 'running'
  const problemOf = (field: TimeField) =>
    reading.problem?.field === field ? reading.problem.message : null
  const time = (field: TimeField) => ({
    value: texts[field],
    error: problemOf(field),
    autoComplete: 'off',
    onChange: ({ target }: { target: HTMLInputElement }) =>
      dispatch({ type: 'time', field, text: target.value, now: now() }),
  })
  return (
    <>
      {!isRunning && (
        <TextField
          label={t('Time')}
          value={span}
          placeholder={t('9-1030, 9:30 to 11, 1h15, 90m')}
          autoComplete="off"
          data-autofocus={draft.kind === 'adding' ? '' : undefined}
          error={reading.spanProblem}
          onChange={(event) => dispatch({ type: 'span', text: event.target.value, now: now() })}
        />
      )}
      {reading.isDeleted && <output>{t('Deleted on another device. Saving restores it.')}</output>}
      <div
        className={classNames(
          'grid gap-3',
          // The start of a running timer has room for '15 minutes ago' in every language.
          isRunning ? 'md:grid-cols-2' : 'grid-cols-2 md:grid-cols-[1.4fr_1fr_1fr]',
        )}
      >
        <div className={isRunning ? undefined : 'max-md:col-span-2'}>
          <TextField
            label={t('Date')}
            type="date"
            required
            max={localDate(draft.now, dayRuleOf(draft.timeZone))}
            {...time('date')}
          />
        </div>
        <TextField
          label={t('field|Start')}
          placeholder={isRunning ? t('15 minutes ago') : '9:30'}
          data-autofocus={isRunning ? '' : undefined}
          ref={takeFocus}
          {...time('start')}
        />
        {!isRunning && (
          <TextField
            label={t('field|End')}
            placeholder={reading.mayRun ? t('still running') : '11:00'}
            {...time('end')}
          />
        )}
      </div>
      <output className="figures -mt-2 min-h-5 text-sm text-ink">
        {reading.summary || (isRunning && problemOf('end'))}
      </output>
      <SelectField
        label={t('Task')}
        required
        value={taskId}
        error={draft.isSubmitted && taskId === '' ? t('Pick a task.') : null}
        onChange={(event) => dispatch({ type: 'set', to: { taskId: event.target.value } })}
      >
        <option value="" disabled>
          {t('Pick a task')}
        </option>
        {[...allTasks, ...newTasks]
          .filter((task) => task.isActive || task.id === taskId)
          .toSorted((a, b) => a.name.localeCompare(b.name))
          .map((task) => (
            <option key={task.id} value={task.id}>
              {nameInReports(task)}
            </option>
          ))}
      </SelectField>
      {!isRunning && (
        <>
          <TextField
            label={t('Pauses')}
            placeholder="12:00-12:30, 15:10-15:20"
            {...time('pauses')}
          />
          <TextArea
            ref={setNoteField}
            label={t('Note')}
            rows={2}
            value={note}
            maxLength={NOTE_MAX_LENGTH}
            // Pasting may truncate the note, which must be visible.
            hint={
              note.length > 1800
                ? t('{length} of {max} characters', { length: note.length, max: NOTE_MAX_LENGTH })
                : undefined
            }
            onChange={(event) => dispatch({ type: 'set', to: { note: event.target.value } })}
          />
          {noteField && <TagSuggestions field={noteField} />}
        </>
      )}
    </>
  )
}
