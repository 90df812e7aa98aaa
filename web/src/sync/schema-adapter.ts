/**
 * Adapts what sync sends and receives to the attributes that the backend's project has. An Appwrite
 * project may lack some (docs/decisions/0169-a-project-may-lack-attributes.md): they are not sent, an
 * entry is deleted where its deletion cannot be marked, and documents from the backend are completed
 * with what this device knows. A refusal and every document tell which attributes are missing.
 */
import { COLLECTIONS } from '@stint/core/collections.ts'
import type {
  Attribute,
  CollectionId,
  NewAttributes,
  SystemFields,
} from '@stint/core/collections.ts'
import { completed, noteMissing } from '@stint/core/device/kept-attributes.ts'
import { deletesForGood, missingAttributes } from '@stint/core/device/schema.ts'
import { readDocument } from '@stint/core/document.ts'
import { instantToWire } from '@stint/core/time/instant.ts'

import type { Backend, DocumentEvent, DocumentOf } from '#backend/backend.ts'
import { asBackendError, BackendError } from '#backend/errors.ts'
import type { LocalRecord } from '#record/record.ts'

type Data<C extends CollectionId> = Partial<NewAttributes<C>>

/** After so many refusals an attribute is missing until the page is loaded again, whatever documents have. */
const MAX_REFUSALS = 2

/** Returns the backend as sync uses it for this record. */
export function adaptToSchema(backend: Backend, record: LocalRecord): Backend {
  const { view } = record
  /** How often the backend has refused an attribute, by collection and name. */
  const refusals = new Map<string, number>()

  return {
    ...backend,
    async list(collection, options) {
      const page = await backend.list(collection, options).catch(async (error: unknown) => {
        await noteUnasked(collection, error)
        throw error
      })
      const [document] = page.documents
      // Selected attributes say nothing about the others.
      if (!document || options.select) return page
      await learn(collection, document)
      return { ...page, documents: page.documents.map((each) => complete(collection, each)) }
    },
    async get(collection, id) {
      const document = await backend.get(collection, id)
      await learn(collection, document)
      return complete(collection, document)
    },
    create: (collection, id, data) =>
      adapted(collection, data, async (sent, kept) => {
        if (isDeletion(kept)) return createDeleted(collection, id, data)
        return answered(collection, await backend.create(collection, id, sent), kept)
      }),
    update: (collection, id, data, unchangedSince) =>
      adapted(collection, data, async (sent, kept) => {
        if (isDeletion(kept)) return deleteForGood(collection, id, data, unchangedSince)
        const answer =
          Object.keys(sent).length === 0
            ? await existing(collection, id)
            : await backend.update(collection, id, sent, unchangedSince)
        return answered(collection, answer, kept)
      }),
    subscribe: ({ onEvent, ...handlers }) =>
      backend.subscribe({
        ...handlers,
        onEvent(event) {
          const { collection, document } = event
          if (isLearned(collection, document)) hear(event, onEvent)
          else void learn(collection, document).then(() => hear(event, onEvent))
        },
      }),
  }

  /**
   * Makes a write with the attributes that the project has. `kept` are the others. When the backend
   * refuses an attribute, the write is repeated without it.
   */
  async function adapted<C extends CollectionId, D extends Data<C>>(
    collection: C,
    data: D,
    write: (sent: D, kept: Data<C>) => Promise<DocumentOf<C>>,
  ): Promise<DocumentOf<C>> {
    for (;;) {
      const missing = missingAttributes(view, collection)
      const [kept, sent] = [part(data, missing, true), part(data, missing, false)]
      try {
        return await write(sent, kept)
      } catch (error) {
        const name = refusedAttribute(collection, error)
        if (name === null || !(name in data)) throw error
        const key = `${collection} ${name}`
        const times = (refusals.get(key) ?? 0) + 1
        refusals.set(key, times)
        if (times > MAX_REFUSALS) throw error
        await note(collection, [...new Set([...missing, name])])
      }
    }
  }

  /**
   * Returns the answer to a write with what was kept here. What the project turns out to have by now is
   * sent after it.
   */
  async function answered<C extends CollectionId>(
    collection: C,
    answer: DocumentOf<C>,
    kept: Data<C>,
  ): Promise<DocumentOf<C>> {
    const missing = missingIn(collection, answer)
    await learn(collection, answer)
    const [left, added] = [part(kept, missing, true), part(kept, missing, false)]
    const document =
      Object.keys(added).length === 0
        ? answer
        : await backend.update(collection, answer.$id, added, Date.parse(answer.$updatedAt))
    return { ...complete(collection, document), ...left }
  }

  /** Deletes an entry. Returns it as it would be with the mark of its deletion. */
  async function deleteForGood<C extends CollectionId>(
    collection: C,
    id: string,
    data: Data<C>,
    unchangedSince: number | undefined,
  ): Promise<DocumentOf<C>> {
    const document = await existing(collection, id)
    await backend.delete(collection, id, unchangedSince)
    return { ...deleted(complete(collection, document)), ...data }
  }

  /** Returns an entry that is deleted before the backend has it. Rejects with a conflict if it has it. */
  async function createDeleted<C extends CollectionId>(
    collection: C,
    id: string,
    data: Data<C>,
  ): Promise<DocumentOf<C>> {
    if (await find(collection, id)) throw refusal('conflict', 'document_already_exists', 409)
    // Its end may be its deletion, and an entry that is as old as its end counts as unconfirmed.
    const at = instantToWire(record.clock.now() + 1)
    const stamps = { $createdAt: at, $updatedAt: at, $permissions: [] }
    const document = readDocument(collection, { $id: id, ...stamps, ...data })
    if (!document) throw refusal('invalid', 'document_invalid_structure', 400)
    return complete(collection, document)
  }

  async function existing<C extends CollectionId>(
    collection: C,
    id: string,
  ): Promise<DocumentOf<C>> {
    const document = await find(collection, id)
    if (!document) throw refusal('not-found', 'document_not_found', 404)
    return document
  }

  /** The request is a list, because a browser reports every 404 as an error. */
  async function find<C extends CollectionId>(
    collection: C,
    id: string,
  ): Promise<DocumentOf<C> | null> {
    const { documents } = await backend.list(collection, { equal: { $id: id }, limit: 1 })
    return documents[0] ?? null
  }

  /** Passes on an event. A deletion is passed on as its mark. An own one is known already. */
  function hear(event: DocumentEvent, onEvent: (event: DocumentEvent) => void): void {
    switch (event.collection) {
      case 'tasks':
        return onEvent({ ...event, document: complete(event.collection, event.document) })
      case 'timer_sessions':
        return onEvent({ ...event, document: complete(event.collection, event.document) })
      case 'time_entries': {
        const document = complete(event.collection, event.document)
        const isMarked = event.action === 'delete' && deletesForGood(view)
        if (!isMarked) return onEvent({ ...event, document })
        const base = view.edit('entry', document.$id)?.base ?? view.entries.get(document.$id)
        if (base?.deletedAt !== null) return
        const deletedAt = instantToWire(record.clock.now())
        onEvent({ ...event, action: 'upsert', document: { ...deleted(document), deletedAt } })
      }
    }
  }

  function complete<C extends CollectionId>(collection: C, document: DocumentOf<C>): DocumentOf<C> {
    return completed(view, collection, document)
  }

  async function learn(collection: CollectionId, document: SystemFields): Promise<void> {
    if (!isLearned(collection, document)) await note(collection, missingIn(collection, document))
  }

  function isLearned(collection: CollectionId, document: SystemFields): boolean {
    const [known, missing] = [missingAttributes(view, collection), missingIn(collection, document)]
    return known.length === missing.length && missing.every((name) => known.includes(name))
  }

  /** Returns the attributes that a document lacks, and those that the backend refuses again and again. */
  function missingIn(collection: CollectionId, { $missing = [] }: SystemFields): string[] {
    const refused = Object.keys(COLLECTIONS[collection]).filter(
      (name) => (refusals.get(`${collection} ${name}`) ?? 0) >= MAX_REFUSALS,
    )
    return [...new Set([...$missing, ...refused])]
  }

  /** Notes the attribute for whose absence Appwrite refuses a list. */
  async function noteUnasked(collection: CollectionId, error: unknown): Promise<void> {
    const { type, message } = asBackendError(error)
    const name = /Attribute not found in schema: (\w+)/.exec(message)?.[1]
    const missing = missingAttributes(view, collection)
    if (type !== 'general_query_invalid' || name === undefined || missing.includes(name)) return
    await note(collection, [...missing, name])
  }

  async function note(collection: CollectionId, missing: readonly string[]): Promise<void> {
    await record.write((draft, now) => noteMissing(draft, collection, missing, now))
  }
}

/** Returns the attributes that are among `names`, or with `isAmong` false the others. */
function part<D extends object>(data: D, names: readonly string[], isAmong: boolean): D {
  const entries = Object.entries(data).filter(([name]) => names.includes(name) === isAmong)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only attributes that are not required can be missing
  return Object.fromEntries(entries) as D
}

function isDeletion(kept: object): boolean {
  return 'deletedAt' in kept && kept.deletedAt !== null
}

/** A deletion has no time at the backend. Every state that the backend has afterwards is later. */
function deleted<C extends CollectionId>(document: DocumentOf<C>): DocumentOf<C> {
  return { ...document, $updatedAt: instantToWire(Date.parse(document.$updatedAt) + 1) }
}

/** Returns the attribute for whose absence Appwrite refuses a write, or null. */
function refusedAttribute(collection: CollectionId, error: unknown): string | null {
  const { type, message } = asBackendError(error)
  if (type !== 'document_invalid_structure') return null
  const name = /Unknown attribute: "([^"]+)"/.exec(message)?.[1] ?? ''
  const attributes: Readonly<Record<string, Attribute>> = COLLECTIONS[collection]
  return attributes[name]?.required === false ? name : null
}

function refusal(kind: 'conflict' | 'not-found' | 'invalid', type: string, status: number) {
  return new BackendError(kind, type, type, status)
}
