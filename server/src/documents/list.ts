/** Listing documents. */
import type { CollectionId } from '@stint/core/collections.ts'
import type { CompiledQuery } from 'kysely'
import type { Database } from '#db/database.ts'
import { first } from '#db/database.ts'
import { ApiError } from '#errors.ts'
import { isPlainObject } from '#params.ts'
import { boundValue, shapeCompiler } from './compile.ts'
import type { CompiledShape } from './compile.ts'
import { isScalar } from './document.ts'
import type { Scalar } from './document.ts'
import { ALWAYS_SELECTED } from './query.ts'
import type { DocumentQuery, QueryShape } from './query.ts'

export interface DocumentLister {
  /** Answers a list call of `owner` with the reply's JSON text. */
  list(
    owner: string,
    collection: CollectionId,
    query: DocumentQuery,
    withTotal: boolean,
  ): Promise<string>
  /** To be called when a document of `owner` was created, changed or deleted, and is committed. */
  changed(owner: string): void
  /** Ends what it does in the background. */
  stop(): void
}

/** Of how many owners answers are remembered, how many totals of each, and how much text of all. */
const MAX_OWNERS = 5000
const MAX_TOTALS_OF_ONE = 20
const MAX_CHARACTERS = 8_000_000
/** A longer answer is put together anew each time. */
const LONGEST_REMEMBERED = 200_000

/** What an owner was told since their last change. */
interface Told {
  readonly totals: Map<string, number>
  /** Whole replies; null for what was asked once: most is never asked again, and would only fill the memory. */
  readonly replies: Map<string, string | null>
}

const NOTHING_TOLD: Told = { totals: new Map(), replies: new Map() }

/**
 * Lists documents. Where nobody else writes, what was told twice is told again until its owner changes
 * something: devices ask for the same lists whenever they wake. Where others write too, those that ask
 * at the same time, as all devices do that hear of a change, are told the same.
 */
export function documentLister(db: Database): DocumentLister {
  const compile = shapeCompiler(db)
  const told = new Map<string, Told>()
  let characters = 0
  /** What is being asked in this turn of the event loop, and its answer to come. */
  const asked = new Map<string, Promise<string>>()
  // Not even an operator who mends the file by hand should be told what was before.
  const stop = db.isAlone ? db.hearOthers(() => {}, forgetAll) : () => {}

  return { list, changed: forget, stop }

  async function list(
    owner: string,
    collection: CollectionId,
    query: DocumentQuery,
    withTotal: boolean,
  ): Promise<string> {
    const key = `${collection} ${withTotal} ${query.text}`
    if (!db.isAlone) {
      return once(`${owner} ${key}`, () => read(owner, collection, query, withTotal, null))
    }
    // Taken before reading: when it changes meanwhile, what is read goes into one nobody sees.
    const known = toldTo(owner)
    const before = known.replies.get(key)
    if (typeof before === 'string') return before
    const reply = await read(owner, collection, query, withTotal, known)
    if (before === undefined) remember(owner, known, key, null)
    else if (reply.length <= LONGEST_REMEMBERED) remember(owner, known, key, reply)
    return reply
  }

  function remember(owner: string, known: Told, key: string, reply: string | null): void {
    if (told.get(owner) !== known) return
    const { replies } = known
    characters += sizeOf(key, reply) - sizeOf(key, replies.get(key))
    replies.set(key, reply)
    if (characters > MAX_CHARACTERS) forgetAll()
  }

  function rememberTotal(owner: string, known: Told, counted: string, total: number): void {
    if (told.get(owner) !== known) return
    const { totals } = known
    if (!totals.has(counted)) characters += counted.length
    totals.set(counted, total)
    if (characters > MAX_CHARACTERS) forgetAll()
  }

  /** Begins to read at the end of this turn, after all have asked whom it answers. */
  function once(key: string, begin: () => Promise<string>): Promise<string> {
    const before = asked.get(key)
    if (before !== undefined) return before
    const answer = new Promise<string>((resolve) => {
      setImmediate(() => {
        asked.delete(key)
        resolve(begin())
      })
    })
    asked.set(key, answer)
    return answer
  }

  async function read(
    owner: string,
    collection: CollectionId,
    query: DocumentQuery,
    withTotal: boolean,
    known: Told | null,
  ): Promise<string> {
    const { limit, offset } = query
    const shape = withoutOwner(query, owner)
    const compiled = compile(collection, shape, query.values.length)
    const given = query.values.map((value) => boundValue(db.dialect, value))
    const values: unknown[] = [owner, ...given, limit, offset]
    if (query.cursorId !== null) {
      values.push(...(await cursorValues(owner, compiled, query.cursorId)))
    }
    const counted = JSON.stringify([collection, shape.filters, query.values])
    let total = withTotal ? known?.totals.get(counted) : 0
    let documents: string | null
    const run = <Row>(statement: CompiledQuery<Row>): Promise<Row[]> =>
      compiled.readsText ? db.readSlowly(owner, statement) : db.read(statement)
    if (total === undefined) {
      const [found] = await run(compiled.pageAndTotal(values))
      total = found?.total ?? 0
      documents = found?.documents ?? null
      if (known !== null) rememberTotal(owner, known, counted, total)
    } else {
      const [found] = await run(compiled.page(values))
      documents = found?.documents ?? null
    }
    return `{"total":${total},"documents":[${selected(documents ?? '', query.select)}]}`
  }

  function toldTo(owner: string): Told {
    const known = told.get(owner)
    if (known !== undefined && known.totals.size < MAX_TOTALS_OF_ONE) return known
    forget(owner)
    if (told.size >= MAX_OWNERS) forgetAll()
    const nothing: Told = { totals: new Map(), replies: new Map() }
    told.set(owner, nothing)
    return nothing
  }

  function forget(owner: string): void {
    const { replies, totals } = told.get(owner) ?? NOTHING_TOLD
    for (const [key, reply] of replies) characters -= sizeOf(key, reply)
    for (const key of totals.keys()) characters -= key.length
    told.delete(owner)
  }

  function forgetAll(): void {
    told.clear()
    characters = 0
  }

  async function cursorValues(
    owner: string,
    compiled: CompiledShape,
    cursorId: string,
  ): Promise<Scalar[]> {
    const row = await first(db.read(compiled.cursor([owner, cursorId])))
    if (row === undefined) {
      throw new ApiError(
        'general_cursor_not_found',
        `Document '${cursorId}' for the 'cursor' value not found.`,
      )
    }
    return compiled.orders.map((_, index) => {
      const value = row[`value${index}`]
      if (!isScalar(value)) throw new ApiError('database_query_order_null')
      return value
    })
  }
}

/** What it takes to remember a reply, in characters. */
function sizeOf(key: string, reply: string | null | undefined): number {
  return reply === undefined ? 0 : key.length + (reply?.length ?? 0)
}

/** Documents (JSON text, commas between) with only the attributes asked for, and the system's own. */
export function selected(documents: string, select: readonly string[] | null): string {
  if (select === null) return documents
  const wanted = new Set(select)
  const parsed: unknown = JSON.parse(`[${documents}]`)
  const sent = Array.isArray(parsed) ? parsed : []
  return sent
    .map((document: unknown) => {
      const fields = isPlainObject(document) ? Object.entries(document) : []
      return JSON.stringify(
        Object.fromEntries(
          fields.filter(([name]) => wanted.has(name) || ALWAYS_SELECTED.has(name)),
        ),
      )
    })
    .join(',')
}

/** The shape without asking for the owner's: all that is found is, and to compare each takes a quarter of the time. */
function withoutOwner({ shape, values }: DocumentQuery, owner: string): QueryShape {
  const filters = shape.filters.filter(
    (filter) =>
      filter.kind !== 'compare' ||
      filter.attribute !== 'userId' ||
      filter.comparison !== '=' ||
      values[filter.value] !== owner,
  )
  return { ...shape, filters }
}
