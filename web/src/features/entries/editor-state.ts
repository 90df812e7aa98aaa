/**
 * The state of the entry editor: a draft of a new session, of a saved one, or of the running timer; the
 * reducer; what the draft means; and what Save does. Pure functions: instants are epoch milliseconds of
 * server time, and `now` is passed in.
 */
import { t } from '@stint/core/text.ts'
import { bothInstants, localDate, sessionDay, timeInRange } from '@stint/core/time/calendar.ts'
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import type { EntryChange } from '@stint/core/record/entry-change.ts'
import { editEntry, newEntry } from '@stint/core/record/entry-edit.ts'
import { areRoundings, overlapping } from '@stint/core/record/overlaps.ts'
import type { Task } from '@stint/core/record/task.ts'
import { ENTRY, entryFromTimer, NEW_ENTRY, setFieldsOf } from '@stint/core/record/time-entry.ts'
import type { SetFields, TimeEntry } from '@stint/core/record/time-entry.ts'
import type { Between } from '@stint/core/reports/day-gaps.ts'
import { sessionTimes } from '@stint/core/reports/explanation.ts'
import { NO_PAUSES, pauseDurationSeconds } from '@stint/core/timer/pauses.ts'
import { moveStart } from '@stint/core/timer/timer.ts'
import type { ActiveTimer, Timer } from '@stint/core/timer/timer.ts'
import type { EditorRequest } from '#hooks/requests.ts'
import { readSpanText, readTexts, sentenceOf, textsOf } from './time-texts.ts'
import type { Clock, TextsContext, TimeField, Times, TimeTexts } from './time-texts.ts'

/**
 * Entry and timer are those at opening, so that a change on another device does not discard what was
 * typed.
 */
export type EditorDraft = Typed &
  (
    | { readonly kind: 'adding' }
    | { readonly kind: 'editing'; readonly entry: TimeEntry }
    | { readonly kind: 'running'; readonly timer: ActiveTimer }
  )

/** `now` is the time of the last change to a time field, so that '15m ago' keeps its meaning. */
interface Typed extends TextsContext, DraftFields {
  readonly texts: TimeTexts
  /** Start and end in one text, '9-1030'. A change to date, start or end clears it. */
  readonly span: string
  /** The texts without the span applied. */
  readonly base: TimeTexts
  /** A task that does not exist yet: Save creates it if it is the one that is picked. */
  readonly newTask: Task | null
  readonly step: EditorStep
  /** True after Save was pressed. Missing input is then an error. */
  readonly isSubmitted: boolean
}

/** The fields beside the times. `taskId` is '' until a task is picked. */
type DraftFields = Omit<SetFields, 'note'> & { readonly note: string }

export type EditorStep =
  | { readonly kind: 'form' }
  /** Asks what to do with the sessions that overlap the draft. */
  | { readonly kind: 'overlap' }
  | { readonly kind: 'split'; readonly entry: TimeEntry }
  /** Asks whether to merge two sessions with something between them. */
  | { readonly kind: 'merge'; readonly merge: Merge }

export interface Merge {
  readonly entry: TimeEntry
  readonly neighbour: TimeEntry
  readonly between: Between
}

export type EditorAction =
  | { type: 'time'; field: TimeField; text: string; now: number }
  | { type: 'span'; text: string; now: number }
  | { type: 'set'; to: DraftChange }

export type DraftChange = Partial<DraftFields & Pick<Typed, 'newTask' | 'step' | 'isSubmitted'>>

/** The current entries and timer. */
export interface Known {
  readonly entries: readonly TimeEntry[]
  readonly timer: Timer
}

/** Returns the first draft for a request; null when the entry or the timer no longer exists. */
export function openDraft(
  request: EditorRequest,
  { entries, timer, tasks }: Known & { readonly tasks: readonly Task[] },
  clock: Clock & { readonly now: number },
): EditorDraft | null {
  switch (request.kind) {
    case 'add': {
      const { newTask = null, startedAt, endedAt = null } = request
      const { note = null, isSubmitted = false } = request
      const original = startedAt === undefined ? null : { startedAt, endedAt, pauses: NO_PAUSES }
      const onlyTask = tasks.length === 1 ? tasks[0]?.id : undefined
      const fields = { ...NEW_ENTRY, taskId: request.taskId ?? onlyTask ?? '', note }
      const draft = typed(original, fields, clock)
      const step: EditorStep = { kind: isSubmitted ? 'overlap' : 'form' }
      return { kind: 'adding', ...draft, newTask, step, isSubmitted }
    }
    case 'edit': {
      const entry = entries.find(({ id }) => id === request.entryId)
      if (!entry) return null
      return { kind: 'editing', entry, ...typed(entry, entry, clock) }
    }
    case 'timer': {
      if (timer.status === 'idle') return null
      // A timer's pauses are not editable. Those before a new start are cut.
      const original = { startedAt: timer.startedAt, endedAt: null, pauses: NO_PAUSES }
      return {
        kind: 'running',
        timer,
        ...typed(original, { ...NEW_ENTRY, taskId: timer.taskId }, clock),
      }
    }
  }
}

function typed(
  original: Times | null,
  fields: SetFields,
  { now, ...clock }: Clock & { readonly now: number },
): Typed {
  const date = localDate(now, dayRuleOf(clock.timeZone))
  const texts = original ? textsOf(original, clock) : { date, start: '', end: '', pauses: '' }
  const rest = {
    span: '',
    base: texts,
    newTask: null,
    step: { kind: 'form' },
    isSubmitted: false,
  } as const
  const note = fields.note ?? ''
  return { ...clock, now, original, texts, ...setFieldsOf(fields), note, ...rest }
}

/** Returns the draft after an action. */
export function editorReducer(draft: EditorDraft, action: EditorAction): EditorDraft {
  switch (action.type) {
    case 'time': {
      const { field, text, now } = action
      const texts = { ...draft.texts, [field]: text }
      // A span has no pauses, so a change to the pauses keeps it.
      return { ...draft, now, texts, ...(field !== 'pauses' && { base: texts, span: '' }) }
    }
    case 'span': {
      const next = { ...draft, now: action.now, span: action.text }
      // The times of an earlier span do not stay beside one that has no meaning.
      const texts = readSpanText(action.text, draft.base, next).texts ?? draft.base
      return { ...next, texts: { ...texts, pauses: draft.texts.pauses } }
    }
    case 'set':
      return { ...draft, ...action.to }
  }
}

export type EditorReading = ReturnType<typeof readDraft>

/** Returns what the draft means, given the current entries and timer. */
export function readDraft(draft: EditorDraft, { entries, timer }: Known) {
  const { texts } = draft
  const { times, problem: timesProblem } = readTexts(texts, draft)
  const isOpen = times !== null && times.endedAt === null
  const mayRun = draft.kind === 'running' || (draft.kind === 'adding' && timer.status === 'idle')
  const problem = isOpen && !mayRun ? NO_END : timesProblem
  const spanProblem = readSpanText(draft.span, draft.base, draft).problem
  const entry = times && !problem && spanProblem === null ? entryOf(draft, times) : null
  const isShown = draft.isSubmitted || problem?.field !== 'start' || texts.start !== ''
  return {
    /** The first problem of the times. A missing start counts only after Save was pressed. */
    problem: isShown ? problem : null,
    spanProblem,
    /** The times in one text, as `span` takes them; '' while they are not complete. */
    sentence: times ? sentenceOf(times, draft) : '',
    /** The times that come twice that day, as the clocks went back. */
    repeated: times ? repeatedTimes(times, draft) : [],
    /** True when an empty end means a running timer. */
    mayRun,
    startsTimer: draft.kind === 'adding' && isOpen && !problem,
    /**
     * The entry that Save would write, a running one as if it ended now; null while there is a problem.
     */
    entry,
    /** '' without an entry; otherwise 'Yesterday, 9:00 – 10:00 · 1h 0m'. */
    summary: entry ? summaryOf(entry, isOpen, draft) : '',
    /** The sessions that would overlap it. Empty when only the note changes. */
    overlapped: entry && isMoved(draft, entry) ? overlapping(entry, entries) : [],
    /** True when another device or tab deleted the entry. Save then restores it. */
    isDeleted: draft.kind === 'editing' && !entries.some(({ id }) => id === draft.entry.id),
  }
}

/** A time that comes twice, and which of the two it is. */
export interface RepeatedTime {
  readonly field: 'start' | 'end'
  readonly at: number
  readonly both: readonly [first: number, second: number]
}

function repeatedTimes({ startedAt, endedAt }: Times, { timeZone }: Clock): RepeatedTime[] {
  const times = [['start', startedAt] as const, ['end', endedAt] as const]
  return times.flatMap(([field, at]) => {
    const both = at === null ? null : bothInstants(at, timeZone)
    return at === null || both === null ? [] : [{ field, at, both }]
  })
}

const NO_END = { field: 'end', message: t('Enter an end time.') } as const

function entryOf(draft: EditorDraft, { startedAt, endedAt, pauses }: Times): TimeEntry {
  const { taskId, now } = draft
  if (draft.kind === 'running') {
    return entryFromTimer({ ...moveStart(draft.timer, startedAt), taskId }, now)
  }
  const fields = setFieldsOf({ ...draft, note: draft.note.trim() || null })
  const edit = { ...fields, startedAt, endedAt: endedAt ?? now }
  return draft.kind === 'editing'
    ? editEntry(draft.entry, { ...edit, pauses: pauses.intervals }, now).after
    : newEntry({ ...edit, pauses, id: 'new' }, now).after
}

function isMoved(draft: EditorDraft, entry: TimeEntry): boolean {
  if (draft.kind === 'adding') return true
  const before = draft.kind === 'editing' ? draft.entry : entryFromTimer(draft.timer, draft.now)
  return ENTRY.differing(before, entry).includes('times')
}

/** Returns 'Yesterday, 9:00 – 10:00 · 1h 0m', or 'Today, since 9:00 · …' when it is open. */
export function summaryOf(
  entry: TimeEntry,
  isOpen: boolean,
  { timeZone, hourCycle, now }: Clock & { readonly now: number },
): string {
  const day = sessionDay(entry.startedAt, now, dayRuleOf(timeZone))
  const when = isOpen
    ? t('{day}, since {time}', { day, time: timeInRange(entry.startedAt, timeZone, hourCycle) })
    : `${day}, ${sessionTimes(entry, timeZone, hourCycle)}`
  const duration = exactDuration(entry.durationSeconds)
  const paused = pauseDurationSeconds(entry.pauses)
  if (paused === 0) return `${when} · ${duration}`
  return t('{when} · {duration}, {paused} paused', {
    when,
    duration,
    paused: exactDuration(paused),
  })
}

export type SavePlan = ReturnType<typeof planSave>

/**
 * Returns what Save does: the timer to start, if any, with its task if that is new, the changes to make, and
 * the toast's text.
 * @param entry the entry of the reading
 * @param trims the changes that trim overlapping sessions, on request or because they are roundings
 * @param newId the id of an added entry
 */
export function planSave(
  draft: EditorDraft,
  { startsTimer, isDeleted }: EditorReading,
  entry: TimeEntry,
  { entries }: Known,
  trims: readonly EntryChange[],
  newId: string,
) {
  const { taskId, startedAt } = entry
  const added = { before: null, after: { ...entry, id: newId, sessionId: null } }
  const isRounding = trims.length > 0 && areRoundings(trims)
  const noted = (done: string) =>
    isRounding ? t('{done}. An overlap under a minute was trimmed.', { done }) : done
  // Another task may have been picked.
  const newTask = draft.newTask?.id === taskId ? draft.newTask : null
  const newTasks = newTask && { newTasks: [newTask] }
  const change = (change: EntryChange, done = t('Session changed')) => {
    const changes = { ...newTasks, entries: [change, ...trims] }
    return { start: null, changes, message: noted(done) }
  }
  switch (draft.kind) {
    case 'adding':
      if (!startsTimer) {
        const duration = exactDuration(entry.durationSeconds)
        return change(added, t('Added {duration}', { duration }))
      }
      return {
        start: { taskId, newTask, startedAt, note: entry.note },
        changes: trims.length > 0 ? { entries: trims } : null,
        message: t('Overlaps trimmed'),
      }
    case 'editing':
      return change(isDeleted ? added : { before: draft.entry, after: entry })
    case 'running': {
      const { sessionId } = draft.timer
      const edit = { startedAt, taskId }
      // Another device or tab stopped the timer, so its saved session is changed instead.
      const left = entries.find(({ id }) => id === sessionId)
      if (left) return change(editEntry(left, edit, draft.now))
      return {
        start: null,
        changes: { ...newTasks, entries: trims, timer: { sessionId, change: edit } },
        message: noted(t('Timer changed')),
      }
    }
  }
}
