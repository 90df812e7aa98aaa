/** The statements on documents. The first parameter of each is the owner. */
import type { Attribute, CollectionId } from '@stint/core/collections.ts'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Database, Statements, Transaction } from '#storage/database.ts'
import { first, UniqueViolation } from '#storage/database.ts'
import { ATTRIBUTE_COLUMNS, attributesOf } from '#storage/schema.ts'
import { slot, statement } from '#storage/statement.ts'
import type { BatchForm } from '#storage/statement.ts'
import { documentBody } from './document.ts'
import type { DocumentText, StoredDocument } from './document.ts'
import { isOwned } from './ownership.ts'

export interface DocumentStore {
  /** Returns the document, or undefined if there is none or it belongs to another user. */
  find(owner: string, id: string): Promise<DocumentText | undefined>
  /** Returns the documents of the owner, the oldest first, up to a number. */
  oldest(tx: Transaction, owner: string, max: number): Promise<DocumentText[]>
  /** Finds the document in a transaction and locks it until the end. */
  lock(tx: Transaction, owner: string, id: string): Promise<DocumentText | undefined>
  /** Undefined: the id is taken, or the owner has an active session already. */
  insert(
    statements: Statements,
    owner: string,
    document: StoredDocument,
  ): Promise<DocumentText | undefined>
  /** @throws UniqueViolation when it would be the owner's second active session. */
  update(tx: Transaction, owner: string, document: StoredDocument): Promise<DocumentText>
  /** Returns the removed document, or undefined if there was none. */
  remove(tx: Transaction, owner: string, id: string): Promise<DocumentText | undefined>
}

export type DocumentStores = Readonly<Record<CollectionId, DocumentStore>>

/**
 * Returns the statement that finds the owner's timer session that runs or is paused; the database allows one. Without a
 * transaction it finds what is committed.
 */
export function activeSessionFinder(
  db: Database,
): (tx: Transaction | null, owner: string) => Promise<DocumentText | undefined> {
  const find = statement({
    compile: () =>
      sql<DocumentText>`select sequence, body from timer_sessions
        where ${isOwned} and end_time is null and (is_running or is_paused)`.compile(db.build),
  })
  return (tx, owner) => first(tx === null ? db.read(find([owner])) : tx.run(find([owner])))
}

/** Prepares the statements of all collections. */
export function documentStores(db: Database): DocumentStores {
  return {
    tasks: store(db, 'tasks'),
    timer_sessions: store(db, 'timer_sessions'),
    time_entries: store(db, 'time_entries'),
  }
}

/** The part of a document that a write returns; the rest is known. */
type Place = Pick<DocumentText, 'sequence'>

function store(db: Database, collection: CollectionId): DocumentStore {
  const table = sql.table(collection)
  const columns = [...(ATTRIBUTE_COLUMNS.get(collection) ?? [])].filter(
    ([, column]) => column !== 'owner',
  )
  const types = new Map<string, Attribute['type']>([
    ['owner', 'string'],
    ['id', 'string'],
    ['created_at', 'string'],
    ['updated_at', 'string'],
    ['body', 'string'],
    ...columns.map(
      ([attribute, column]) =>
        [column, attributesOf(collection).get(attribute)?.type ?? 'string'] as const,
    ),
  ])
  const names = [...types.keys()]
  const isOwnDocument = sql`${isOwned} and id = ${slot(1)}`
  const prepare = <Row>(query: RawBuilder<Row>, batch?: BatchForm) =>
    statement({ compile: () => query.compile(db.build) }, batch)

  const find = prepare(
    sql<DocumentText>`select sequence, body from ${table} where ${isOwnDocument}`,
    db.dialect.batchedFind(collection),
  )
  const oldest = prepare(
    sql<DocumentText>`select sequence, body from ${table} where ${isOwned}
      order by created_at, sequence limit ${slot(1)}`,
  )
  const lock = prepare(
    sql<DocumentText>`select sequence, body from ${table} where ${isOwnDocument} ${db.dialect.lockRows}`,
  )
  const insert = prepare(
    sql<Place>`insert into ${table} (${sql.join(names.map((name) => sql.ref(name)))})
        values (${sql.join(names.map((_, index) => slot(index)))})
        ${db.dialect.insertEnd}`,
    db.dialect.batchedInsert(collection, types),
  )
  const update = prepare(
    sql<Place>`update ${table} set ${sql.join(
      names.slice(2).map((name, index) => sql`${sql.ref(name)} = ${slot(index + 2)}`),
    )} where ${isOwnDocument} returning sequence`,
  )
  const remove = prepare(
    sql<DocumentText>`delete from ${table} where ${isOwnDocument} returning sequence, body`,
  )

  return {
    find: (owner, id) => first(db.read(find([owner, id]))),
    oldest: (tx, owner, max) => tx.run(oldest([owner, max])),
    lock: (tx, owner, id) => first(tx.run(lock([owner, id]))),
    async insert(statements, owner, document) {
      const body = documentBody(collection, document)
      const query = insert(values(owner, document, body))
      try {
        const created = await first(statements.run<Place>(query))
        return created && { sequence: created.sequence, body }
      } catch (error) {
        if (error instanceof UniqueViolation) return undefined
        throw error
      }
    },
    async update(tx, owner, document) {
      const body = documentBody(collection, document)
      const updated = await first(tx.run(update(values(owner, document, body))))
      if (updated === undefined) throw new Error('The document to update is not there')
      return { sequence: updated.sequence, body }
    },
    remove: (tx, owner, id) => first(tx.run(remove([owner, id]))),
  }

  function values(owner: string, document: StoredDocument, body: string): unknown[] {
    return [
      owner,
      document.id,
      document.createdAt,
      document.updatedAt,
      body,
      ...columns.map(([attribute]) => document.attributes[attribute] ?? null),
    ]
  }
}
