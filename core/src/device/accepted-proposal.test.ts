/** Proposed changes that their owner accepts are events of the sessions that they change. */
import { expect, test } from 'vitest'

import { readLog } from '#log/documents.ts'
import { foldSession } from '#log/fold.ts'
import { projectionOf } from '#log/projection.ts'
import { newEntry } from '#record/entry-edit.ts'
import { planProposal } from '#record/proposal.ts'
import type { ProposedChange } from '#record/proposal.ts'
import { newTask } from '#record/task.ts'
import { ENTRY } from '#record/time-entry.ts'

import { applyChanges } from './changes.ts'
import { Draft } from './draft.ts'
import { EntryPages } from './entry-pages.ts'

const NOW = Date.UTC(2026, 0, 15, 12)
const HOUR = 3_600_000
const [WRITE, READ] = [newTask('write', 'Write', NOW), newTask('read', 'Read', NOW)]
const KNOWN = newEntry(
  { id: 'e', taskId: 'write', startedAt: NOW - 3 * HOUR, endedAt: NOW - 2 * HOUR },
  NOW - HOUR,
).after
const NOTHING: ProposedChange = {
  kind: 'edit',
  id: 'e',
  seenAt: KNOWN.updatedAt,
  taskId: null,
  newTask: null,
  startedAt: null,
  endedAt: null,
  note: null,
}

test.each<[string, Partial<ProposedChange>, readonly string[]]>([
  ['of the note', { note: 'draft #acme' }, ['base', 'set']],
  ['of the task', { taskId: 'read' }, ['base', 'set']],
  ['of a shorter time', { startedAt: NOW - 2.5 * HOUR }, ['base', 'bound']],
  [
    'of a later time',
    { startedAt: NOW - 2 * HOUR, endedAt: NOW - HOUR },
    ['base', 'bound', 'bound'],
  ],
  ['that deletes', { kind: 'delete' }, ['base', 'delete']],
])('A change %s is in the log, which says what the entry says.', (_, proposed, kinds) => {
  const draft = accepted({ ...NOTHING, ...proposed })
  const entry = draft.entries.get('e')
  const log = readLog(entry?.log ?? null) ?? []
  expect(log.map(({ action }) => action.kind)).toEqual(kinds)
  const folded = foldSession(log)
  const [meant] = folded ? projectionOf('e', folded).entries : []
  expect(entry && meant && ENTRY.differing(entry, { ...entry, ...meant })).toEqual([])
  expect(folded?.asked).toEqual([])
  const { kind: _kind, ...changed } = proposed
  expect(entry).toMatchObject(changed)
})

test('A session that is proposed anew has no log: its document is its base.', () => {
  const times = { startedAt: NOW - HOUR, endedAt: NOW }
  const draft = accepted({
    ...NOTHING,
    kind: 'add',
    id: null,
    seenAt: null,
    taskId: 'read',
    ...times,
  })
  expect(draft.entries.get('new')).toMatchObject({ ...times, entryType: 'manual', log: null })
})

/** Returns a record in which a proposed change was accepted. */
function accepted(proposed: ProposedChange): Draft {
  const entries = new EntryPages()
  entries.change(new Map([['e', KNOWN]])).apply()
  const tasks = new Map([WRITE, READ].map((task) => [task.id, task]))
  const empty = { values: new Map(), edits: new Map(), sessions: new Map() }
  const draft = new Draft({ revision: 1, writer: 'here', tasks, entries, ...empty })
  const [planned] = planProposal([proposed], [KNOWN], [WRITE, READ], () => 'new', NOW)
  applyChanges(draft, { entries: planned?.change ? [planned.change] : [] }, NOW)
  return draft
}
