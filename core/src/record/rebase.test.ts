import { describe, expect, test } from 'vitest'

import { PREFS } from '#settings.ts'
import type { Prefs } from '#settings.ts'
import { testEntry, testTask } from '#test/entries.ts'
import { answered, rebase, sending } from './rebase.ts'
import { difference, edited } from './unsent.ts'
import type { Parts } from './unsent.ts'
import { wentBack } from './went-back.ts'
import { TASK } from './task.ts'
import type { Task } from './task.ts'
import { ENTRY } from './time-entry.ts'
import type { TimeEntry } from './time-entry.ts'

/**
 * When the backend had the base, when it was edited here, and an earlier and a later remote edit.
 */
const [BASE_AT, EARLIER, EDITED_AT, LATER] = [1000, 2000, 3000, 4000]

/** The values that the table needs for a kind of thing. */
interface Kind<T> {
  readonly parts: Parts<T>
  readonly base: T
  /** Two edits of the same part, one of another part, and a deletion where the kind has one. */
  readonly ours: Partial<T>
  readonly theirs: Partial<T>
  readonly other: Partial<T>
  readonly deletion: Partial<T>
  readonly at: (thing: T, updatedAt: number) => T
  readonly partNames: { readonly part: string; readonly other: string; readonly deletion: string }
}

function stamped<T extends object>(thing: T, updatedAt: number): T {
  return { ...thing, createdAt: 1, updatedAt }
}

const ENTRIES: Kind<TimeEntry> = {
  parts: ENTRY,
  base: stamped(testEntry({ id: 'e', start: 0, end: 60_000 }), BASE_AT),
  ours: { note: 'ours' },
  theirs: { note: 'theirs' },
  other: { endedAt: 30_000, durationSeconds: 30 },
  deletion: { deletedAt: 9 },
  at: stamped,
  partNames: { part: 'note', other: 'times', deletion: 'deletion' },
}
const TASKS: Kind<Task> = {
  parts: TASK,
  base: stamped(testTask('Write'), BASE_AT),
  ours: { name: 'Ours' },
  theirs: { name: 'Theirs' },
  other: { goalHours: 3 },
  deletion: { isActive: false },
  at: stamped,
  partNames: { part: 'name', other: 'goalHours', deletion: 'isActive' },
}
const PREFERENCES: Kind<Prefs> = {
  parts: PREFS,
  base: { theme: 'light', pinnedTasks: ['a'], kept: 'of another client' },
  ours: { pinnedTasks: ['a', 'b'] },
  theirs: { pinnedTasks: ['c'] },
  other: { theme: 'dark' },
  // A preference is never deleted, but a name may be removed.
  deletion: { kept: undefined },
  at: (prefs) => prefs,
  partNames: { part: 'pinnedTasks', other: 'theme', deletion: 'kept' },
}

/** Base, local edits, remote edits and their time, then the resulting value and what to send. */
type Row = readonly [
  title: string,
  here: readonly Change[],
  there: readonly Change[],
  remoteAt: number,
  value: readonly Change[],
  toSend: readonly ('part' | 'other' | 'deletion')[],
]
type Change = 'ours' | 'theirs' | 'other' | 'deletion'

/** What the combinations below do not have: three parts, and the same change on both sides. */
const TABLE: readonly Row[] = [
  ['different parts were changed', ['ours'], ['other'], LATER, ['ours', 'other'], ['part']],
  ['both changed it in the same way', ['ours'], ['ours'], LATER, ['ours'], []],
  [
    'it was changed and deleted here, and another part changed there',
    ['ours', 'deletion'],
    ['other'],
    LATER,
    ['ours', 'deletion', 'other'],
    ['part', 'deletion'],
  ],
]
/** The backend does not say when it changed a preference. */
const LATER_THERE: Row = [
  'the same part was changed later there, and another here',
  ['ours', 'other'],
  ['theirs'],
  LATER,
  ['theirs', 'other'],
  ['other'],
]

function present<T>(value: T | null): T {
  if (value === null) throw new Error('Nothing is unsent.')
  return value
}

function changed<T extends object>(kind: Kind<T>, changes: readonly Change[]): T {
  return Object.assign({ ...kind.base }, ...changes.map((each) => kind[each]))
}

function rebased<T extends object>(
  kind: Kind<T>,
  {
    here,
    there,
    remoteAt,
  }: { here: readonly Change[]; there: readonly Change[]; remoteAt: number },
) {
  const { parts, base, at } = kind
  const local = at(changed(kind, here), EDITED_AT)
  const { unsent } = edited(parts, null, { before: base, after: local, now: EDITED_AT })
  expect(unsent === null).toBe(here.length === 0)
  const remote = at(changed(kind, there), remoteAt)
  const result = rebase(parts, unsent, unsent ? local : base, remote)
  expect(result.unsent?.base ?? null).toEqual(result.toSend.length === 0 ? null : remote)
  // The value differs from the remote in the parts to send, and a second rebase changes nothing.
  expect(new Set(result.toSend)).toEqual(new Set(parts.differing(result.value, remote)))
  expect(rebase(parts, result.unsent, result.value, remote)).toEqual(result)
  return result
}

/** What may have happened on one side. */
function sides(edit: Change): Change[][] {
  return [[], [edit], ['deletion'], [edit, 'deletion']]
}

function describeKind<T extends object>(name: string, kind: Kind<T>, rows: readonly Row[]): void {
  const { parts, base, at, partNames } = kind
  const made = (changes: readonly Change[]) => changed(kind, changes)

  describe(`rebasing ${name}`, () => {
    test.each(rows)('Rebase is correct when %s', (_, here, there, remoteAt, value, toSend) => {
      const result = rebased(kind, { here, there, remoteAt })
      expect(parts.differing(result.value, made(value))).toEqual([])
      expect(new Set(result.toSend)).toEqual(new Set(toSend.map((each) => partNames[each])))
    })

    const combinations = sides('ours').flatMap((here) =>
      sides('theirs').flatMap((there) =>
        [EARLIER, LATER].map((remoteAt) => ({ here, there, remoteAt })),
      ),
    )
    test.each(combinations)(
      'Rebase decides about each part alone: here $here, there $there at $remoteAt',
      ({ here, there, remoteAt }) => {
        const result = rebased(kind, { here, there, remoteAt })
        const isTold = parts.stamps(base) !== null
        const isTheirs =
          there.includes('theirs') && !(here.includes('ours') && !(isTold && remoteAt === LATER))
        const expected = made([
          ...(isTheirs ? (['theirs'] as const) : here.includes('ours') ? (['ours'] as const) : []),
          ...([...here, ...there].includes('deletion') ? (['deletion'] as const) : []),
        ])
        expect(parts.differing(result.value, expected)).toEqual([])
      },
    )

    test('Rebase sends all of a new thing', () => {
      const { unsent } = edited(parts, null, { before: null, after: base, now: EDITED_AT })
      expect(rebase(parts, unsent, base, null)).toEqual({ value: base, unsent, toSend: 'new' })
    })

    test('Rebase sends all of a thing that the backend no longer has, edited here or not', () => {
      expect(rebase(parts, null, base, null).toSend).toBe('new')
      const local = at(made(['ours']), EDITED_AT)
      const { unsent } = edited(parts, null, { before: base, after: local, now: EDITED_AT })
      expect(rebase(parts, unsent, local, null)).toMatchObject({ value: local, toSend: 'new' })
    })

    test('Rebase keeps a local change of a new thing that the backend received without the change', () => {
      const { unsent: created } = edited(parts, null, { before: null, after: base, now: BASE_AT })
      const local = at(made(['ours']), EDITED_AT)
      const { unsent } = edited(parts, created, { before: base, after: local, now: EDITED_AT })
      const { value, toSend } = rebase(parts, unsent, local, at(base, EARLIER))
      expect(parts.differing(value, local)).toEqual([])
      expect(toSend).toEqual([partNames.part])
    })

    test('Rebase leaves nothing to send of a change that was undone', () => {
      const local = at(made(['ours']), EDITED_AT)
      const { unsent } = edited(parts, null, { before: base, after: local, now: EDITED_AT })
      expect(edited(parts, unsent, { before: local, after: at(base, LATER), now: LATER })).toEqual({
        value: base,
        unsent: null,
        toSend: [],
      })
    })

    test('Rebase sends what was undone after it was sent, because the sent change may still arrive', () => {
      const local = at(made(['ours']), EDITED_AT)
      const { unsent } = edited(parts, null, { before: base, after: local, now: EDITED_AT })
      const sending = { ...present(unsent), sent: [local] }
      const { unsent: undone } = edited(parts, sending, { before: local, after: base, now: LATER })
      expect(undone && difference(parts, undone, base)).toEqual([partNames.part])
      // First the change has not arrived, then it has.
      expect(rebase(parts, undone, base, base).toSend).toEqual([partNames.part])
      const arrived = rebase(parts, undone, base, at(local, LATER + 1))
      expect(parts.differing(arrived.value, base)).toEqual([])
      expect(arrived.toSend).toEqual([partNames.part])
    })

    test('Rebase leaves nothing to send once the answer is there', () => {
      const local = at(made(['ours']), EDITED_AT)
      const { unsent } = edited(parts, null, { before: base, after: local, now: EDITED_AT })
      const sending = { ...present(unsent), sent: [local] }
      const answer = at(made(['ours', 'other']), LATER)
      expect(answered(parts, sending, local, answer)).toEqual({
        value: answer,
        unsent: null,
        toSend: [],
      })
    })

    test('Rebase keeps local changes that were made while the answer was on its way', () => {
      const first = at(made(['ours']), EDITED_AT)
      const { unsent } = edited(parts, null, { before: base, after: first, now: EDITED_AT })
      const sending = { ...present(unsent), sent: [first] }
      const local = at(made(['theirs']), EDITED_AT + 1)
      const { unsent: again } = edited(parts, sending, {
        before: first,
        after: local,
        now: EDITED_AT + 1,
      })
      // The event comes first, or the answer does. Both carry the time at which our change arrived.
      const arrived = at(made(['ours', 'other']), LATER)
      const expected = made(['theirs', 'other'])
      for (const step of [rebase, answered]) {
        const { value, toSend } = step(parts, present(again), local, arrived)
        expect(parts.differing(value, expected)).toEqual([])
        expect(toSend).toEqual([partNames.part])
      }
    })
  })
}

describeKind('an entry', ENTRIES, [...TABLE, LATER_THERE])
describeKind('a task', TASKS, [...TABLE, LATER_THERE])
describeKind('preferences', PREFERENCES, TABLE)

describe('rebasing things that carry their times', () => {
  const { base } = ENTRIES

  test('Rebase sends an entry with its deletion when the entry may have arrived', () => {
    const { unsent: created } = edited(ENTRY, null, { before: null, after: base, now: BASE_AT })
    const sentOnce = { ...present(created), sent: [base] }
    const deleted = { ...base, deletedAt: 5, updatedAt: 5 }
    const { unsent } = edited(ENTRY, sentOnce, { before: base, after: deleted, now: EDITED_AT })
    expect(unsent && difference(ENTRY, unsent, deleted)).toBe('new')
    // The entry had arrived, so its deletion is sent.
    const there = { ...base, createdAt: EARLIER, updatedAt: EARLIER }
    expect(rebase(ENTRY, unsent, deleted, there).toSend).toEqual(['deletion'])
  })

  test('Rebase sends a deleted entry that the backend no longer has, because the mark is kept', () => {
    const deleted = { ...base, deletedAt: 5 }
    expect(rebase(ENTRY, null, deleted, null)).toMatchObject({ value: deleted, toSend: 'new' })
  })

  test("Rebase takes another device's later change and keeps edits made here since the send", () => {
    const ours = { ...base, note: 'ours', updatedAt: LATER }
    const { unsent } = edited(ENTRY, null, { before: base, after: ours, now: LATER })
    const flying = sending(ENTRY, present(unsent), ours)
    // The clock of this device is ahead, so that the local change seems later than the remote one.
    const theirs = { ...base, note: 'theirs', updatedAt: EDITED_AT }
    const heard = rebase(ENTRY, flying, ours, theirs)
    expect(heard.value).toMatchObject({ note: 'ours' })
    const answer = { ...ours, updatedAt: EARLIER }
    expect(answered(ENTRY, present(heard.unsent), heard.value, answer)).toEqual({
      value: theirs,
      unsent: null,
      toSend: [],
    })

    const moved = { ...heard.value, taskId: 'other' }
    expect(answered(ENTRY, present(heard.unsent), moved, answer)).toMatchObject({
      value: { note: 'theirs', taskId: 'other' },
      toSend: ['task'],
    })
  })

  test('Rebase keeps a confirmed value of which the backend has an earlier state', () => {
    const earlier = { ...base, note: 'earlier', updatedAt: BASE_AT - 1 }
    expect(wentBack(ENTRY, null, base, earlier)).toEqual({
      value: base,
      unsent: { base: earlier, changedAt: { note: BASE_AT }, sent: [] },
      toSend: ['note'],
    })
  })

  test('Rebase keeps local edits on top of a value that the backend has lost', () => {
    const earlier = { ...base, note: 'earlier', updatedAt: BASE_AT - 1 }
    const local = { ...base, taskId: 'other', updatedAt: EDITED_AT }
    const { unsent } = edited(ENTRY, null, { before: base, after: local, now: EDITED_AT })
    expect(wentBack(ENTRY, unsent, local, earlier)).toEqual({
      value: local,
      unsent: { base: earlier, changedAt: { note: BASE_AT, task: EDITED_AT }, sent: [] },
      toSend: ['task', 'note'],
    })
    expect(wentBack(ENTRY, unsent, local, null)).toMatchObject({ value: local, toSend: 'new' })
  })

  test('Rebase sends a new task that is deleted, because it names its hours', () => {
    const task = { ...TASKS.base, isActive: false }
    expect(rebase(TASK, null, task, null).toSend).toBe('new')
  })

  test('Rebase ignores an event that comes late', () => {
    const late = { ...base, note: 'older', updatedAt: BASE_AT - 1 }
    expect(rebase(ENTRY, null, base, late).value).toBe(base)
    const local = { ...base, note: 'ours', updatedAt: EDITED_AT }
    const { unsent } = edited(ENTRY, null, { before: base, after: local, now: EDITED_AT })
    expect(rebase(ENTRY, unsent, local, late)).toEqual({ value: local, unsent, toSend: ['note'] })
  })

  test('Rebase takes a remote change of the same millisecond', () => {
    const same = { ...base, note: 'theirs' }
    expect(rebase(ENTRY, null, base, same).value).toBe(same)
  })

  test('Rebase takes a thing that was created again under its id, whatever its time', () => {
    const again = { ...base, note: 'again', createdAt: 0, updatedAt: BASE_AT - 1 }
    expect(rebase(ENTRY, null, base, again).value).toBe(again)
  })

  test('Rebase compares each part with the time at which that part was edited', () => {
    const first = { ...base, note: 'ours', updatedAt: EARLIER }
    const second = { ...first, taskId: 'other', updatedAt: LATER }
    const { unsent: afterFirst } = edited(ENTRY, null, { before: base, after: first, now: EARLIER })
    const { unsent } = edited(ENTRY, afterFirst, { before: first, after: second, now: LATER })
    const remote = { ...base, note: 'theirs', taskId: 'theirs', updatedAt: EDITED_AT }
    expect(rebase(ENTRY, unsent, second, remote)).toMatchObject({
      value: { note: 'theirs', taskId: 'other' },
      toSend: ['task'],
    })
  })
})
