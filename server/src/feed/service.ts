/**
 * The calendar address of a person. All queries of `feeds` are in this file. The secret is random, so
 * a SHA-256 of it is stored.
 */
import type { DocumentOf } from '@stint/core/collections.ts'
import { taskFromDocument } from '@stint/core/record/task.ts'
import { entryFromDocument } from '@stint/core/record/time-entry.ts'
import { exportIcs } from '@stint/core/transfer/entry-export.ts'
import { newSecret, secretHash } from '#accounts/token.ts'
import { lockCaller } from '#accounts/sign-ins.ts'
import type { Caller } from '#accounts/sign-ins.ts'
import * as users from '#accounts/users.ts'
import { MAX_CLOCK_LEAD } from '#documents/rules.ts'
import type { DocumentLister } from '#documents/queries/list.ts'
import type { DocumentQuery } from '#documents/queries/query.ts'
import { wireInstant } from '#instant.ts'
import type { Services } from '#services.ts'
import { first } from '#storage/database.ts'
import type { Database, Transaction } from '#storage/database.ts'
import type { FeedRow, UserRow } from '#storage/schema.ts'

/** How far back a calendar goes, in milliseconds: eight weeks. */
const FEED_SPAN = 56 * 86_400_000

/** The most events of a calendar: 35 a day. */
const MAX_EVENTS = 2000

/** Its name, and how often to fetch it, in the two forms that calendars know. */
const CALENDAR_PROPERTIES = [
  'X-WR-CALNAME:Stint',
  'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
  'X-PUBLISHED-TTL:PT1H',
]

/** Returns the user's calendar address without its secret; undefined: there is none. */
export function find(db: Database, userId: string): Promise<FeedRow | undefined> {
  return first(db.read(db.build.selectFrom('feeds').selectAll().where('user_id', '=', userId)))
}

/**
 * Creates the user's calendar address, or replaces it: the old one is revoked.
 * @returns the row, and the secret, which is not stored.
 * @throws ApiError what `lockCaller` throws.
 */
export async function replace(
  { db, now }: Pick<Services, 'db' | 'now'>,
  caller: Caller,
): Promise<{ feed: FeedRow; secret: string }> {
  const userId = caller.user.id
  const secret = newSecret()
  const feed = {
    user_id: userId,
    secret_hash: secretHash(secret),
    created_at: wireInstant(now()),
  }
  await db.write(async (tx) => {
    await lockCaller(tx, caller)
    await remove(tx, userId)
    await tx.run(tx.build.insertInto('feeds').values(feed))
  })
  return { feed, secret }
}

/** Revokes the user's calendar address. @returns whether there was one. */
export function revoke(db: Database, userId: string): Promise<boolean> {
  return db.write((tx) => remove(tx, userId))
}

/** Removes the user's calendar address. @returns whether there was one. */
export async function remove(tx: Transaction, userId: string): Promise<boolean> {
  const removed = await tx.run(
    tx.build.deleteFrom('feeds').where('user_id', '=', userId).returning('user_id'),
  )
  return removed.length > 0
}

/** Returns the person whose calendar address has this secret; undefined: nobody's has. */
export async function ownerOf(db: Database, secret: string): Promise<UserRow | undefined> {
  const feed = await first(
    db.read(
      db.build.selectFrom('feeds').select('user_id').where('secret_hash', '=', secretHash(secret)),
    ),
  )
  return feed && users.findById(db, feed.user_id)
}

/**
 * Returns the iCalendar file of the sessions that started in the eight weeks before `now` (epoch
 * milliseconds) or later, the newest 2,000.
 * @throws what `list` throws.
 */
export async function calendarOf(
  list: DocumentLister,
  owner: string,
  now: number,
): Promise<string> {
  const since = now - FEED_SPAN
  const range = { start: since, end: Infinity }
  const entries = (await recentEntries(list, owner, since)).map(entryFromDocument)
  const ids = [...new Set(entries.map(({ taskId }) => taskId))]
  const tasks = (await tasksWithIds(list, owner, ids)).map(taskFromDocument)
  return exportIcs({ entries, tasks, range }, CALENDAR_PROPERTIES)
}

function recentEntries(
  list: DocumentLister,
  owner: string,
  since: number,
): Promise<DocumentOf<'time_entries'>[]> {
  return documents(list, owner, 'time_entries', {
    shape: {
      filters: [
        // No entry starts later than its last change, but for the lead of its device's clock. This
        // filter has an index.
        { kind: 'compare', attribute: '$updatedAt', comparison: '>=', value: 0 },
        { kind: 'compare', attribute: 'startTime', comparison: '>=', value: 1 },
        { kind: 'null', attribute: 'deletedAt', negated: false },
      ],
      orders: [{ attribute: 'startTime', descending: true }],
      cursor: null,
    },
    values: [wireInstant(since - MAX_CLOCK_LEAD), wireInstant(since)],
    limit: MAX_EVENTS,
  })
}

async function tasksWithIds(
  list: DocumentLister,
  owner: string,
  ids: readonly string[],
): Promise<DocumentOf<'tasks'>[]> {
  if (ids.length === 0) return []
  return documents(list, owner, 'tasks', {
    shape: {
      filters: [{ kind: 'in', attribute: '$id', value: 0 }],
      orders: [],
      cursor: null,
    },
    values: [ids],
    limit: ids.length,
  })
}

async function documents<C extends 'tasks' | 'time_entries'>(
  list: DocumentLister,
  owner: string,
  collection: C,
  query: Pick<DocumentQuery, 'shape' | 'values' | 'limit'>,
): Promise<DocumentOf<C>[]> {
  const whole = { ...query, offset: 0, cursorId: null, select: null }
  const page = await list(owner, collection, whole, false)
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the checks of every write say so
    return JSON.parse(`[${page.documents}]`) as DocumentOf<C>[]
  } finally {
    page.release()
  }
}
