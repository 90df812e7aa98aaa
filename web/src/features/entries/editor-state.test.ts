import { describe, expect, test } from 'vitest'
import { NO_PAUSES } from '@stint/core/timer/pauses.ts'
import { NEW_ENTRY } from '@stint/core/record/time-entry.ts'
import { SESSION_FIELDS } from '@stint/core/record/timer-session.ts'
import { OTHER_SET } from '@stint/core/test/fields.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { taskFromAttributes } from '@stint/core/record/task.ts'
import { IDLE, pauseTimer, startTimer } from '@stint/core/timer/timer.ts'
import type { ActiveTimer } from '@stint/core/timer/timer.ts'

import type { EditorRequest } from '#hooks/requests.ts'
import { editorReducer, openDraft, planSave, readDraft } from './editor-state.ts'
import type { EditorAction, EditorDraft, Known } from './editor-state.ts'
import { clockText } from './time-texts.ts'

const now = at('18:00')
const clock = { timeZone: 'Europe/Berlin', hourCycle: 24, now } as const
const morning = entryOf('morning', '09:00', '11:00')
const evening = entryOf('evening', '15:00', '17:00')
const timer = startTimer('session', 'task', at('17:30'))
const nothing: Known = { entries: [], timer: IDLE }
const record: Known = { entries: [morning, evening], timer: IDLE }

test('Of a time that comes twice, either is chosen, and the end stays after the start', () => {
  const spanned = editorReducer(draftOf({ kind: 'add', taskId: 'task' }, record), {
    type: 'span',
    text: '25.10.2026 2:15-2:45',
    now: Date.parse('2026-10-26T12:00:00Z'),
  })
  const [first, second] = ['00', '01'].map((hour) => Date.parse(`2026-10-25T${hour}:15:00Z`))
  const half = 30 * 60_000
  const read = (draft: EditorDraft) => readDraft(draft, record)
  expect(read(spanned)).toMatchObject({
    sentence: '25 Oct 02:15 – 02:45',
    repeated: [
      { field: 'start', at: first, both: [first, second] },
      { field: 'end', at: (first ?? 0) + half },
    ],
  })
  const later = editorReducer(spanned, {
    type: 'time',
    field: 'start',
    text: clockText(second ?? 0, spanned),
    now: spanned.now,
  })
  expect(read(later)).toMatchObject({
    sentence: '25 Oct 02:15 (second) – 02:45 (second)',
    entry: { startedAt: second, endedAt: (second ?? 0) + half },
    repeated: [{ field: 'start', at: second }, { field: 'end' }],
  })
  const sentence = editorReducer(later, {
    type: 'span',
    text: read(later).sentence,
    now: later.now,
  })
  expect(read(sentence).entry).toMatchObject({ startedAt: second })
  expect(read(editorReducer(later, { type: 'span', text: '9-10', now })).repeated).toEqual([])
})

describe('openDraft', () => {
  test.each<[string, EditorRequest, Known, object | null]>([
    ['an empty draft of today', { kind: 'add' }, nothing, { kind: 'adding', texts: day('', '') }],
    [
      'a draft with the times and the task of the request',
      { kind: 'add', taskId: 'other', startedAt: at('12:00'), endedAt: at('13:00') },
      nothing,
      { kind: 'adding', taskId: 'other', texts: day('12:00', '13:00') },
    ],
    [
      'the entry with its note',
      { kind: 'edit', entryId: 'morning' },
      { ...record, entries: [{ ...morning, note: 'call' }] },
      { kind: 'editing', taskId: 'task', note: 'call', texts: day('09:00', '11:00') },
    ],
    ['null for an entry that does not exist', { kind: 'edit', entryId: 'morning' }, nothing, null],
    [
      'the start of the timer, without its pauses',
      { kind: 'timer' },
      { entries: [], timer: paused('17:40') },
      { kind: 'running', taskId: 'task', texts: day('17:30', '') },
    ],
    ['null when no timer runs', { kind: 'timer' }, nothing, null],
  ])('openDraft returns %s', (_, request, known, expected) => {
    const draft = openDraft(request, { ...known, tasks: [] }, clock)
    expect([draft]).toMatchObject([expected])
  })

  test('A new draft has the task preselected only when there is exactly one', () => {
    const fields = { ...taskFromAttributes({}), createdAt: 0, updatedAt: 0 }
    const tasks = ['one', 'two'].map((id) => ({ ...fields, id }))
    const picked = (count: number) =>
      openDraft({ kind: 'add' }, { ...nothing, tasks: tasks.slice(0, count) }, clock)?.taskId
    expect([picked(0), picked(1), picked(2)]).toEqual(['', 'one', ''])
  })
})

describe('editorReducer', () => {
  const empty = draftOf({ kind: 'add' }, nothing)

  test.each<[string, EditorAction[], object]>([
    ['A span fills start and end', [span('9-1030')], { texts: day('09:00', '10:30') }],
    ['An emptied span restores start and end', [span('9-1030'), span(' ')], { texts: day('', '') }],
    [
      'An invalid span leaves nothing of the last valid one',
      [span('9-1030'), span('9-1030 or')],
      { texts: day('', '') },
    ],
    [
      'An invalid span restores the times that were typed before it',
      [typed('start', '8:00'), span('1h'), span('1h or')],
      { texts: day('8:00', '') },
    ],
    [
      'A typed end clears the span and is the base of the next one',
      [span('9-1030'), typed('end', '11:00'), span('9-10'), span('')],
      { span: '', texts: day('09:00', '11:00') },
    ],
    [
      'Typed pauses keep the span, and a span keeps the pauses',
      [span('9-10'), typed('pauses', '9:10-9:20'), span('9-11')],
      { span: '9-11', texts: { ...day('09:00', '11:00'), pauses: '9:10-9:20' } },
    ],
    [
      'A relative time counts from when it was typed',
      [typed('start', '15m ago', at('18:05')), { type: 'set', to: { note: 'call' } }],
      { now: at('18:05'), note: 'call' },
    ],
  ])('%s', (_, actions, expected) => {
    expect(actions.reduce(editorReducer, empty)).toMatchObject(expected)
  })
})

describe('readDraft', () => {
  const adding = draftOf({ kind: 'add' }, record)
  const editing = draftOf({ kind: 'edit', entryId: 'morning' }, record)
  const running = draftOf({ kind: 'timer' }, { ...record, timer })
  const noEnd = { field: 'end', message: 'Enter an end time.' }

  test.each<[string, EditorDraft, EditorAction[], Known, object]>([
    [
      'A missing start is not a problem before Save',
      adding,
      [],
      record,
      { problem: null, entry: null },
    ],
    [
      'A missing start is a problem after Save was pressed',
      adding,
      [{ type: 'set', to: { isSubmitted: true } }],
      record,
      { problem: { field: 'start', message: 'Enter a start time.' } },
    ],
    [
      'A start without an end starts a timer',
      adding,
      [typed('start', '17:45')],
      record,
      { startsTimer: true, summary: 'Today, since 17:45 · 15m', overlapped: [] },
    ],
    [
      'A start without an end is a problem while another timer runs',
      adding,
      [typed('start', '17:45')],
      { ...record, timer },
      { startsTimer: false, mayRun: false, problem: noEnd, entry: null },
    ],
    ['A saved session needs an end', editing, [typed('end', '')], record, { problem: noEnd }],
    [
      'An invalid span cannot be saved',
      adding,
      [span('9-10'), span('9-10 or')],
      record,
      { spanProblem: 'Not understood. Try 9:30 - 11, or 1h 15m.', entry: null },
    ],
    [
      'The summary includes the pauses',
      adding,
      [span('12-13'), typed('pauses', '12:10-12:20')],
      record,
      { summary: 'Today, 12:00 – 13:00 · 50m, 10m paused', overlapped: [] },
    ],
    [
      'A new session lists the sessions that it overlaps',
      adding,
      [span('10-16')],
      record,
      { overlapped: [morning, evening] },
    ],
    [
      'A moved session lists the sessions that it overlaps',
      editing,
      [typed('end', '16:00')],
      record,
      { overlapped: [evening] },
    ],
    [
      'A change of the note lists no overlaps',
      editing,
      [{ type: 'set', to: { note: ' twice ' } }, typed('pauses', '')],
      { ...record, entries: [morning, { ...morning, id: 'copy' }] },
      { entry: { ...morning, note: 'twice', updatedAt: now }, overlapped: [] },
    ],
    [
      'An entry that was deleted elsewhere is reported as deleted',
      editing,
      [],
      nothing,
      { isDeleted: true },
    ],
    [
      'A timer with an earlier start lists the sessions that it overlaps',
      running,
      [typed('start', '16:00')],
      { ...record, timer },
      { summary: 'Today, since 16:00 · 2h 0m', startsTimer: false, overlapped: [evening] },
    ],
    [
      'A timer with an unchanged start lists no overlaps',
      draftOf({ kind: 'timer' }, { ...record, timer: startTimer('s', 'task', at('16:00')) }),
      [{ type: 'set', to: { taskId: 'other' } }],
      record,
      { entry: { taskId: 'other' }, overlapped: [] },
    ],
    [
      'A timer may start after one of its pauses',
      draftOf({ kind: 'timer' }, { ...nothing, timer: withPause(timer, '17:35', '17:40') }),
      [typed('start', '17:50')],
      nothing,
      { problem: null, summary: 'Today, since 17:50 · 10m' },
    ],
    [
      'A paused timer starts no later than its pause',
      draftOf({ kind: 'timer' }, { ...nothing, timer: paused('17:40') }),
      [typed('start', '17:50')],
      nothing,
      { entry: { startedAt: at('17:40') } },
    ],
  ])('%s', (_, opened, actions, known, expected) => {
    expect(readDraft(actions.reduce(editorReducer, opened), known)).toMatchObject(expected)
  })
})

describe('planSave', () => {
  const trims = [{ before: evening, after: { ...evening, endedAt: at('16:00') } }]
  const rounding = { before: evening, after: { ...evening, startedAt: evening.startedAt + 2000 } }
  const adding = draftOf({ kind: 'add', taskId: 'task' }, record)
  const editing = draftOf({ kind: 'edit', entryId: 'morning' }, record)
  const newTask = { ...taskFromAttributes({}), id: 'new', createdAt: 0, updatedAt: 0 }
  const addingToNew = draftOf({ kind: 'add', taskId: 'new', newTask }, record)
  const running = draftOf({ kind: 'timer' }, { ...record, timer })
  const stopped = { ...entryOf('session', '17:30', '17:45'), sessionId: 'session' }
  const longer = { ...morning, endedAt: at('12:00'), durationSeconds: 3 * 3600, updatedAt: now }

  test.each<[string, EditorDraft, EditorAction, Known, object, typeof trims?]>([
    [
      'A new session gets a new id, and overlapping sessions are trimmed with it',
      adding,
      span('12-13'),
      record,
      {
        changes: {
          entries: [{ before: null, after: { id: 'new-id', sessionId: null } }, ...trims],
        },
        message: 'Added 1h 0m',
      },
    ],
    [
      'A start without an end starts a timer, then trims overlapping sessions',
      adding,
      typed('start', '17:45'),
      record,
      {
        start: { taskId: 'task', newTask: null, startedAt: at('17:45'), note: null },
        changes: { entries: trims },
        message: 'Overlaps trimmed',
      },
    ],
    [
      'A new task is created with the new session, in one step',
      addingToNew,
      span('12-13'),
      record,
      { changes: { newTasks: [newTask], entries: [{ after: { taskId: 'new' } }, ...trims] } },
    ],
    [
      'A new task is created with the timer that starts on it',
      addingToNew,
      typed('start', '17:45'),
      record,
      { start: { taskId: 'new', newTask, startedAt: at('17:45') }, changes: { entries: trims } },
    ],
    [
      'A saved session is changed',
      editing,
      typed('end', '12:00'),
      record,
      {
        changes: { entries: [{ before: morning, after: longer }, ...trims] },
        message: 'Session changed',
      },
    ],
    [
      'A saved session that trims less than a minute says so',
      editing,
      typed('end', '12:00'),
      record,
      {
        changes: { entries: [{ after: longer }, rounding] },
        message: 'Session changed. An overlap under a minute was trimmed.',
      },
      [rounding],
    ],
    [
      'A session that was deleted in the meantime is added again under a new id',
      editing,
      typed('end', '12:00'),
      nothing,
      { changes: { entries: [{ before: null, after: { ...longer, id: 'new-id' } }, ...trims] } },
    ],
    [
      'A timer gets a new start',
      running,
      typed('start', '17:00'),
      { ...record, timer },
      {
        changes: {
          entries: trims,
          timer: { sessionId: 'session', change: { startedAt: at('17:00'), taskId: 'task' } },
        },
        message: 'Timer changed',
      },
    ],
    [
      'A timer that was stopped in the meantime has its saved session changed',
      running,
      typed('start', '17:00'),
      { entries: [stopped], timer: IDLE },
      {
        changes: {
          entries: [
            { before: stopped, after: { startedAt: at('17:00'), endedAt: at('17:45') } },
            ...trims,
          ],
        },
        message: 'Session changed',
      },
    ],
  ])('%s', (_, opened, action, known, expected, also = trims) => {
    expect(planOf(editorReducer(opened, action), known, also)).toMatchObject(expected)
  })

  test('A new task is not created when another one is picked', () => {
    const picked = editorReducer(addingToNew, { type: 'set', to: { taskId: 'task' } })
    const { changes } = planOf(editorReducer(picked, span('12-13')), record, [])
    expect(changes).not.toHaveProperty('newTasks')
    const { start } = planOf(editorReducer(picked, typed('start', '17:45')), record, [])
    expect(start).toMatchObject({ taskId: 'task', newTask: null })
  })

  test('A new task that is picked for a session or a timer is saved with it', () => {
    const newTask = { ...taskFromAttributes({}), id: 'new', createdAt: 0, updatedAt: 0 }
    const to = { taskId: 'new', newTask }
    const planned = (draft: EditorDraft, known: Known) =>
      planOf(editorReducer(draft, { type: 'set', to }), known, []).changes
    expect(planned(editing, record)).toMatchObject({ newTasks: [newTask] })
    const running = draftOf({ kind: 'timer' }, { ...record, timer })
    expect(planned(running, { ...record, timer })).toMatchObject({
      newTasks: [newTask],
      timer: { change: { taskId: 'new' } },
    })
  })

  test('A timer that starts without trims changes no entries', () => {
    const draft = editorReducer(adding, typed('start', '17:45'))
    expect(planOf(draft, record, [])).toMatchObject({ changes: null })
  })

  test.each(Object.entries(OTHER_SET))('%s is opened, set and saved', (field, value) => {
    const saved = (opened: EditorDraft, known: Known) => {
      const set = editorReducer(opened, { type: 'set', to: typedSet })
      return [opened, set].map((draft) => planOf(draft, known, []).changes?.entries?.[0]?.after)
    }
    const typedSet = { ...OTHER_SET, note: OTHER_SET.note ?? '' }
    const [unset, changed] = saved(editing, record)
    expect([unset, changed]).toMatchObject([
      { [field]: new Map(Object.entries(morning)).get(field) },
      { [field]: value },
    ])
    const other = { ...morning, ...OTHER_SET }
    const reopened = draftOf({ kind: 'edit', entryId: 'morning' }, { ...record, entries: [other] })
    expect(saved(reopened, record)).toMatchObject([{ [field]: value }, { [field]: value }])
    expect(saved(editorReducer(adding, span('12-13')), record)[1]).toMatchObject({ [field]: value })
  })

  /** What a timer has of the fields that the editor sets. Others have no control while it starts one. */
  const OF_TIMER = Object.keys(OTHER_SET).filter((field) => field in SESSION_FIELDS)

  test.each(OF_TIMER)('A timer that starts from the editor has its %s', (field) => {
    const set = editorReducer(adding, { type: 'set', to: { ...OTHER_SET, note: 'read' } })
    const { start } = planOf(editorReducer(set, typed('start', '17:45')), record, [])
    expect(start).toMatchObject({ [field]: new Map(Object.entries(OTHER_SET)).get(field) })
  })

  function planOf(draft: EditorDraft, known: Known, also: typeof trims) {
    const reading = readDraft(draft, known)
    if (!reading.entry) throw new Error(`not understood: ${JSON.stringify(reading.problem)}`)
    return planSave(draft, reading, reading.entry, known, also, 'new-id')
  }
})

/** An instant of the day in Berlin. */
function at(time: string): number {
  return Date.parse(`2026-11-18T${time}:00+01:00`)
}

function day(start: string, end: string) {
  return { date: '2026-11-18', start, end, pauses: '' }
}

function entryOf(id: string, start: string, end: string): TimeEntry {
  const startedAt = at(start)
  const endedAt = at(end)
  const times = { startedAt, endedAt, durationSeconds: (endedAt - startedAt) / 1000 }
  return { ...NEW_ENTRY, id, taskId: 'task', ...times, createdAt: 0, updatedAt: 0 }
}

function paused(time: string): ActiveTimer {
  return pauseTimer(timer, at(time))
}

function withPause(running: ActiveTimer, start: string, end: string): ActiveTimer {
  return { ...running, pauses: { ...NO_PAUSES, intervals: [{ start: at(start), end: at(end) }] } }
}

function draftOf(request: EditorRequest, known: Known): EditorDraft {
  const draft = openDraft(request, { ...known, tasks: [] }, clock)
  if (!draft) throw new Error('nothing to edit')
  return draft
}

function span(text: string): EditorAction {
  return { type: 'span', text, now }
}

function typed(field: 'start' | 'end' | 'pauses', text: string, typedAt = now): EditorAction {
  return { type: 'time', field, text, now: typedAt }
}
