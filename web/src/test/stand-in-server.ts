/**
 * The document rules of the backend as one pure function: it takes a state of the server and a
 * call, and returns the next state and the answer. An explorer needs thousands of servers that can
 * be copied, compared and restored. `stand-in-server.test.ts` compares this server with the real
 * one.
 */
import { COLLECTIONS } from '@stint/core/collections.ts'
import type { CollectionId, SystemFields } from '@stint/core/collections.ts'
import { instantFromWire } from '@stint/core/time/instant.ts'

import type {
  Backend,
  DocumentOf,
  DocumentPage,
  DocumentToSave,
  ListOptions,
} from '#backend/backend.ts'
import { BackendError } from '#backend/errors.ts'
import type { BackendErrorKind } from '#backend/errors.ts'

type Scalar = string | number | boolean | null
type Sent = Readonly<Record<string, Scalar | undefined>>
export type StandInDocument = SystemFields & Record<string, Scalar | string[]>

/** The documents of one user, by collection and id. */
export type StandInServer = Readonly<
  Record<CollectionId, Readonly<Record<string, StandInDocument>>> & {
    /** How many documents were ever created. */
    sequence: number
  }
>

export const EMPTY_SERVER: StandInServer = {
  tasks: {},
  timer_sessions: {},
  time_entries: {},
  sequence: 0,
}

export type Call =
  | { readonly method: 'list'; readonly collection: CollectionId; readonly options: ListOptions }
  | {
      readonly method: 'delete'
      readonly collection: CollectionId
      readonly id: string
      readonly unchangedSince?: number | undefined
    }
  | {
      readonly method: 'create'
      readonly collection: CollectionId
      readonly id: string
      readonly data: Sent
    }
  | {
      readonly method: 'update'
      readonly collection: CollectionId
      readonly id: string
      readonly data: Sent
      readonly unchangedSince?: number | undefined
    }
  | {
      readonly method: 'save'
      readonly collection: CollectionId
      readonly documents: readonly Saved[]
    }

interface Saved extends Over {
  /** An existing document does not change. */
  readonly isNew: boolean
  readonly data: Sent
}

/** The document that is overwritten, and when it was read. */
interface Over {
  readonly id: string
  readonly unchangedSince?: number | undefined
}

export type Answer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: BackendErrorKind }

interface Step {
  readonly server: StandInServer
  readonly answer: Answer
}

/** Returns the server and its answer after a call at `now`, in epoch milliseconds. */
export function answerCall(server: StandInServer, call: Call, now: number): Step {
  switch (call.method) {
    case 'list':
      return { server, answer: { ok: true, value: page(server, call.collection, call.options) } }
    case 'create':
      return create(server, call.collection, call.id, call.data, now)
    case 'update':
      if (isChangedSince(server, call)) return refused(server, 'conflict')
      return update(server, call.collection, call.id, call.data, now)
    case 'delete': {
      const { [call.id]: document, ...others } = server[call.collection]
      if (!document) return refused(server, 'not-found')
      if (isChangedSince(server, call)) return refused(server, 'conflict')
      return done({ ...server, [call.collection]: others }, null)
    }
    case 'save':
      return saveAll(server, call.collection, call.documents, now)
  }
}

function isChangedSince(
  server: StandInServer,
  { collection, id, unchangedSince }: Over & { readonly collection: CollectionId },
): boolean {
  const document = server[collection][id]
  if (!document || unchangedSince === undefined) return false
  return (instantFromWire(document.$updatedAt) ?? 0) > unchangedSince
}

/**
 * Returns a Backend that passes every call on documents to `ask`. Of accounts it knows only that
 * `userId` is signed in.
 */
export function backendOf(userId: string, ask: (call: Call) => Promise<unknown>): Backend {
  // `answerCall` returns documents of the collection that was asked for.
  /* oxlint-disable typescript/no-unsafe-type-assertion */
  return {
    list: async <C extends CollectionId>(collection: C, options: ListOptions) =>
      (await ask({ method: 'list', collection, options })) as DocumentPage<C>,
    create: async <C extends CollectionId>(collection: C, id: string, data: object) =>
      (await ask({ method: 'create', collection, id, data: data as Sent })) as DocumentOf<C>,
    update: async <C extends CollectionId>(
      collection: C,
      id: string,
      data: object,
      unchangedSince?: number,
    ) =>
      (await ask({
        method: 'update',
        collection,
        id,
        data: data as Sent,
        unchangedSince,
      })) as DocumentOf<C>,
    delete: async (collection, id, unchangedSince) =>
      void (await ask({ method: 'delete', collection, id, unchangedSince })),
    saveTogether: async <C extends CollectionId>(
      collection: C,
      documents: readonly DocumentToSave<C>[],
    ) =>
      (await ask({
        method: 'save',
        collection,
        documents: documents.map(({ data, ...each }) => ({ ...each, data: data as Sent })),
      })) as readonly DocumentOf<C>[],
    serverInfo: async () => null,
    ownServer: true,
    currentUser: async () => ({ id: userId, name: '', email: '' }),
    signUp: noAccount,
    signUpWithPasskey: noAccount,
    signInWithPasskey: noAccount,
    signInByProxy: noAccount,
    beginProviderSignIn: noAccount,
    signIn: noAccount,
    signOut: noAccount,
    requestRecovery: noAccount,
    resetPassword: noAccount,
    verifyEmail: noAccount,
    account: noAccount,
    prefs: noAccount,
    savePrefs: noAccount,
    subscribe: () => ({ close: () => undefined }),
  }
  /* oxlint-enable typescript/no-unsafe-type-assertion */
}

async function noAccount(): Promise<never> {
  throw new BackendError('signed-out', 'The stand-in knows no accounts')
}

function create(
  server: StandInServer,
  collection: CollectionId,
  id: string,
  data: Sent,
  now: number,
): Step {
  const attributes = withDefaults(collection, data)
  if (lacksRequired(collection, attributes) || breaksRules(collection, attributes, now))
    return refused(server, 'invalid')
  if (server[collection][id]) return refused(server, 'conflict')
  const sequence = server.sequence + 1
  const document: StandInDocument = {
    $id: id,
    $sequence: String(sequence),
    $createdAt: wireInstant(now),
    $updatedAt: wireInstant(now),
    $permissions: [],
    $databaseId: 'stint',
    $collectionId: collection,
    ...attributes,
  }
  return put({ ...server, sequence }, collection, document)
}

function update(
  server: StandInServer,
  collection: CollectionId,
  id: string,
  data: Sent,
  now: number,
): Step {
  const before = server[collection][id]
  if (!before) return refused(server, 'not-found')
  const after = { ...before, ...withDefaults(collection, { ...attributesOf(before), ...data }) }
  const changed = Object.keys(after).filter(
    (name) => !name.startsWith('$') && after[name] !== before[name],
  )
  const hasEnded = collection === 'timer_sessions' && before['endTime'] !== null
  // What devices pressed late is added to the log of a session that has ended.
  if (hasEnded && changed.some((name) => name !== 'log')) return refused(server, 'conflict')
  if (changed.length === 0) return done(server, before)
  if (breaksRules(collection, attributesOf(after), now)) return refused(server, 'invalid')
  const updatedAt = Math.max(now, (instantFromWire(before.$updatedAt) ?? 0) + 1)
  return put(server, collection, { ...after, $updatedAt: wireInstant(updatedAt) })
}

/**
 * Creates or changes all documents, or none: a document that was changed since it was read refuses
 * all of them.
 */
function saveAll(
  server: StandInServer,
  collection: CollectionId,
  documents: readonly Saved[],
  now: number,
): Step {
  const answers = new Map<string, unknown>()
  let after = server
  const isUnknown = ({ id }: Saved) => Number(server[collection][id] === undefined)
  // Existing documents are changed before any document is created.
  for (const each of documents.toSorted((one, other) => isUnknown(one) - isUnknown(other))) {
    const { id, isNew, data } = each
    const known = server[collection][id]
    if (known && isNew) {
      answers.set(id, known)
      continue
    }
    if (isChangedSince(after, { collection, ...each })) return refused(server, 'conflict')
    const write = known ? update : create
    const step = write(after, collection, id, data, now)
    if (!step.answer.ok) return { server, answer: step.answer }
    after = step.server
    answers.set(id, step.answer.value)
  }
  const values = documents.map(({ id }) => answers.get(id))
  return done(after, values)
}

/** Writes a document, unless it would be the user's second active session. */
function put(server: StandInServer, collection: CollectionId, document: StandInDocument): Step {
  const others = Object.values(server[collection]).filter((other) => other.$id !== document.$id)
  if (collection === 'timer_sessions' && isActive(document) && others.some(isActive)) {
    return refused(server, 'conflict')
  }
  const documents = { ...server[collection], [document.$id]: document }
  const sorted = Object.fromEntries(
    Object.entries(documents).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
  return done({ ...server, [collection]: sorted }, document)
}

function isActive(session: StandInDocument): boolean {
  return (
    session['endTime'] === null && (session['isRunning'] === true || session['isPaused'] === true)
  )
}

function withDefaults(collection: CollectionId, sent: Sent): Record<string, Scalar> {
  return Object.fromEntries(
    Object.entries(COLLECTIONS[collection]).map(([name, attribute]) => {
      const value = sent[name] ?? ('default' in attribute ? attribute.default : null)
      const isInstant = attribute.type === 'datetime' && typeof value === 'string'
      return [name, isInstant ? wireInstant(Date.parse(value)) : value]
    }),
  )
}

function lacksRequired(
  collection: CollectionId,
  attributes: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(COLLECTIONS[collection]).some(
    ([name, { required }]) => required && attributes[name] === null,
  )
}

function breaksRules(
  collection: CollectionId,
  sent: Readonly<Record<string, unknown>>,
  now: number,
) {
  const instant = (name: string) => {
    const text = sent[name]
    return typeof text === 'string' ? instantFromWire(text) : null
  }
  const isFuture = (name: string) => (instant(name) ?? 0) > now + CLOCK_TOLERANCE
  const startedAt = instant('startTime') ?? 0
  const endedAt = instant('endTime') ?? Number.POSITIVE_INFINITY
  switch (collection) {
    case 'tasks':
      return String(sent['name']).trim() === ''
    case 'timer_sessions':
      return (
        (sent['isRunning'] === true && sent['isPaused'] === true) ||
        ['startTime', 'currentPauseStart', 'endTime'].some(isFuture) ||
        endedAt < startedAt
      )
    case 'time_entries':
      return (
        isFuture('endTime') ||
        endedAt < startedAt ||
        Number(sent['durationSeconds']) * 1000 > endedAt - startedAt + 1000
      )
  }
}

const CLOCK_TOLERANCE = 5 * 60_000

function page(server: StandInServer, collection: CollectionId, options: ListOptions) {
  const { equal = {}, updatedSince, order = 'newest-created', limit, cursorAfter } = options
  const { withTotal = false } = options
  const matching = Object.values(server[collection])
    .filter((document) => Object.entries(equal).every(([name, value]) => document[name] === value))
    .filter(
      (document) =>
        updatedSince === undefined || Date.parse(document.$updatedAt) >= Date.parse(updatedSince),
    )
    .toSorted((a, b) =>
      order === 'newest-created'
        ? Date.parse(b.$createdAt) - Date.parse(a.$createdAt) || bySequence(a, b)
        : Date.parse(a.$updatedAt) - Date.parse(b.$updatedAt) || bySequence(a, b),
    )
  const start = matching.findIndex((document) => document.$id === cursorAfter) + 1
  const documents = matching.slice(start, start + limit)
  return {
    total: withTotal ? matching.length : 0,
    documents,
    cursor: documents.length < limit ? null : (documents.at(-1)?.$id ?? null),
  }
}

function bySequence(a: StandInDocument, b: StandInDocument): number {
  return Number(a.$sequence) - Number(b.$sequence)
}

function attributesOf(document: StandInDocument): Record<string, Scalar> {
  return Object.fromEntries(
    Object.entries(document).flatMap(([name, value]) =>
      name.startsWith('$') || Array.isArray(value) ? [] : [[name, value]],
    ),
  )
}

function wireInstant(epochMilliseconds: number): string {
  return new Date(epochMilliseconds).toISOString().replace('Z', '+00:00')
}

function done(server: StandInServer, value: unknown): Step {
  return { server, answer: { ok: true, value } }
}

function refused(server: StandInServer, error: BackendErrorKind): Step {
  return { server, answer: { ok: false, error } }
}
