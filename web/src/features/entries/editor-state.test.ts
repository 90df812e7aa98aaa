import { describe, expect, test } from 'vitest'
import { NO_PAUSES } from '@stint/core/timer/pauses.ts'
import { NEW_ENTRY } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { taskFromAttributes } from '@stint/core/record/task.ts'
import { IDLE, pauseTimer, startTimer } from '@stint/core/timer/timer.ts'
import type { ActiveTimer } from '@stint/core/timer/timer.ts'

import type { EditorRequest } from './editor-request.ts'
import { editorReducer, openDraft, planSave, readDraft } from './editor-state.ts'
import type { EditorAction, EditorDraft, Known } from './editor-state.ts'

const now = at('18:00')
const clock = { timeZone: 'Europe/Berlin', hourCycle: 24, now } as const
const morning = entryOf('morning', '09:00', '11:00')
const evening = entryOf('evening', '15:00', '17:00')
const timer = startTimer('session', 'task', at('17:30'))
const nothing: Known = { entries: [], timer: IDLE }
const record: Known = { entries: [morning, evening], timer: IDLE }

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
    ['nothing for an entry that is gone', { kind: 'edit', entryId: 'morning' }, nothing, null],
    [
      'the start of the timer, without its pauses',
      { kind: 'timer' },
      { entries: [], timer: paused('17:40') },
      { kind: 'running', taskId: 'task', texts: day('17:30', '') },
    ],
    ['nothing for a timer that is gone', { kind: 'timer' }, nothing, null],
  ])('it returns %s', (_, request, known, expected) => {
    const draft = openDraft(request, { ...known, tasks: [] }, clock)
    expect([draft]).toMatchObject([expected])
  })

  test('the only task is picked, and of several none', () => {
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
    ['a span fills start and end', [span('9-1030')], { texts: day('09:00', '10:30') }],
    ['an emptied span takes them back', [span('9-1030'), span(' ')], { texts: day('', '') }],
    [
      'a span that is not understood leaves the last that was',
      [span('9-1030'), span('9-1030 or')],
      { texts: day('09:00', '10:30') },
    ],
    [
      'a typed end empties the span and is what the next one starts from',
      [span('9-1030'), typed('end', '11:00'), span('9-10'), span('')],
      { span: '', texts: day('09:00', '11:00') },
    ],
    [
      'typed pauses leave the span, and the span leaves them',
      [span('9-10'), typed('pauses', '9:10-9:20'), span('9-11')],
      { span: '9-11', texts: { ...day('09:00', '11:00'), pauses: '9:10-9:20' } },
    ],
    [
      'a moment ago counts from when it was typed',
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
  const noEnd = { field: 'end', message: 'Say when it ended.' }

  test.each<[string, EditorDraft, EditorAction[], Known, object]>([
    ['a missing start is no problem yet', adding, [], record, { problem: null, entry: null }],
    [
      'a missing start is a problem once Save was pressed',
      adding,
      [{ type: 'set', to: { tried: true } }],
      record,
      { problem: { field: 'start', message: 'Enter a start time.' } },
    ],
    [
      'a start alone starts a timer',
      adding,
      [typed('start', '17:45')],
      record,
      { startsTimer: true, summary: 'Today, since 17:45 · 15m 0s', overlapped: [] },
    ],
    [
      'a start alone is not enough while another timer runs',
      adding,
      [typed('start', '17:45')],
      { ...record, timer },
      { startsTimer: false, mayRun: false, problem: noEnd, entry: null },
    ],
    ['a saved session needs its end', editing, [typed('end', '')], record, { problem: noEnd }],
    [
      'a span that is not understood is not saved',
      adding,
      [span('9-10'), span('9-10 or')],
      record,
      { spanProblem: 'Not understood. Try 9:30 - 11, or 1h 15m.', entry: null },
    ],
    [
      'the pauses are part of the summary',
      adding,
      [span('12-13'), typed('pauses', '12:10-12:20')],
      record,
      { summary: 'Today, 12:00 – 13:00 · 50m 0s, 10m 0s paused', overlapped: [] },
    ],
    [
      'a new session asks about those that share time with it',
      adding,
      [span('10-16')],
      record,
      { overlapped: [morning, evening] },
    ],
    [
      'a moved session asks about the others',
      editing,
      [typed('end', '16:00')],
      record,
      { overlapped: [evening] },
    ],
    [
      'a note asks nothing about sessions that shared time before',
      editing,
      [{ type: 'set', to: { note: ' twice ' } }, typed('pauses', '')],
      { ...record, entries: [morning, { ...morning, id: 'copy' }] },
      { entry: { ...morning, note: 'twice', updatedAt: now }, overlapped: [] },
    ],
    ['a deleted entry is noticed', editing, [], nothing, { isDeleted: true }],
    [
      'a timer that began earlier asks about what it then shares time with',
      running,
      [typed('start', '16:00')],
      { ...record, timer },
      { summary: 'Today, since 16:00 · 2h 0m 0s', startsTimer: false, overlapped: [evening] },
    ],
    [
      'a timer that began as it did asks nothing',
      draftOf({ kind: 'timer' }, { ...record, timer: startTimer('s', 'task', at('16:00')) }),
      [{ type: 'set', to: { taskId: 'other' } }],
      record,
      { entry: { taskId: 'other' }, overlapped: [] },
    ],
    [
      'a timer may begin after one of its pauses',
      draftOf({ kind: 'timer' }, { ...nothing, timer: withPause(timer, '17:35', '17:40') }),
      [typed('start', '17:50')],
      nothing,
      { problem: null, summary: 'Today, since 17:50 · 10m 0s' },
    ],
    [
      'a paused timer begins no later than its pause',
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
  const adding = draftOf({ kind: 'add', taskId: 'task' }, record)
  const editing = draftOf({ kind: 'edit', entryId: 'morning' }, record)
  const running = draftOf({ kind: 'timer' }, { ...record, timer })
  const stopped = { ...entryOf('session', '17:30', '17:45'), sessionId: 'session' }
  const longer = { ...morning, endedAt: at('12:00'), durationSeconds: 3 * 3600, updatedAt: now }

  test.each<[string, EditorDraft, EditorAction, Known, object]>([
    [
      'a new session is added under a new id, and the others trimmed with it',
      adding,
      span('12-13'),
      record,
      {
        changes: {
          entries: [{ before: null, after: { id: 'new-id', sessionId: null } }, ...trims],
        },
        said: 'Added 1h 0m 0s',
      },
    ],
    [
      'a start alone starts a timer, and trims the others after it',
      adding,
      typed('start', '17:45'),
      record,
      {
        start: { taskId: 'task', startedAt: at('17:45') },
        changes: { entries: trims },
        said: 'Neighbours trimmed',
      },
    ],
    [
      'a saved session is changed',
      editing,
      typed('end', '12:00'),
      record,
      {
        changes: { entries: [{ before: morning, after: longer }, ...trims] },
        said: 'Session changed',
      },
    ],
    [
      'a session that was deleted meanwhile is added again under a new id',
      editing,
      typed('end', '12:00'),
      nothing,
      { changes: { entries: [{ before: null, after: { ...longer, id: 'new-id' } }, ...trims] } },
    ],
    [
      'a timer gets another start',
      running,
      typed('start', '17:00'),
      { ...record, timer },
      {
        changes: {
          entries: trims,
          timer: { sessionId: 'session', change: { startedAt: at('17:00'), taskId: 'task' } },
        },
        said: 'Timer changed',
      },
    ],
    [
      'of a timer that was stopped meanwhile the saved session is changed',
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
        said: 'Session changed',
      },
    ],
  ])('%s', (_, opened, action, known, expected) => {
    expect(planOf(editorReducer(opened, action), known, trims)).toMatchObject(expected)
  })

  test('a timer that starts without trims changes nothing else', () => {
    const draft = editorReducer(adding, typed('start', '17:45'))
    expect(planOf(draft, record, [])).toMatchObject({ changes: null })
  })

  function planOf(draft: EditorDraft, known: Known, also: typeof trims) {
    const reading = readDraft(draft, known)
    if (!reading.entry) throw new Error(`not understood: ${JSON.stringify(reading.problem)}`)
    return planSave(draft, reading, reading.entry, known, also, 'new-id')
  }
})

/** An instant of the day, in Berlin. */
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
