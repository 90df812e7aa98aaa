/**
 * Passes every field of an entry, a task, a timer session and the settings through everything that copies one, and
 * expects its value back. A field that is lost somewhere fails here, unless an exception says why.
 */
import { describe, expect, test } from 'vitest'

import { completed, noteMissing } from '#appwrite-project/kept-attributes.ts'
import { COLLECTIONS } from '#collections.ts'
import type { Attribute } from '#collections.ts'
import { undoUnchanged } from '#device/changes.ts'
import { completedEdit, completedTask, isEdit, isLocalSession, isValue } from '#device/stored.ts'
import { logOfEntry } from '#log/adopt.ts'
import { encodeLog } from '#log/codec.ts'
import { deleteEntry, invertChanges } from '#record/entry-change.ts'
import {
  duplicateEntry,
  editEntry,
  mergeEntries,
  newEntry,
  shiftEntry,
  splitEntry,
} from '#record/entry-edit.ts'
import { withoutAttributes } from '#record/fields.ts'
import type { AnyFields } from '#record/fields.ts'
import { packEntry, unpackEntry } from '#record/rows.ts'
import {
  isTask,
  newTask,
  TASK,
  TASK_FIELDS,
  taskAttributes,
  taskFromDocument,
} from '#record/task.ts'
import type { Task } from '#record/task.ts'
import {
  ENTRY,
  ENTRY_FIELDS,
  entryAttributes,
  entryFromDocument,
  NEW_ENTRY,
  partAttributes,
} from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import {
  newSessionAttributes,
  SESSION_FIELDS,
  sessionFromDocument,
  stopAttributes,
  timerAttributes,
} from '#record/timer-session.ts'
import { PREFS, prefsFromSettings, settingsFromPrefs } from '#settings.ts'
import type { Prefs } from '#settings.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import { at, draftWith, MINUTE, TestDevice } from '#test/devices.ts'
import { testEntryDocument, testSessionDocument, testTaskDocument } from '#test/documents.ts'
import {
  BASE,
  LATER_ENTRY,
  LATER,
  OTHER_ENTRY,
  OTHER_PREFS,
  OTHER_SET,
  OTHER_TASK,
} from '#test/fields.ts'
import { planned } from '#test/plans.ts'
import { testWays, theOne, valueIn } from '#test/ways.ts'
import { exportCsv } from '#transfer/entry-export.ts'
import { planRestore } from '#transfer/restore-plan.ts'
import { exportJson } from '#transfer/stint-json.ts'

function stored<T>(thing: T): T {
  return JSON.parse(JSON.stringify(thing))
}

const NO_PAUSES = { intervals: [], unplacedSeconds: 0 }
const ENTRY_KEYS = Object.keys(ENTRY_FIELDS)
const TIMES = Object.entries(ENTRY_FIELDS).flatMap(([key, { part }]) =>
  part === 'times' ? key : [],
)
const OTHER_TIMES = 'is what the operation changes'
const CHANGES_TIMES = Object.fromEntries(TIMES.map((key) => [key, OTHER_TIMES]))
const OWN_ID = { sessionId: 'names the session of another entry' }
const OF_SHEETS = { invoiced: 'is of the session that a timesheet was sealed with' }
const OF_DEVICES = { log: 'belongs to the devices of the account' }

const TASKS = [{ ...OTHER_TASK, id: 'read', name: 'Read' }]
const RULE = dayRuleOf('Europe/Berlin')

test('The entry of these tests has no field with its default, but for its deletion and its log', () => {
  const same = ENTRY_KEYS.filter((key) => valueIn(OTHER_ENTRY, key) === valueIn(NEW_ENTRY, key))
  expect(same).toEqual(['deletedAt', 'log'])
})

describe('An entry: an operation of the record', () => {
  testWays(OTHER_ENTRY, ENTRY_KEYS, {
    'of no change': { copy: (entry) => editEntry(entry, {}, LATER).after },
    'an edit': {
      copy: ({ startedAt, endedAt, pauses }) => {
        const before = {
          ...BASE,
          pauses: { ...NO_PAUSES, unplacedSeconds: pauses.unplacedSeconds },
        }
        const times = { startedAt, endedAt, pauses: pauses.intervals }
        return editEntry(before, { ...OTHER_SET, ...times }, LATER).after
      },
      except: {
        pauses: 'of unknown time go when pauses are set',
        durationSeconds: 'follows from the pauses',
        entryType: 'is that of the entry',
        ...OWN_ID,
      },
    },
    'a shift': { copy: (entry) => shiftEntry(entry, MINUTE, LATER).after, except: CHANGES_TIMES },
    'the first part of a split': {
      copy: (entry) => theOne(splitEntry(entry, at(30), 'second', LATER)).after,
      except: CHANGES_TIMES,
    },
    'the second part of a split': {
      copy: (entry) => theOne(splitEntry(entry, at(30), 'second', LATER).slice(1)).after,
      except: { ...CHANGES_TIMES, ...OWN_ID, ...OF_SHEETS },
    },
    'a merge': {
      copy: (entry) => theOne(mergeEntries([LATER_ENTRY, entry], LATER)).after,
      except: CHANGES_TIMES,
    },
    'a duplicate': {
      copy: (entry) => duplicateEntry(entry, 'copy', LATER).after,
      except: { ...OWN_ID, ...OF_SHEETS, entryType: 'is manual' },
    },
    'a new entry of its fields': { copy: (entry) => newEntry(entry, LATER).after },
    'an undone deletion': {
      copy: (entry) => theOne(invertChanges([deleteEntry(entry, LATER)], LATER)).after,
    },
    'a part that another device has changed': {
      copy: (entry) => ENTRY.take(BASE, entry, ENTRY.differing(BASE, entry)),
    },
  })
})

describe('An entry: a form', () => {
  testWays(OTHER_ENTRY, ENTRY_KEYS, {
    'of the API': {
      copy: (entry) =>
        entryFromDocument(testEntryDocument(entry.id, entryAttributes(entry, 'ann'))),
    },
    'of the API, part by part': {
      copy: (entry) => {
        const sent = Object.assign(
          {},
          ...ENTRY.all(entry).map((part) => partAttributes(entry, [part])),
        )
        return entryFromDocument(testEntryDocument(entry.id, { ...sent, userId: 'ann' }))
      },
    },
    'of a row in the browser': { copy: (entry) => theOne([unpackEntry(stored(packEntry(entry)))]) },
    'of a JSON file, imported': {
      copy: (entry) => theOne(imported(exportJson({ entries: [entry], tasks: TASKS }, LATER))),
      except: { ...OWN_ID, ...OF_DEVICES },
    },
    'of a JSON file, restored': {
      copy: (entry) => restored({ entries: [entry], tasks: TASKS }).entries.back[0]?.after ?? entry,
      except: OF_DEVICES,
    },
    'of a CSV file, imported': {
      copy: (entry) => theOne(imported(exportCsv({ entries: [entry], tasks: TASKS }, RULE))),
      except: { ...OWN_ID, ...OF_DEVICES, ...OF_SHEETS },
    },
  })
})

function imported(text: string): readonly TimeEntry[] {
  const existing = { tasks: TASKS, entries: [] }
  const { changes, problems } = planned(text, { existing, now: LATER })
  expect(problems).toEqual([])
  return changes.map(({ after }) => after)
}

function restored(file: { entries: readonly TimeEntry[]; tasks: readonly Task[]; prefs?: Prefs }) {
  const text = exportJson({ ...file, account: 'ann' }, LATER)
  const existing = { tasks: [], entries: [], prefs: {} }
  const planning = planRestore(text, { existing, account: 'ann', running: new Set(), now: LATER })
  let step = planning.next()
  while (!step.done) step = planning.next()
  if ('why' in step.value) throw new Error(step.value.why)
  expect(step.value.read.problems).toEqual([])
  return step.value.read
}

describe('A task: a way', () => {
  testWays(OTHER_TASK, Object.keys(TASK_FIELDS), {
    'over the API': {
      copy: (task) => taskFromDocument(testTaskDocument(task.id, taskAttributes(task, 'ann'))),
    },
    'part by part': {
      copy: (task) => {
        const base = { ...newTask(task.id, 'x', 0), isActive: false }
        return TASK.take(base, task, TASK.differing(base, task))
      },
    },
    'into the browser and back': {
      copy: (task) => {
        const read = completedTask(stored(task))
        return isTask(read) ? read : theOne<Task>([])
      },
    },
    'through a JSON file, imported': {
      copy: (task) =>
        theOne(planned(exportJson({ entries: [], tasks: [task] }, LATER), { now: LATER }).tasks),
    },
    'through a JSON file, restored': {
      copy: (task) => theOne(restored({ entries: [], tasks: [task] }).tasks.missing),
    },
    'through a JSON file, changed back': {
      copy: (task) => {
        const here = { ...newTask(task.id, 'x', 0), isActive: false }
        const text = exportJson({ entries: [], tasks: [task], account: 'ann' }, LATER)
        const existing = { tasks: [here], entries: [], prefs: {} }
        const context = { existing, account: 'ann', running: new Set<string>(), now: LATER }
        const planning = planRestore(text, context)
        let step = planning.next()
        while (!step.done) step = planning.next()
        if ('why' in step.value) throw new Error(step.value.why)
        return { ...here, ...theOne(step.value.read.tasks.changed).changes }
      },
    },
    'through an edit that is undone': {
      copy: (task) => {
        const device = new TestDevice('laptop')
        device.write(at(0), (draft) => draft.tasks.put(task))
        const {
          id: _id,
          createdAt: _created,
          updatedAt: _updated,
          ...changes
        } = newTask('', 'x', 0)
        const edit = { taskId: task.id, changes: { ...changes, isActive: false } }
        const undo = device.change(at(1), { tasks: [edit] })
        device.write(at(2), (draft) => undoUnchanged(draft, undo))
        return theOne([device.view.tasks.get(task.id)])
      },
    },
  })
})

describe('Settings: a way', () => {
  const names = Object.keys(OTHER_PREFS)
  test('The preferences of these tests have no default', () => {
    expect(
      PREFS.differing(OTHER_PREFS, prefsFromSettings(settingsFromPrefs({}))).toSorted(),
    ).toEqual(names.toSorted())
  })
  testWays<Prefs>(OTHER_PREFS, names, {
    'through what the app reads': { copy: (prefs) => prefsFromSettings(settingsFromPrefs(prefs)) },
    'part by part': { copy: (prefs) => PREFS.take({}, prefs, names) },
    'into the browser and back': {
      copy: (prefs) => {
        const value: unknown = stored({ key: 'settings', prefs, saves: 1 })
        return isValue(value) && value.key === 'settings' ? value.prefs : {}
      },
    },
    'through a JSON file': {
      copy: (prefs) => restored({ entries: [], tasks: TASKS, prefs }).prefs ?? {},
    },
    'through an edit that is undone': {
      copy: (prefs) => {
        const device = new TestDevice('laptop')
        device.change(at(0), { prefs: { changes: prefs } })
        const changes = prefsFromSettings(settingsFromPrefs({}))
        const undo = device.change(at(1), { prefs: { changes } })
        device.write(at(2), (draft) => undoUnchanged(draft, undo))
        return device.view.value('settings')?.prefs ?? {}
      },
    },
  })
})

/** The states of a session on the wire, which together have a value of each attribute. */
const COMMON = { taskId: 'read', userId: 'ann', startTime: wire(0), device: 'Laptop', note: 'read' }
const PAUSED_ONCE = { pauseDurationSeconds: 660, pauses: pausesText() }
const SESSIONS = {
  running: { ...COMMON, ...PAUSED_ONCE, isRunning: true, isPaused: false, log: 'text' },
  paused: {
    ...COMMON,
    ...PAUSED_ONCE,
    isRunning: false,
    isPaused: true,
    currentPauseStart: wire(40),
    log: 'text',
  },
  stopped: {
    ...COMMON,
    ...PAUSED_ONCE,
    isRunning: false,
    isPaused: false,
    endTime: wire(50),
    log: 'text',
  },
} as const

function wire(minutes: number): string {
  return new Date(at(minutes)).toISOString()
}

function pausesText(): string {
  const { pauses } = entryAttributes(OTHER_ENTRY, '')
  return pauses ?? ''
}

describe.each(Object.entries(SESSIONS))('A timer session that is %s', (_state, attributes) => {
  const document = testSessionDocument('s', attributes, at(0))
  const session = sessionFromDocument(document)
  const { state, device, log } = session
  const timer = state.kind === 'stopped' ? state.stopped : state.timer
  const sent: Readonly<Record<string, unknown>> =
    'durationSeconds' in timer
      ? { device, ...stopAttributes(timer, log ?? '') }
      : {
          ...newSessionAttributes(timer, log ?? '', { userId: 'ann', device: device ?? '' }),
          ...timerAttributes(timer, log ?? ''),
          endTime: null,
        }

  test.each(Object.values(SESSION_FIELDS).map((field) => field.attribute))(
    'is sent with the %s that was read',
    (attribute) => expect(sent[attribute]).toEqual(document[attribute]),
  )

  test('is read from the browser as it was stored', () => {
    const known = { base: session, isTried: true, tried: {}, awaited: null, refused: null }
    const local: unknown = stored({ id: 's', log: 'text', ...known })
    expect(isLocalSession(local) && local.base).toEqual(session)
  })
})

test('Every attribute of a session has a value in one of the states of these tests', () => {
  const given = new Set(Object.values(SESSIONS).flatMap((each) => Object.keys(each)))
  expect([...given].toSorted()).toEqual(Object.keys(COLLECTIONS.timer_sessions).toSorted())
})

// What an earlier version stored lacks the newest fields, and is read with their defaults.

/** How many fields were stored from the first version on. */
const FIRST = { entry: 5, task: 1 }

test.each([
  ...Object.keys(ENTRY_FIELDS)
    .slice(FIRST.entry)
    .map((key) => ['entry', key] as const),
  ...Object.keys(TASK_FIELDS)
    .slice(FIRST.task)
    .map((key) => ['task', key] as const),
])('An edit of the %s of an earlier version without the field %s is read', (kind, key) => {
  const [fields, thing] = described(kind)
  const lacking = Object.fromEntries(Object.entries(thing).filter(([name]) => name !== key))
  const state = { changedAt: {}, refused: null, isHidden: false }
  const edit = { kind, id: thing.id, base: lacking, sent: [lacking], ...state }
  const read = completedEdit(stored(edit))
  const whole = { ...thing, [key]: fields[key]?.default }
  expect(isEdit(read) && [read.base, ...read.sent]).toEqual([whole, whole])
})

test.each([...ENTRY_KEYS.entries()].slice(FIRST.entry))(
  'A row of the version before field %i, %s, is read with the defaults of it and those after it',
  (index) => {
    const entry = { ...OTHER_ENTRY, deletedAt: at(90), log: 'a log' }
    const row = packEntry(entry).slice(0, 3 + index)
    const newer = Object.values(ENTRY_FIELDS).slice(index)
    const lost = newer.map(({ attribute }) => attribute)
    expect(unpackEntry(stored(row))).toEqual(withoutAttributes(ENTRY_FIELDS, entry, lost))
  },
)

function described(kind: 'entry' | 'task'): readonly [AnyFields, Task | TimeEntry] {
  return kind === 'task' ? [TASK_FIELDS, OTHER_TASK] : [ENTRY_FIELDS, OTHER_ENTRY]
}

// An Appwrite project may lack each attribute that is not required. The device keeps what it would hold.

/** Fields with their defaults: a thing that is deleted is deleted there, too. */
const NOT_KEPT = ['deletedAt', 'isActive']

/** The fields whose attributes a project may lack. Of sessions, see web/src/appwrite-project. */
const OPTIONAL = [...optionalOf('time_entries', 'entry'), ...optionalOf('tasks', 'task')]

function optionalOf<C extends 'time_entries' | 'tasks', K extends 'entry' | 'task'>(
  collection: C,
  kind: K,
) {
  const attributes = new Map<string, Attribute>(Object.entries(COLLECTIONS[collection]))
  const [fields] = described(kind)
  return Object.entries(fields).flatMap(([key, { attribute }]) => {
    const isOptional = attributes.get(attribute)?.required === false && !NOT_KEPT.includes(key)
    return isOptional ? [[kind, attribute, key, collection] as const] : []
  })
}

describe.each(OPTIONAL)('The %s in an Appwrite project without the attribute %s', (...each) => {
  const [kind, attribute, key, collection] = each
  const [fields] = described(kind)
  const entry = { ...OTHER_ENTRY, log: encodeLog(logOfEntry(OTHER_ENTRY)) }
  const kept = kind === 'task' ? OTHER_TASK : entry
  const sent =
    kind === 'task'
      ? testTaskDocument(kept.id, taskAttributes(OTHER_TASK, 'ann'), kept.createdAt)
      : testEntryDocument(kept.id, entryAttributes(entry, 'ann'), kept.createdAt)

  test(`keeps ${key} on the device`, () => {
    const draft = draftWith({ entries: [entry], tasks: [OTHER_TASK] })
    noteMissing(draft, collection, [attribute])
    const field = fields[key]
    const there = { [attribute]: field?.type.toWire(field.default), $missing: [attribute] }
    const whole = completed(draft, collection, { ...sent, ...there })
    expect(valueIn(whole, attribute)).toEqual(valueIn(sent, attribute))
  })

  test(`is sent ${key} once it has the attribute`, () => {
    const draft = draftWith({ entries: [entry], tasks: [OTHER_TASK] })
    noteMissing(draft, collection, [attribute])
    noteMissing(draft, collection, [])
    const here = kind === 'task' ? draft.tasks.get(kept.id) : draft.entries.get(kept.id)
    expect(here).toHaveProperty([key], valueIn(kept, key))
    const base = draft.edit(kind, kept.id)?.base
    expect(base).toHaveProperty([key])
    expect(base).not.toHaveProperty([key], valueIn(kept, key))
  })
})
