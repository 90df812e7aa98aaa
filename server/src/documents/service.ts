/**
 * The operations on documents. Each takes the owner first, runs its own transaction, and publishes the change to the
 * owner's devices after the commit.
 */
import type { CollectionId, DocumentOf } from '@stint/core/collections.ts'
import { lock as lockUser } from '#accounts/users.ts'
import { ApiError, apiError, notSignedIn } from '#errors.ts'
import { GENERATE_ID, newId } from '#id.ts'
import { oneAtATime } from '#one-at-a-time.ts'
import type { DocumentAction } from '#realtime/events.ts'
import type { Services } from '#services.ts'
import { UniqueViolation } from '#storage/database.ts'
import type { Statements, Transaction } from '#storage/database.ts'
import {
  boundsOfNumber,
  changedDocument,
  incrementedDocument,
  newDocument,
  refuseChangedSince,
} from './changes.ts'
import type { DocumentChange, Increment, NewDocument } from './changes.ts'
import { parseBody, parsed } from './document.ts'
import type { DocumentText, StoredDocument } from './document.ts'
import { documentLister } from './queries/list.ts'
import type { DocumentLister } from './queries/list.ts'
import { QuotaRefusals } from './quota-refusals.ts'
import { MAX_READ_TOGETHER, refuseTooMany } from './rules.ts'
import { activeSessionFinder, documentStores } from './store.ts'
import { readAttributes, withDefaults } from './structure.ts'

/** One of the documents of a bulk write. */
export interface PutDocument extends NewDocument {
  /**
   * True leaves an existing document unchanged: an earlier try created it and its reply was lost.
   */
  readonly isNew: boolean
  /**
   * Epoch milliseconds: refuses the whole call when the document changed later; null: never
   * refuses.
   */
  readonly unchangedSince: number | null
}

/** The documents of one owner within a transaction. */
export interface OwnDocuments {
  readonly tx: Transaction
  /** Calls `publish` once the transaction is committed. */
  afterCommit(publish: () => void): void
  /** Returns a document; undefined: there is none. */
  find<C extends CollectionId>(collection: C, id: string): Promise<DocumentOf<C> | undefined>
  /** Returns all tasks, the oldest first. @throws ApiError stint_quota_exceeded. */
  tasks(): Promise<DocumentOf<'tasks'>[]>
  /** Returns the timer session that runs or is paused; undefined: there is none. */
  activeSession(): Promise<DocumentOf<'timer_sessions'> | undefined>
  /** Returns the timer sessions that were created first, at most `max`. */
  oldestSessions(max: number): Promise<DocumentOf<'timer_sessions'>[]>
  /** @throws ApiError document_already_exists, which leaves the transaction usable. */
  create(collection: CollectionId, id: string, data: Record<string, unknown>): Promise<void>
  /**
   * @param unchangedSince epoch milliseconds of the last change that the caller knows.
   * @throws ApiError document_update_conflict when it changed later or is gone.
   */
  update(
    collection: CollectionId,
    id: string,
    data: Record<string, unknown>,
    unchangedSince: number,
  ): Promise<void>
  /** Deletes a document, if it is there. */
  delete(collection: CollectionId, id: string): Promise<void>
}

/** A change to publish. */
interface Change {
  readonly collection: CollectionId
  readonly action: DocumentAction
  readonly text: DocumentText
  readonly isLogAlone?: boolean
}

/** The document after a write. */
interface Written {
  readonly text: DocumentText
  /** False: the write had no effect. */
  readonly isChanged: boolean
  /** Whether at most its log is another one: devices hear of it, programs do not. */
  readonly isLogAlone?: boolean
}

/** A generated id has 28 random bits, so several taken ids in a row are no coincidence. */
const MAX_ID_TRIES = 3

export class Documents {
  /** Returns a page of the owner's documents. */
  readonly list: DocumentLister
  readonly #db: Services['db']
  readonly #hub: Services['hub']
  readonly #now: Services['now']
  readonly #stores: ReturnType<typeof documentStores>
  readonly #findActiveSession: ReturnType<typeof activeSessionFinder>
  readonly #quotaRefusals = new QuotaRefusals()
  /**
   * The bulk writes of one owner run one after the other: each takes long, and several at once would
   * delay everyone.
   */
  readonly #oneBulkAtATime = oneAtATime()

  constructor({ db, hub, now }: Pick<Services, 'db' | 'hub' | 'now'>) {
    this.#db = db
    this.#hub = hub
    this.#now = now
    this.#stores = documentStores(db)
    this.#findActiveSession = activeSessionFinder(db)
    this.list = documentLister(db)
  }

  /** Returns a document. @throws ApiError document_not_found, also when it is another's. */
  async get(owner: string, collection: CollectionId, id: string): Promise<DocumentText> {
    const found = await this.#stores[collection].find(owner, id)
    if (found === undefined) throw apiError('document_not_found', { id })
    return found
  }

  /**
   * Creates a document.
   * @throws ApiError document_invalid_structure, user_unauthorized; document_already_exists when the owner has
   * that id in the collection, or has an active timer session already.
   */
  async create(
    owner: string,
    collection: CollectionId,
    document: NewDocument,
  ): Promise<DocumentText> {
    // A taken id changes nothing, so nothing needs a rollback.
    const created = await this.#quotaRefusals.guard(
      owner,
      1,
      () => JSON.stringify(document.data).length,
      () =>
        this.#db.autocommit((statements) => this.#insert(statements, owner, collection, document)),
    )
    this.#hub.documentChanged(owner, collection, 'create', created)
    return created
  }

  /**
   * Changes the sent attributes and keeps the others.
   * @throws ApiError document_not_found, document_invalid_structure, user_unauthorized,
   * document_update_conflict; document_already_exists when it would be the second active timer
   * session.
   */
  update(
    owner: string,
    collection: CollectionId,
    id: string,
    change: DocumentChange,
  ): Promise<DocumentText> {
    return this.#write(owner, collection, 'update', async (tx) => {
      const found = await this.#stores[collection].lock(tx, owner, id)
      if (found === undefined) throw apiError('document_not_found', { id })
      return this.#change(tx, owner, collection, found, change)
    })
  }

  /**
   * Creates the document `id`, or changes its sent attributes. The required attributes must be sent
   * in both cases.
   * @throws ApiError what `create` and `update` throw.
   */
  upsert(
    owner: string,
    collection: CollectionId,
    id: string,
    change: DocumentChange,
  ): Promise<DocumentText> {
    return retriedIfTaken(() =>
      this.#write(owner, collection, 'upsert', async (tx) => {
        const found = await this.#stores[collection].lock(tx, owner, id)
        if (found === undefined) {
          const text = await this.#insert(tx, owner, collection, { id, ...change })
          return { text, isChanged: true }
        }
        withDefaults(collection, readAttributes(collection, change.data))
        return this.#change(tx, owner, collection, found, change)
      }),
    )
  }

  /**
   * Adds to a number. Simultaneous increments all count.
   * @throws ApiError attribute_not_found, attribute_type_invalid, document_not_found,
   * attribute_limit_exceeded, and what `update` throws.
   */
  async increment(
    owner: string,
    collection: CollectionId,
    id: string,
    increment: Increment,
  ): Promise<DocumentText> {
    const bounds = boundsOfNumber(collection, increment)
    return this.#write(owner, collection, 'update', async (tx) => {
      const found = await this.#stores[collection].lock(tx, owner, id)
      if (found === undefined) throw apiError('document_not_found', { id })
      const before = parseBody(collection, found.body)
      const after = incrementedDocument(collection, before, increment, bounds, this.#now())
      return this.#replace(tx, owner, collection, found, before, after)
    })
  }

  /**
   * Deletes a document.
   * @param unchangedSince epoch milliseconds: refuses when the document changed later; null: never refuses.
   * @throws ApiError document_not_found, document_update_conflict.
   */
  async delete(
    owner: string,
    collection: CollectionId,
    id: string,
    unchangedSince: number | null,
  ): Promise<void> {
    await this.#write(owner, collection, 'delete', async (tx) => {
      const text = await this.#stores[collection].remove(tx, owner, id)
      if (text === undefined) throw apiError('document_not_found', { id })
      refuseChangedSince(parseBody(collection, text.body), unchangedSince)
      return { text, isChanged: true }
    })
  }

  /**
   * Creates the documents or changes their sent attributes: all of them or none.
   * @returns the documents in the order in which they were sent.
   * @throws ApiError what `create` and `update` throw.
   */
  async putMany(
    owner: string,
    collection: CollectionId,
    documents: readonly PutDocument[],
  ): Promise<DocumentText[]> {
    const written = await this.#oneBulkAtATime(owner, () =>
      this.#quotaRefusals.guard(
        owner,
        documents.length,
        () => JSON.stringify(documents).length,
        () =>
          retriedIfTaken(() =>
            this.#db.write((tx) => this.#putAll(tx, owner, collection, documents)),
          ),
      ),
    )
    for (const { text, isChanged, isLogAlone } of written) {
      if (isChanged) this.#hub.documentChanged(owner, collection, 'upsert', text, isLogAlone)
    }
    return written.map(({ text }) => text)
  }

  /**
   * Runs several writes of one owner in one transaction, and publishes them in their order once it is
   * committed. Such transactions of one owner run one after the other; other writes do not wait.
   * `work` must await nothing but its argument, and may have to run again.
   * @throws ApiError general_unauthorized_scope when the account is gone; what `work` throws.
   */
  async together<Result>(
    owner: string,
    work: (own: OwnDocuments) => Promise<Result>,
  ): Promise<Result> {
    const { changes, others, result } = await this.#db.write(async (tx) => {
      if ((await lockUser(tx, owner)) === undefined) throw notSignedIn()
      const changes: Change[] = []
      const others: (() => void)[] = []
      return { changes, others, result: await work(this.#ownDocuments(tx, owner, changes, others)) }
    })
    this.#quotaRefusals.forget(owner)
    for (const { collection, action, text, isLogAlone } of changes) {
      this.#hub.documentChanged(owner, collection, action, text, isLogAlone)
    }
    for (const publish of others) publish()
    return result
  }

  /** Returns the operations within a transaction. Each adds what it changed to `changes`. */
  #ownDocuments(
    tx: Transaction,
    owner: string,
    changes: Change[],
    others: (() => void)[],
  ): OwnDocuments {
    return {
      tx,
      afterCommit: (publish) => void others.push(publish),
      find: async <C extends CollectionId>(collection: C, id: string) => {
        const found = await this.#stores[collection].lock(tx, owner, id)
        return found && parsed<C>(found)
      },
      tasks: async () => {
        const all = await this.#stores.tasks.oldest(tx, owner, MAX_READ_TOGETHER + 1)
        refuseTooMany(all.length)
        return all.map((text) => parsed<'tasks'>(text))
      },
      activeSession: async () => {
        const found = await this.#findActiveSession(tx, owner)
        return found && parsed<'timer_sessions'>(found)
      },
      oldestSessions: async (max) => {
        const oldest = await this.#stores.timer_sessions.oldest(tx, owner, max)
        return oldest.map((text) => parsed<'timer_sessions'>(text))
      },
      create: async (collection, id, data) => {
        const text = await this.#insert(tx, owner, collection, { id, data, permissions: undefined })
        changes.push({ collection, action: 'create', text })
      },
      update: async (collection, id, data, unchangedSince) => {
        const found = await this.#stores[collection].lock(tx, owner, id)
        if (found === undefined) throw apiError('document_update_conflict')
        const change = { data, permissions: undefined, unchangedSince }
        const { isChanged, ...written } = await this.#change(tx, owner, collection, found, change)
        if (isChanged) changes.push({ collection, action: 'update', ...written })
      },
      delete: async (collection, id) => {
        const text = await this.#stores[collection].remove(tx, owner, id)
        if (text !== undefined) changes.push({ collection, action: 'delete', text })
      },
    }
  }

  /** Runs a write of one document in a transaction and publishes it once it is committed. */
  async #write(
    owner: string,
    collection: CollectionId,
    action: DocumentAction,
    work: (tx: Transaction) => Promise<Written>,
  ): Promise<DocumentText> {
    const { text, isChanged, isLogAlone } = await this.#db.write(work)
    this.#quotaRefusals.forget(owner)
    if (isChanged) this.#hub.documentChanged(owner, collection, action, text, isLogAlone)
    return text
  }

  async #insert(
    statements: Statements,
    owner: string,
    collection: CollectionId,
    { id, ...content }: NewDocument,
  ): Promise<DocumentText> {
    const now = this.#now()
    const document = newDocument(owner, collection, content, now)
    const isGenerated = id === GENERATE_ID
    for (let tries = isGenerated ? MAX_ID_TRIES : 1; tries > 0; tries--) {
      const named = { id: isGenerated ? newId(now) : id, ...document }
      const created = await this.#stores[collection].insert(statements, owner, named)
      if (created !== undefined) return created
    }
    throw apiError('document_already_exists')
  }

  /** Changes a locked document. */
  #change(
    tx: Transaction,
    owner: string,
    collection: CollectionId,
    found: DocumentText,
    change: DocumentChange,
  ): Promise<Written> {
    const before = parseBody(collection, found.body)
    const after = changedDocument(owner, collection, before, change, this.#now())
    return this.#replace(tx, owner, collection, found, before, after)
  }

  /** Replaces a locked document; null keeps it. */
  async #replace(
    tx: Transaction,
    owner: string,
    collection: CollectionId,
    found: DocumentText,
    before: StoredDocument,
    after: StoredDocument | null,
  ): Promise<Written> {
    if (after === null) return { text: found, isChanged: false }
    const names = Object.keys(after.attributes).filter((name) => name !== 'log')
    const isLogAlone = names.every((name) => after.attributes[name] === before.attributes[name])
    try {
      const text = await this.#stores[collection].update(tx, owner, after)
      return { text, isChanged: true, isLogAlone }
    } catch (error) {
      if (error instanceof UniqueViolation) throw apiError('document_already_exists')
      throw error
    }
  }

  async #putAll(
    tx: Transaction,
    owner: string,
    collection: CollectionId,
    documents: readonly PutDocument[],
  ): Promise<Written[]> {
    const written: Written[] = []
    /**
     * The documents to create, by id. On PostgreSQL, inserts that begin in one turn are one
     * statement.
     */
    const inserts = new Map<string, () => Promise<void>>()
    const insertAll = async (): Promise<void> => {
      const started = [...inserts.values()].map((insert) => insert())
      inserts.clear()
      await Promise.all(started)
    }
    for (const [index, { isNew, unchangedSince, ...document }] of documents.entries()) {
      const { id, data, permissions } = document
      if (inserts.has(id)) await insertAll()
      const found = await this.#stores[collection].lock(tx, owner, id)
      if (found === undefined) {
        inserts.set(id === GENERATE_ID ? `${index}` : id, async () => {
          const text = await this.#insert(tx, owner, collection, document)
          written[index] = { text, isChanged: true }
        })
      } else if (isNew) {
        written[index] = { text: found, isChanged: false }
      } else {
        const change = { data, permissions, unchangedSince }
        written[index] = await this.#change(tx, owner, collection, found, change)
      }
    }
    await insertAll()
    return written
  }
}

/** Repeats an upsert if another transaction created the document after it was not found. */
async function retriedIfTaken<Result>(upsert: () => Promise<Result>): Promise<Result> {
  try {
    return await upsert()
  } catch (error) {
    if (error instanceof ApiError && error.type === 'document_already_exists') return upsert()
    throw error
  }
}
