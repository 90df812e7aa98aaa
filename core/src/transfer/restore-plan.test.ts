import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { invertChanges } from '#record/entry-change.ts'
import type { EntryChange } from '#record/entry-change.ts'
import type { Task } from '#record/task.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { Prefs } from '#settings.ts'
import { testEntry, testTask } from '#test/entries.ts'
import { recogniseImport, planImport } from './entry-import.ts'
import { planRestore } from './restore-plan.ts'
import type { RestorePlan } from './restore-plan.ts'
import { exportJson, readCopyHead } from './stint-json.ts'

const NOW = Date.parse('2026-03-20T12:00:00Z')
const HOUR = 3_600_000
const ACCOUNT = 'ada'

interface Stored {
  readonly tasks: readonly Task[]
  readonly entries: readonly TimeEntry[]
  readonly prefs: Prefs
}

const write = testTask('Write', 1)
const read = testTask('Read', 2, { color: 'bg-teal-500', category: 'Research' })
const morning = testEntry({
  id: 'morning',
  start: '2026-03-18T08:00:00Z',
  end: '2026-03-18T10:30:00.250Z',
  pauses: [['2026-03-18T09:00:00Z', '2026-03-18T09:15:00Z']],
  unplacedSeconds: 90,
})
const evening = {
  ...testEntry({
    id: 'evening',
    taskId: 'read',
    start: '2026-03-18T18:00:00Z',
    end: '2026-03-18T19:00:00Z',
  }),
  note: 'Ünï “code” #book',
}
const gone = testEntry({
  id: 'gone',
  start: '2026-03-17T18:00:00Z',
  end: '2026-03-17T19:00:00Z',
  deletedAt: NOW - HOUR,
})
const STORED: Stored = {
  tasks: [write, read],
  entries: [morning, evening, gone],
  prefs: { theme: 'dark', pinnedTasks: ['read'], acceptedFindings: 'long:morning:1' },
}

const fileOf = ({ tasks, entries, prefs }: Stored, account: string | undefined = ACCOUNT) =>
  exportJson({ tasks, entries, prefs, ...(account && { account }) }, NOW)

function outcome(text: string, existing: Stored, running: readonly string[] = []) {
  const steps = planRestore(text, {
    existing,
    account: ACCOUNT,
    running: new Set(running),
    now: NOW,
  })
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

function planned(text: string, existing: Stored, running?: readonly string[]): RestorePlan {
  const result = outcome(text, existing, running)
  if ('why' in result) throw new Error(result.why)
  return result.read
}

function withChanges(entries: readonly TimeEntry[], changes: readonly EntryChange[]): TimeEntry[] {
  const all = new Map(entries.map((entry) => [entry.id, entry]))
  for (const { after } of changes) all.set(after.id, after)
  return [...all.values()]
}

/** Returns the record after the whole plan. */
function restored({ tasks, entries, prefs }: Stored, plan: RestorePlan): Stored {
  const changes = new Map(plan.tasks.changed.map((each) => [each.task.id, each.changes]))
  return {
    tasks: [...tasks.map((task) => ({ ...task, ...changes.get(task.id) })), ...plan.tasks.missing],
    entries: withChanges(entries, [...plan.entries.back, ...plan.entries.changed]),
    prefs: { ...prefs, ...plan.prefs },
  }
}

/** Returns the content of the entries that count, without the times of changes. */
const content = (entries: readonly TimeEntry[]) =>
  entries
    .filter(({ deletedAt }) => deletedAt === null)
    .map(({ createdAt: _created, updatedAt: _updated, ...entry }) => entry)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))

test('Categories come back with their colours, and a merge of them is changed back', () => {
  const stored = { ...STORED, prefs: { ...STORED.prefs, 'category:research': 'magenta' } }
  const merged = {
    ...STORED,
    tasks: [write, { ...read, category: 'Development', color: 'bg-blue-600' }],
  }
  const plan = planned(fileOf(stored), merged)
  expect(plan.tasks.changed.map(({ changes }) => changes)).toEqual([
    { category: 'Research', color: 'bg-teal-500' },
  ])
  expect(plan.prefs).toEqual({ 'category:research': 'magenta' })
})

const figures = ({ tasks, entries, prefs, problems }: RestorePlan) => ({
  tasks: [tasks.missing.length, tasks.changed.length, tasks.same, tasks.newer],
  entries: [entries.back.length, entries.changed.length, entries.same, entries.newer],
  prefs: Object.keys(prefs ?? {}),
  problems: problems.map(({ why }) => why),
})

const without = (id: string): Stored => ({
  ...STORED,
  entries: STORED.entries.filter((entry) => entry.id !== id),
})
const withEntry = (entry: TimeEntry): Stored => ({
  ...without(entry.id),
  entries: [...without(entry.id).entries, entry],
})
const later = { updatedAt: NOW + HOUR }
const newer = testEntry({ id: 'newer', start: '2026-03-18T10:00:00Z', end: '2026-03-18T11:00:00Z' })

const UNCHANGED = { tasks: [0, 0, 2, 0], entries: [0, 0, 2, 0], prefs: [], problems: [] }

test.each<[what: string, existing: Stored, expected: Partial<ReturnType<typeof figures>>]>([
  ['nothing has changed', STORED, {}],
  ['an entry is missing', without('morning'), { entries: [1, 0, 1, 0] }],
  [
    'an entry was deleted since',
    withEntry({ ...morning, ...later, deletedAt: NOW + HOUR }),
    { entries: [1, 0, 1, 0] },
  ],
  [
    'an entry has another note',
    withEntry({ ...evening, ...later, note: null }),
    { entries: [0, 1, 1, 0] },
  ],
  [
    'an entry has another task',
    withEntry({ ...evening, taskId: 'write' }),
    { entries: [0, 1, 1, 0] },
  ],
  ['an entry is newer', withEntry(newer), { entries: [0, 0, 2, 1] }],
  [
    'an entry that was deleted has been restored since',
    withEntry({ ...gone, ...later, deletedAt: null }),
    {},
  ],
  [
    'an entry that was deleted is there in an older state',
    withEntry({ ...gone, updatedAt: gone.updatedAt - 1, deletedAt: null }),
    { entries: [0, 1, 2, 0] },
  ],
  [
    'an entry has come back under another id',
    { ...without('morning'), entries: [evening, { ...morning, id: 'imported' }] },
    {},
  ],
  ['a task is missing', { ...STORED, tasks: [write] }, { tasks: [1, 0, 1, 0] }],
  [
    'a task was deleted since',
    { ...STORED, tasks: [write, { ...read, isActive: false }] },
    { tasks: [0, 1, 1, 0] },
  ],
  [
    'a task was renamed since',
    { ...STORED, tasks: [write, { ...read, name: 'Books' }] },
    { tasks: [0, 1, 1, 0] },
  ],
  [
    'a task is newer',
    { ...STORED, tasks: [...STORED.tasks, testTask('New', 3)] },
    { tasks: [0, 0, 2, 1] },
  ],
  [
    'a setting has changed, and another was set that had its default',
    { ...STORED, prefs: { ...STORED.prefs, theme: 'light', weekStart: 1 } },
    { prefs: ['theme', 'weekStart'] },
  ],
  [
    'a preference is newer than the file',
    { ...STORED, prefs: { ...STORED.prefs, decidedGaps: '1' } },
    {},
  ],
  [
    'everything is missing',
    { tasks: [], entries: [], prefs: {} },
    {
      tasks: [2, 0, 0, 0],
      entries: [2, 0, 0, 0],
      prefs: ['theme', 'pinnedTasks', 'acceptedFindings'],
    },
  ],
])('The plan is right when %s', (_what, existing, expected) => {
  const plan = planned(fileOf(STORED), existing)
  expect(figures(plan)).toEqual({ ...UNCHANGED, ...expected })
  const after = restored(existing, plan)
  expect(figures(planned(fileOf(STORED), after))).toEqual({
    ...UNCHANGED,
    tasks: [0, 0, 2, plan.tasks.newer],
    entries: [0, 0, 2, plan.entries.newer + (plan.entries.same > 2 ? 1 : 0)],
  })
})

test('A restored entry is as it was, under its id', () => {
  const existing = { ...STORED, entries: [{ ...evening, note: 'New', taskId: 'write', ...later }] }
  const after = restored(existing, planned(fileOf(STORED), existing))
  expect(content(after.entries)).toEqual(content(STORED.entries))
})

test('A deleted task keeps what else has changed only if the file has it so', () => {
  const existing = { ...STORED, tasks: [write, { ...read, isActive: false, goalHours: 2 }] }
  const { tasks } = planned(fileOf(STORED), existing)
  expect(tasks.changed.map(({ changes }) => changes)).toEqual([{ isActive: true, goalHours: 8 }])
})

test('A task that was deleted in the file stays active', () => {
  const file = fileOf({ ...STORED, tasks: [write, { ...read, isActive: false }] })
  expect(planned(file, STORED).tasks).toMatchObject({ changed: [], same: 2 })
})

test('An entry whose task is nowhere gets one', () => {
  const file = fileOf({ ...STORED, tasks: [write] })
  const { tasks } = planned(file, { tasks: [write], entries: [morning], prefs: {} })
  expect(tasks.missing).toMatchObject([{ id: 'read', name: 'Unknown task', isActive: true }])
})

test('The entry of a running timer stays, and so does an entry that it continues', () => {
  const existing = withEntry({ ...morning, ...later, deletedAt: NOW, sessionId: 'second' })
  expect(figures(planned(fileOf(STORED), existing, ['second'])).entries).toEqual([0, 0, 2, 0])
  const saved = { ...existing, entries: [...existing.entries, { ...newer, id: 'second' }] }
  expect(figures(planned(fileOf(STORED), saved)).entries).toEqual([0, 0, 2, 1])
  expect(figures(planned(fileOf(STORED), existing)).entries).toEqual([1, 0, 1, 0])
  const changed = withEntry({ ...morning, ...later, note: 'Other' })
  expect(figures(planned(fileOf(STORED), changed, ['morning'])).entries).toEqual([0, 0, 2, 0])
})

test('Restored entries that overlap newer ones are counted', () => {
  const existing = { ...STORED, entries: [evening, newer] }
  expect(planned(fileOf(STORED), existing).entries).toMatchObject({ overlaps: 1, newer: 1 })
  const beside = { ...newer, startedAt: morning.endedAt }
  expect(
    planned(fileOf(STORED), { ...existing, entries: [evening, beside] }).entries.overlaps,
  ).toBe(0)
})

test('A file of another account gives new ids, the same each time, and finds tasks by name', () => {
  const file = fileOf(STORED, 'bea')
  const existing: Stored = {
    tasks: [testTask('write ', 0, { id: 'mine', isActive: false })],
    entries: [],
    prefs: {},
  }
  const plan = planned(file, existing)
  expect(plan.isOwn).toBe(false)
  expect(figures(plan)).toMatchObject({ tasks: [1, 1, 0, 0], entries: [2, 0, 0, 0] })
  const after = restored(existing, plan)
  const ids = after.entries.map(({ id }) => id)
  expect(ids.some((id) => ['morning', 'evening', 'gone'].includes(id))).toBe(false)
  const names = new Map(after.tasks.map((task) => [task.id, task.name]))
  expect(after.entries.map(({ taskId }) => names.get(taskId))).toEqual(['Read', 'write '])
  expect(after.entries.every(({ id, sessionId }) => id === sessionId)).toBe(true)
  const [readId] = after.tasks.filter(({ name }) => name === 'Read').map(({ id }) => id)
  expect(after.prefs['pinnedTasks']).toEqual([readId])

  expect(figures(planned(file, after))).toEqual(UNCHANGED)
})

test('A file of an earlier version is one of this account if it shares a task or an entry', () => {
  const [first = '', ...lines] = fileOf(STORED, '').split('\n')
  const {
    sessions: _sessions,
    changedAt: _changed,
    settings: _,
    ...head
  } = JSON.parse(`${first.slice(0, -1)}}`)
  const old = [`${JSON.stringify(head).slice(0, -1)},`, ...lines].join('\n')
  expect(planned(old, STORED)).toMatchObject({ isOwn: true, prefs: null })
  expect(planned(old, { ...STORED, entries: [], tasks: [read] }).isOwn).toBe(true)
  expect(planned(old, { ...STORED, entries: [morning], tasks: [] }).isOwn).toBe(true)
  expect(planned(old, { ...STORED, entries: [newer], tasks: [] }).isOwn).toBe(false)
})

test.each([
  ['', 'The file isn’t a Stint export.'],
  ['Date,Task\n', 'The file isn’t a Stint export.'],
  ['{"format":"other"}', 'The file isn’t a Stint export.'],
  [fileOf(STORED).slice(0, -5), 'This JSON file is cut off or damaged.'],
  [
    fileOf(STORED).replace('"version":1', '"version":2'),
    'The file was written by a newer version of Stint.',
  ],
  ['{"format":"stint","version":1}', 'The file has no list of tasks or none of sessions.'],
])('A file that cannot be read has a reason: %.40j', (text, why) => {
  expect(outcome(text, STORED)).toEqual({ why })
})

test.each([
  [{ id: null }, 'Has no valid id.'],
  [{ id: '../morning' }, 'Has no valid id.'],
  [{ id: 'morning', startTime: 'soon' }, 'Has no start.'],
  [{ id: 'morning', startTime: evening.endedAt }, 'Has no start.'],
  [{ id: 'morning', durationSeconds: -1 }, 'Its duration isn’t a whole number of seconds.'],
])('An entry that cannot be read is reported, and the rest is restored: %j', (broken, why) => {
  const file = JSON.parse(fileOf(STORED))
  const [entry] = file.entries
  const text = JSON.stringify({ ...file, entries: [{ ...entry, ...broken }, 5, file.entries[1]] })
  const plan = planned(text, { tasks: [], entries: [], prefs: {} })
  expect(plan.problems.map((problem) => [problem.line, problem.why])).toEqual([
    [1, why],
    [2, 'Not a session.'],
  ])
  expect(plan.entries.back.map(({ after }) => after.id)).toEqual(['evening'])
})

test('An entry that is twice in the file counts once', () => {
  const file = JSON.parse(fileOf(STORED))
  const text = JSON.stringify({ ...file, entries: [...file.entries, ...file.entries] })
  expect(planned(text, { tasks: [], entries: [], prefs: {} }).entries.back).toHaveLength(2)
})

test('Settings that the server would refuse are left out', () => {
  const long = fileOf({ ...STORED, prefs: { note: 'x'.repeat(70_000) } })
  expect(planned(long, STORED)).toMatchObject({
    prefs: null,
    problems: [{ why: 'The settings are too long.' }],
  })
  const odd = fileOf(STORED).replace('"settings":{', '"settings":{"__proto__":{"theme":"x"},')
  expect(planned(odd, STORED).prefs).toEqual({})
})

test('An earlier version imports the file without its deleted entries', () => {
  const text = fileOf(STORED)
  const steps = planImport(text, {
    format: recogniseImport(text).format,
    timeZone: 'UTC',
    existing: { tasks: [], entries: [] },
    newId: () => 'new',
    now: NOW,
  })
  for (let step = steps.next(); ; step = steps.next()) {
    if (!step.done) continue
    expect(step.value).toMatchObject({ problems: [], changes: { length: 2 }, rows: 2 })
    break
  }
})

test('The first line of a copy tells whose it is and how much it has', () => {
  const { tasks, entries, prefs } = STORED
  const copy = exportJson({ tasks, entries, prefs, account: ACCOUNT, isCopy: true }, NOW)
  const [line = ''] = copy.split('\n')
  expect(readCopyHead(line)).toMatchObject({ account: 'ada', sessions: 2, exportedAt: NOW })
  const [downloaded = ''] = fileOf(STORED).split('\n')
  expect(readCopyHead(downloaded)).toBeNull()
  for (const text of ['', '{', 'null', '[]', line.slice(0, 40)])
    expect(readCopyHead(text)).toBeNull()
})

const anyStored: fc.Arbitrary<Stored> = fc
  .tuple(
    fc.uniqueArray(
      fc.record({
        id: fc.integer({ min: 0, max: 12 }),
        taskId: fc.constantFrom('write', 'read', 'nowhere'),
        start: fc.integer({ min: 0, max: 60 }),
        minutes: fc.integer({ min: 0, max: 200 }),
        paused: fc.integer({ min: 0, max: 100 }),
        unplaced: fc.integer({ min: 0, max: 30 }),
        note: fc.option(fc.string()),
        isDeleted: fc.boolean(),
        updatedAt: fc.integer({ min: 0, max: 5 }),
      }),
      { selector: ({ id }) => id },
    ),
    fc.subarray([write, read, testTask('Plan', 3)]),
    fc.constantFrom('Books', 'Read'),
    fc.constantFrom<Prefs>({}, { theme: 'dark' }, { weekStart: 1, other: [1] }),
  )
  .map(([entries, tasks, name, prefs]) => ({
    tasks: tasks.map((task) => (task.id === 'read' ? { ...task, name } : task)),
    entries: entries.map(
      ({ id, taskId, start, minutes, paused, unplaced, note, isDeleted, updatedAt }) => {
        const from = NOW - (100 - start) * HOUR
        const end = from + minutes * 60_000
        const pauses: [number, number][] =
          paused > 0 && paused < minutes ? [[from, from + paused * 60_000]] : []
        return {
          ...testEntry({
            id: `e${id}`,
            taskId,
            start: from,
            end,
            pauses,
            unplacedSeconds: Math.min(unplaced, Math.max(0, minutes - paused) * 60),
            deletedAt: isDeleted ? end : null,
          }),
          note: note === '' ? null : note,
          updatedAt: NOW + updatedAt,
        }
      },
    ),
    prefs,
  }))
const anyAccount = fc.constantFrom(ACCOUNT, 'bea')

test('Restoring a file that was just made changes nothing', () => {
  fc.assert(
    fc.property(anyStored, (stored) => {
      const plan = planned(fileOf(stored), stored)
      expect(plan.entries).toMatchObject({ back: [], changed: [], newer: 0 })
      expect(plan.tasks).toMatchObject({ missing: [], changed: [], newer: 0 })
      expect(plan.prefs).toEqual({})
    }),
  )
})

test('Restoring twice is the same as once, and what is not in the file stays', () => {
  fc.assert(
    fc.property(anyStored, anyStored, anyAccount, (inFile, existing, account) => {
      const file = fileOf(inFile, account)
      const plan = planned(file, existing)
      const once = restored(existing, plan)
      const again = planned(file, once)
      expect(again.entries).toMatchObject({ back: [], changed: [], newer: plan.entries.newer })
      expect(again.tasks).toMatchObject({ missing: [], changed: [] })
      expect(again.prefs).toEqual({})
      const known = new Set(account === ACCOUNT ? inFile.entries.map(({ id }) => id) : [])
      const isNewer = ({ id }: TimeEntry) => !known.has(id)
      const kept = new Map(once.entries.map((entry) => [entry.id, entry]))
      for (const entry of existing.entries.filter(isNewer)) expect(kept.get(entry.id)).toBe(entry)
    }),
  )
})

test('After a restoration the record has every entry of the file as it was', () => {
  fc.assert(
    fc.property(anyStored, anyStored, (inFile, existing) => {
      const others = existing.entries.filter(({ id }) => Number(id.slice(1)) < 6)
      const record = { ...existing, entries: others }
      const plan = planned(fileOf(inFile), record)
      fc.pre(plan.entries.same === 0)
      const after = restored(record, plan)
      const ids = new Set(inFile.entries.map(({ id }) => id))
      const ofFile = content(after.entries.filter(({ id }) => ids.has(id)))
      const wanted = content(inFile.entries)
      expect(ofFile).toEqual(expect.arrayContaining(wanted))
    }),
  )
})

test('A restoration and its Undo leave every entry that counts as it was', () => {
  fc.assert(
    fc.property(anyStored, anyStored, anyAccount, (inFile, existing, account) => {
      const plan = planned(fileOf(inFile, account), existing)
      const after = restored(existing, plan)
      const undo = invertChanges([...plan.entries.back, ...plan.entries.changed], NOW)
      expect(content(withChanges(after.entries, undo))).toEqual(content(existing.entries))
    }),
  )
})
