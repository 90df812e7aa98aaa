import { expect, test } from 'vitest'

import type { CollectionId } from '@stint/core/collections.ts'

import type { DocumentOf } from './backend.ts'
import { documentEventOf, isAboutAccount } from './realtime-events.ts'

/** The event names of one change as Appwrite sends them: concrete, with wildcards, and as prefixes. */
const documentNames = (collection: string, action: string) => [
  `databases.stint.collections.${collection}.documents.d1.${action}`,
  `databases.*.collections.*.documents.*.${action}`,
  `databases.stint.collections.${collection}.documents.d1`,
  `databases.stint.collections.${collection}.documents.*`,
  `databases.stint.tables.${collection}.rows.d1.${action}`,
  'databases.stint',
  'databases.*',
]

// The function under test does not read the document.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const documentFrom = <C extends CollectionId>() => ({ $id: 'd1' }) as DocumentOf<C>

test.each([
  ['tasks', 'create', 'upsert'],
  ['timer_sessions', 'update', 'upsert'],
  ['time_entries', 'upsert', 'upsert'],
  ['time_entries', 'delete', 'delete'],
] as const)(
  'A change of %s by %s is recognised in any order of its names',
  (collection, done, action) => {
    const names = documentNames(collection, done)
    for (const events of [names, names.toReversed()]) {
      expect(documentEventOf(events, documentFrom)).toMatchObject({ collection, action })
    }
  },
)

test('Events of an unknown collection or of the account are not document events', () => {
  expect(documentEventOf(documentNames('invoices', 'create'), documentFrom)).toBeNull()
  expect(documentEventOf(['users.u1.update'], documentFrom)).toBeNull()
})

test.each([
  [['users.u1.update', 'users.u1', 'users.*', 'users.*.update']],
  [['users.u1.update.prefs', 'users.*.update.prefs']],
  [['teams', 'users.u1.update.password']],
  [['users.*', 'users.u1.sessions.s1.delete']],
])('The names %j are about the account', (events) => {
  expect(isAboutAccount(events)).toBe(true)
})

test("A document event is not about the account, whatever the document's id is", () => {
  expect(isAboutAccount(documentNames('tasks', 'update'))).toBe(false)
})
