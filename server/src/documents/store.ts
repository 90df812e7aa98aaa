/** The statements that keep documents. Every one takes the owner first: there is no other way in. */
import type { CollectionId } from '@stint/core/collections.ts'
import { sql } from 'kysely'
import type { CompiledQuery } from 'kysely'
import type { Database, Transaction } from '#db/database.ts'
import { first } from '#db/database.ts'
import { ATTRIBUTE_COLUMNS } from '#db/schema.ts'
import { slot, statement } from '#db/statement.ts'
import { documentBody } from './document.ts'
import type { DocumentText, StoredDocument } from './document.ts'

export interface DocumentStore {
  /** The document, or undefined when there is none or it is another's. */
  find(owner: string, id: string): Promise<DocumentText | undefined>
  /** The same inside a transaction; nobody else changes it until the end. */
  lock(tx: Transaction, owner: string, id: string): Promise<DocumentText | undefined>
  /** Undefined: the id is taken, or the owner has an active session already. */
  insert(
    tx: Transaction,
    owner: string,
    document: StoredDocument,
  ): Promise<DocumentText | undefined>
  /** @throws UniqueViolation when it would be the owner's second active session. */
  update(tx: Transaction, owner: string, document: StoredDocument): Promise<DocumentText>
  /** What was removed, or undefined when there was nothing. */
  remove(tx: Transaction, owner: string, id: string): Promise<DocumentText | undefined>
}

export type DocumentStores = Readonly<Record<CollectionId, DocumentStore>>

/** Prepares the statements of all collections. */
export function documentStores(db: Database): DocumentStores {
  return {
    tasks: store(db, 'tasks'),
    timer_sessions: store(db, 'timer_sessions'),
    time_entries: store(db, 'time_entries'),
  }
}

function store(db: Database, collection: CollectionId): DocumentStore {
  const table = sql.table(collection)
  const columns = [...(ATTRIBUTE_COLUMNS.get(collection) ?? [])].filter(
    ([, column]) => column !== 'owner',
  )
  const names = [
    'owner',
    'id',
    'created_at',
    'updated_at',
    'body',
    ...columns.map(([, column]) => column),
  ]
  const isOwnDocument = sql`owner = ${slot(0)} and id = ${slot(1)}`
  const rows = (query: ReturnType<typeof sql<DocumentText>>) => statement(compilable(query))

  const find = rows(sql`select sequence, body from ${table} where ${isOwnDocument}`)
  const lock = rows(
    sql`select sequence, body from ${table} where ${isOwnDocument} ${sql.raw(db.dialect.lockClause)}`,
  )
  const insert = rows(
    sql`insert into ${table} (${sql.join(names.map((name) => sql.ref(name)))})
        values (${sql.join(names.map((_, index) => slot(index)))})
        on conflict do nothing returning sequence, body`,
  )
  const update = rows(
    sql`update ${table} set ${sql.join(
      names.slice(2).map((name, index) => sql`${sql.ref(name)} = ${slot(index + 2)}`),
    )} where ${isOwnDocument} returning sequence, body`,
  )
  const remove = rows(sql`delete from ${table} where ${isOwnDocument} returning sequence, body`)

  return {
    find: (owner, id) => first(db.read(find([owner, id]))),
    lock: (tx, owner, id) => first(tx.run(lock([owner, id]))),
    insert: (tx, owner, document) => first(tx.run(insert(values(owner, document)))),
    async update(tx, owner, document) {
      const updated = await first(tx.run(update(values(owner, document))))
      if (updated === undefined) throw new Error('The document to update is not there')
      return updated
    },
    remove: (tx, owner, id) => first(tx.run(remove([owner, id]))),
  }

  function values(owner: string, document: StoredDocument): unknown[] {
    return [
      owner,
      document.id,
      document.createdAt,
      document.updatedAt,
      documentBody(collection, document),
      ...columns.map(([attribute]) => document.attributes[attribute] ?? null),
    ]
  }

  function compilable<Row>(query: ReturnType<typeof sql<Row>>) {
    return { compile: (): CompiledQuery<Row> => query.compile(db.build) }
  }
}
