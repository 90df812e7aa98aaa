import { ChevronDown, Layers2 } from 'lucide-react'
import { useId, useReducer, useRef, useState } from 'react'
import { acceptance } from '@stint/core/record/accepted-findings.ts'
import { checkHealth } from '@stint/core/record/data-health.ts'
import type { EntryChange } from '@stint/core/record/entry-change.ts'
import { NOTE_MAX_LENGTH } from '@stint/core/record/entry-edit.ts'
import { areRoundings, trimNeighbours } from '@stint/core/record/overlaps.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { t } from '@stint/core/text.ts'
import { hasRates } from '@stint/core/timesheet/has-rates.ts'
import { localDate } from '@stint/core/time/calendar.ts'
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { FormActions } from '#ui/form-actions.tsx'
import { Form } from '#ui/form.tsx'
import { Icon } from '#ui/icon.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { takeFocus } from '#ui/take-focus.ts'
import { TextArea } from '#ui/text-area.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useAcceptedFindings } from '#hooks/use-accepted-findings.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { useEntries } from '#hooks/use-entries.ts'
import { useDayRule } from '#hooks/use-settings.ts'
import { DateField } from '#hooks/date-field.tsx'
import { Evidence } from '#hooks/evidence.tsx'
import { isDayFirst } from '#hooks/day-order.ts'
import { TagSuggestions } from '#hooks/tag-suggestions.tsx'
import type { EditorRequest } from '#hooks/requests.ts'
import { editorReducer, openDraft, planSave, readDraft } from './editor-state.ts'
import type {
  DraftChange,
  EditorAction,
  EditorDraft,
  EditorReading,
  RepeatedTime,
  SavePlan,
} from './editor-state.ts'
import { MergeChoice } from './merge-choice.tsx'
import { OtherActions } from './other-actions.tsx'
import { OverlapChoice } from './overlap-choice.tsx'
import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { useRecord, useValue } from '#session/signed-in.ts'
import { SplitForm } from './split-form.tsx'
import { TaskPicker } from './task-picker.tsx'
import { clockText } from './time-texts.ts'
import type { Clock, TimeField } from './time-texts.ts'

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
    openDraft(
      request,
      { entries, timer, tasks },
      { timeZone, hourCycle, isDayFirst: isDayFirst(), now: now() },
    ),
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
  const { entries } = useEntries()
  const { timer } = useTimer()
  const { newId, now } = useRecordCommands()
  const reading = readDraft(draft, { entries, timer })
  const save = useSave(draft, reading, onClose)
  const { entry, overlapped } = reading
  const trims = entry ? trimNeighbours(entry, overlapped, newId, draft.now) : []
  const set = (to: DraftChange) => dispatch({ type: 'set', to })
  const toForm = () => set({ step: { kind: 'form' } })

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
        trims={trims}
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
        if (areRoundings(trims)) await save(entry, trims)
        else set({ step: { kind: 'overlap' } })
      }}
      className="flex flex-col gap-4"
      noValidate
    >
      <Fields
        draft={draft}
        reading={reading}
        dispatch={dispatch}
        now={now}
        asks={!areRoundings(trims)}
      />
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

/** Returns the function that saves the draft, with its task if that is new. */
function useSave(draft: EditorDraft, reading: EditorReading, onClose: () => void) {
  const record = useRecord()
  const { entries } = useEntries()
  const { allTasks } = useTasks()
  const { timer } = useTimer()
  const { acceptQuietly } = useAcceptedFindings()
  const { change, newId, now, start: startTimer, startNew } = useRecordCommands()
  const isSaving = useRef(false)
  const { overlapped } = reading

  function begin({ taskId, newTask, ...options }: NonNullable<SavePlan['start']>) {
    if (!newTask) return startTimer(taskId, options)
    const { name, category, color } = newTask
    return startNew(name, options, { category, color })
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
  return async (entry: TimeEntry, trims: readonly EntryChange[]): Promise<void> => {
    if (isSaving.current) return
    isSaving.current = true
    try {
      const id = newId()
      const known = { entries, timer }
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
}

/** The fields. A running timer has only its start and its task. */
function Fields({
  draft,
  reading,
  dispatch,
  now,
  asks,
}: {
  draft: EditorDraft
  reading: EditorReading
  dispatch: (action: EditorAction) => void
  now: () => number
  /** Whether Save will ask about overlaps. */
  asks: boolean
}) {
  const [isUnfolded, setIsUnfolded] = useState(false)
  const timesId = useId()
  const { note } = draft
  const isRunning = draft.kind === 'running'
  const setTime = (field: TimeField, text: string) =>
    dispatch({ type: 'time', field, text, now: now() })
  const problemOf = (field: TimeField) =>
    reading.problem?.field === field ? reading.problem.message : null
  // What is wrong is said where it can be seen.
  const hidden = isUnfolded ? null : (reading.problem?.message ?? null)
  return (
    <>
      <TaskPicker draft={draft} onPick={(to) => dispatch({ type: 'set', to })} />
      <div className="flex flex-col gap-2">
        {isRunning ? (
          <StartField draft={draft} error={problemOf('start') ?? hidden} onChange={setTime} />
        ) : (
          <TimeSentence
            span={draft.span}
            sentence={reading.sentence}
            error={reading.spanProblem ?? hidden}
            // A phone would cover a session that is only looked at with its keyboard.
            isFirst={draft.kind === 'adding' || !matchMedia('(pointer: coarse)').matches}
            onChange={(text) => dispatch({ type: 'span', text, now: now() })}
          />
        )}
        <div className="flex min-h-8 items-center justify-between gap-3">
          <output className="flex flex-col text-sm">
            <span className="figures text-ink">{reading.summary}</span>
            {asks && (
              <span className="flex items-center gap-1.5">
                <Icon of={Layers2} className="size-4 shrink-0" />
                {overlapText(reading.overlapped.length)}
              </span>
            )}
          </output>
          <Button
            variant="quiet"
            size="small"
            aria-expanded={isUnfolded}
            aria-controls={timesId}
            onClick={() => setIsUnfolded(!isUnfolded)}
            className="-me-2"
          >
            {t('More')}
            <Icon of={ChevronDown} className={isUnfolded ? 'size-4 rotate-180' : 'size-4'} />
          </Button>
        </div>
        {reading.repeated.map((time) => (
          <WhichTime key={time.field} time={time} clock={draft} onChange={setTime} />
        ))}
        {draft.kind === 'editing' && draft.entry.invoiced !== null && (
          <p className="text-sm">{t('On a sealed timesheet')}</p>
        )}
        {reading.isDeleted && (
          <output>{t('Deleted on another device. Saving restores it.')}</output>
        )}
        {isUnfolded && (
          <Times
            id={timesId}
            draft={draft}
            mayRun={reading.mayRun}
            problemOf={problemOf}
            onChange={setTime}
          />
        )}
      </div>
      {!isRunning && (
        <>
          <Note text={note} onChange={(note) => dispatch({ type: 'set', to: { note } })} />
          {draft.kind === 'editing' && (
            <Evidence start={draft.entry.startedAt} end={draft.entry.endedAt} />
          )}
          <Billable
            billable={draft.billable}
            onChange={(billable) => dispatch({ type: 'set', to: { billable } })}
          />
        </>
      )}
    </>
  )
}

/** Whether the session is billed. It is asked where there are rates, or where it was said before. */
function Billable({
  billable,
  onChange,
}: {
  billable: boolean | null
  onChange: (billable: boolean | null) => void
}) {
  const prefs = useValue('settings')?.prefs
  if (billable === null && !hasRates(prefs ?? {})) return null
  return (
    <SelectField
      label={t('Billable')}
      value={String(billable)}
      onChange={({ target }) => onChange(BILLABLE.get(target.value) ?? null)}
    >
      <option value="null">{t('As its category')}</option>
      <option value="true">{t('billable|Yes')}</option>
      <option value="false">{t('billable|No')}</option>
    </SelectField>
  )
}

const BILLABLE = new Map([
  ['true', true],
  ['false', false],
])

/** The choice between two equal times, while there are two. */
function WhichTime({
  time: { field, at, both },
  clock,
  onChange,
}: {
  time: RepeatedTime
  clock: Clock
  onChange: ChangeTime
}) {
  const label = t('The clocks went back. Which time?')
  const options = both.map((each) => {
    const text = clockText(each, clock)
    return { value: text, label: text }
  })
  return (
    <div className="figures flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-sm">
      {label}
      <Segmented
        label={label}
        options={options}
        value={clockText(at, clock)}
        onChange={(text) => onChange(field, text)}
      />
    </div>
  )
}

/** The note, in which the tags that are known are suggested. */
function Note({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const [field, setField] = useState<HTMLTextAreaElement | null>(null)
  return (
    <>
      <TextArea
        ref={setField}
        label={t('Note')}
        rows={2}
        value={text}
        maxLength={NOTE_MAX_LENGTH}
        // Pasting may truncate the note, which must be visible.
        hint={
          text.length > 1800
            ? t('{length} of {max} characters', { length: text.length, max: NOTE_MAX_LENGTH })
            : undefined
        }
        onChange={({ target }) => onChange(target.value)}
      />
      {field && <TagSuggestions field={field} />}
    </>
  )
}

function overlapText(count: number): string {
  return t('{count, plural, one {Overlaps another session} other {Overlaps # other sessions}}', {
    count,
  })
}

/** Start and end in one text. Until something is typed, and once it is left, it is written from the times. */
function TimeSentence({
  span,
  sentence,
  error,
  isFirst,
  onChange,
}: {
  span: string
  sentence: string
  error: string | null
  /** Whether it has the focus first. */
  isFirst: boolean
  onChange: (text: string) => void
}) {
  /** Null unless it is being typed, or is left while it is wrong. */
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextField
      label={t('Time')}
      value={typed === span ? span : sentence}
      placeholder={t('9-1030, 9:30 to 11, 1h15, 90m')}
      autoComplete="off"
      {...(isFirst && { 'data-autofocus': '', ref: takeFocus })}
      className="figures"
      error={error}
      onFocus={({ target }) => target.select()}
      onBlur={() => {
        if (error === null || span === '') setTyped(null)
      }}
      onChange={(event) => {
        setTyped(event.target.value)
        onChange(event.target.value)
      }}
    />
  )
}

type ChangeTime = (field: TimeField, text: string) => void

/** The start of a running timer, as a person says it. */
function StartField({
  draft,
  error,
  onChange,
}: {
  draft: EditorDraft
  error: string | null
  onChange: ChangeTime
}) {
  return (
    <TextField
      label={t('field|Start')}
      placeholder={t('15 minutes ago')}
      autoComplete="off"
      data-autofocus=""
      ref={takeFocus}
      className="figures"
      value={draft.texts.start}
      error={error}
      onChange={(event) => onChange('start', event.target.value)}
    />
  )
}

/** The times one by one, to the second. */
function Times({
  id,
  draft,
  mayRun,
  problemOf,
  onChange,
}: {
  id: string
  draft: EditorDraft
  mayRun: boolean
  problemOf: (field: TimeField) => string | null
  onChange: ChangeTime
}) {
  const { texts, timeZone } = draft
  const isRunning = draft.kind === 'running'
  const time = (field: 'start' | 'end' | 'pauses') => ({
    value: texts[field],
    error: problemOf(field),
    autoComplete: 'off',
    onChange: ({ target }: { target: HTMLInputElement }) => onChange(field, target.value),
  })
  return (
    <div id={id} className="grid animate-appear grid-cols-2 gap-3 rounded-control bg-wash p-3">
      <div className="col-span-full">
        <DateField
          label={t('Date')}
          max={localDate(draft.now, dayRuleOf(timeZone))}
          value={texts.date}
          error={problemOf('date')}
          onChange={(date) => onChange('date', date)}
        />
      </div>
      {!isRunning && (
        <>
          <TextField label={t('field|Start')} placeholder="9:30" {...time('start')} />
          <TextField
            label={t('field|End')}
            placeholder={mayRun ? t('still running') : '11:00'}
            {...time('end')}
          />
          <div className="col-span-full">
            <TextField
              label={t('Pauses')}
              placeholder="12:00-12:30, 15:10-15:20"
              {...time('pauses')}
            />
          </div>
        </>
      )}
    </div>
  )
}
