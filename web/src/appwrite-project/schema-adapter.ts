/**
 * Adapts what sync sends and receives to the attributes of an Appwrite project, which may lack some
 * (docs/decisions/0016-appwrite-projects.md). They are not sent, an entry is deleted where its deletion
 * cannot be marked, and documents are completed with what this device knows. A refusal and every
 * document of a list or an event tell which attributes are missing.
 */
import { COLLECTIONS } from '@stint/core/collections.ts'
import type {
  Attribute,
  CollectionId,
  NewAttributes,
  SystemFields,
} from '@stint/core/collections.ts'
import { completed, noteMissing } from '@stint/core/appwrite-project/kept-attributes.ts'
import { deletesForGood, missingAttributes } from '@stint/core/device/missing-attributes.ts'
import { readDocument } from '@stint/core/document.ts'
import { instantToWire } from '@stint/core/time/instant.ts'

import type { Backend, DocumentEvent, DocumentOf } from '#backend/backend.ts'
import { asBackendError, BackendError } from '#backend/errors.ts'
import { find } from '#backend/find-document.ts'
import type { LocalRecord } from '#record/record.ts'

type Data<C extends CollectionId> = Partial<NewAttributes<C>>

/** After so many refusals an attribute is missing until the page is loaded again, whatever documents have. */
const MAX_REFUSALS = 2

/** Returns the backend as sync uses it for this record. */
export function adaptToSchema(backend: Backend, record: LocalRecord): Backend {
  const schema = createSchema(record)
  const { complete, learn } = schema
  return {
    ...backend,
    async list(collection, options) {
      const page = await backend.list(collection, options).catch(async (error: unknown) => {
        await schema.noteRefused(collection, error)
        throw error
      })
      const [document] = page.documents
      // Selected attributes say nothing about the others.
      if (!document || options.select) return page
      await learn(collection, document)
      return { ...page, documents: page.documents.map((each) => complete(collection, each)) }
    },
    create: (collection, id, data) =>
      adapted(collection, data, async (sent, kept) => {
        if (!isDeletion(kept))
          return answered(collection, await backend.create(collection, id, sent), kept)
        // An entry that is deleted before the backend has it.
        if (await find(backend, collection, id))
          throw refusal('conflict', 'document_already_exists', 409)
        return complete(collection, deletedNow(record, collection, id, data))
      }),
    update: (collection, id, data, unchangedSince) =>
      adapted(collection, data, async (sent, kept) => {
        if (!isDeletion(kept) && Object.keys(sent).length > 0) {
          const answer = await backend.update(collection, id, sent, unchangedSince)
          return answered(collection, answer, kept)
        }
        const document = await find(backend, collection, id)
        if (!document) throw refusal('not-found', 'document_not_found', 404)
        if (!isDeletion(kept)) return answered(collection, document, kept)
        await backend.delete(collection, id, unchangedSince)
        return { ...deleted(complete(collection, document)), ...data }
      }),
    subscribe: ({ onEvent, ...handlers }) =>
      backend.subscribe({ ...handlers, onEvent: (event) => hear(record, schema, event, onEvent) }),
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
      const missing = missingAttributes(record.view, collection)
      try {
        return await write(part(data, missing, false), part(data, missing, true))
      } catch (error) {
        if (!(await schema.noteRefused(collection, error))) throw error
      }
    }
  }

  /** Returns the answer to a write with what was kept here. What the project has by now is sent once a list tells. */
  async function answered<C extends CollectionId>(
    collection: C,
    answer: DocumentOf<C>,
    kept: Data<C>,
  ): Promise<DocumentOf<C>> {
    await schema.noteMore(collection, answer.$missing ?? [])
    return { ...complete(collection, answer), ...kept }
  }
}

type Schema = ReturnType<typeof createSchema>

/** Returns what is known of the project's attributes, from its documents and its refusals. */
function createSchema(record: LocalRecord) {
  /** How often the backend has refused an attribute, by collection and name. */
  const refusals = new Map<string, number>()
  return { complete, learn, noteMore, noteRefused }

  function complete<C extends CollectionId>(collection: C, document: DocumentOf<C>): DocumentOf<C> {
    return completed(record.view, collection, document)
  }

  /** Notes the attributes that a document lacks, and those that the backend refuses again and again. */
  async function learn(collection: CollectionId, { $missing = [] }: SystemFields): Promise<void> {
    const refused = Object.keys(COLLECTIONS[collection]).filter(
      (name) => (refusals.get(`${collection} ${name}`) ?? 0) >= MAX_REFUSALS,
    )
    await note(collection, [...new Set([...$missing, ...refused])])
  }

  /** Notes the attribute for whose absence Appwrite has refused a request. Returns whether to repeat it. */
  async function noteRefused(collection: CollectionId, error: unknown): Promise<boolean> {
    const name = refusedAttribute(collection, error)
    if (name === null) return false
    const key = `${collection} ${name}`
    const times = (refusals.get(key) ?? 0) + 1
    refusals.set(key, times)
    if (times > MAX_REFUSALS) return false
    await noteMore(collection, [name])
    return true
  }

  /** Notes that these attributes are missing as well. */
  async function noteMore(collection: CollectionId, names: readonly string[]): Promise<void> {
    const missing = new Set([...missingAttributes(record.view, collection), ...names])
    await note(
      collection,
      Object.keys(COLLECTIONS[collection]).filter((name) => missing.has(name)),
    )
  }

  async function note(collection: CollectionId, missing: readonly string[]): Promise<void> {
    const known = missingAttributes(record.view, collection)
    if (known.length === missing.length && missing.every((name) => known.includes(name))) return
    await record.write((draft) => noteMissing(draft, collection, missing))
  }
}

/** Returns a new entry as the backend would have it with the mark of its deletion. */
function deletedNow<C extends CollectionId>(
  { clock }: LocalRecord,
  collection: C,
  id: string,
  data: Data<C>,
): DocumentOf<C> {
  // Its end may be its deletion, and an entry that is as old as its end counts as unconfirmed.
  const at = instantToWire(clock.now() + 1)
  const stamps = { $createdAt: at, $updatedAt: at, $permissions: [] }
  const document = readDocument(collection, { $id: id, ...stamps, ...data })
  if (!document) throw refusal('invalid', 'document_invalid_structure', 400)
  return document
}

/** Passes on an event. A deletion is passed on as its mark. An own one is known already. */
function hear(
  { view, clock }: LocalRecord,
  schema: Schema,
  event: DocumentEvent,
  onEvent: (event: DocumentEvent) => void,
): void {
  const { collection, document } = event
  void schema.learn(collection, document).then(() => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the document is of the same collection
    const completed = { ...event, document: schema.complete(collection, document) } as DocumentEvent
    const isMarked = event.action === 'delete' && deletesForGood(view)
    if (completed.collection !== 'time_entries' || !isMarked) return onEvent(completed)
    const { $id } = completed.document
    const base = view.edit('entry', $id)?.base ?? view.entries.get($id)
    if (base?.deletedAt !== null) return
    const deletedAt = instantToWire(clock.now())
    const marked = { ...deleted(completed.document), deletedAt }
    onEvent({ ...completed, action: 'upsert', document: marked })
  })
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

/** What Appwrite says when it refuses a list or a write for an attribute that is missing. */
const REFUSALS: Readonly<Record<string, RegExp>> = {
  general_query_invalid: /Attribute not found in schema: (\w+)/,
  document_invalid_structure: /Unknown attribute: "([^"]+)"/,
}

/** Returns the attribute for whose absence Appwrite refuses a request, or null. */
function refusedAttribute(collection: CollectionId, error: unknown): string | null {
  const { type, message } = asBackendError(error)
  const name = REFUSALS[type]?.exec(message)?.[1] ?? ''
  const attributes: Readonly<Record<string, Attribute>> = COLLECTIONS[collection]
  return attributes[name]?.required === false ? name : null
}

function refusal(kind: 'conflict' | 'not-found' | 'invalid', type: string, status: number) {
  return new BackendError(kind, type, type, status)
}
