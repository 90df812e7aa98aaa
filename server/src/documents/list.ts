/** Listing documents. */
import type { CollectionId } from '@stint/core/collections.ts'
import type { CompiledQuery } from 'kysely'
import type { Database } from '#storage/database.ts'
import { first } from '#storage/database.ts'
import { ApiError } from '#errors.ts'
import { isPlainObject } from '#http/params.ts'
import { hasText, scans, shapeCompiler } from './compile.ts'
import type { CompiledShape } from './compile.ts'
import { isScalar } from './document.ts'
import type { Scalar } from './document.ts'
import { ALWAYS_SELECTED, invalidQuery } from './query.ts'
import type { DocumentQuery, QueryShape } from './query.ts'
import { replyBudget } from './reply-budget.ts'

export interface DocumentLister {
  /**
   * Lists documents of `owner`. The reply counts against the owner's room until `release` is called.
   * @returns the reply's JSON text.
   * @throws ApiError general_query_invalid when the page is too large, general_cursor_not_found,
   * database_query_order_null; QueryTooSlow, DatabaseUnavailable.
   */
  list(
    owner: string,
    collection: CollectionId,
    query: DocumentQuery,
    withTotal: boolean,
  ): Promise<ListReply>
}

interface ListReply {
  readonly json: string
  readonly release: () => void
}

/** The largest page, in bytes of its documents. */
const MAX_PAGE_BYTES = 16 * 1_048_576

/** What a document may take, in bytes: a request has at most as many. */
const MAX_DOCUMENT_BYTES = 65_536

/** A page of so many documents cannot be too large; how large a longer one is, the database is asked first. */
const MAX_UNMEASURED = 100

/** Of so many documents the database may look at every one beside the event loop's other work. */
const MAX_SCANNED = 10_000

export function documentLister(db: Database): DocumentLister {
  const compile = shapeCompiler(db)
  const budget = replyBudget()
  return { list }

  async function list(
    owner: string,
    collection: CollectionId,
    query: DocumentQuery,
    withTotal: boolean,
  ): Promise<ListReply> {
    const shape = withoutOwner(query, owner)
    const isSlow = hasText(shape) || (scans(collection, shape) && (await hasMany(owner)))
    const compiled = compile(collection, shape, query.values.length, isSlow)
    const given = query.values.map((value) =>
      Array.isArray(value) ? db.dialect.listValue(value) : value,
    )
    const values: unknown[] = [owner, ...given, query.limit, query.offset]
    if (query.cursorId !== null) {
      values.push(...(await cursorValues(owner, compiled, query.cursorId)))
    }
    const run = <Row>(statement: CompiledQuery<Row>): Promise<Row[]> =>
      isSlow ? db.readSlowly(owner, statement) : db.read(statement)

    const room = await budget.reserve(owner, await estimated())
    try {
      const [found] = withTotal
        ? await run(compiled.pageAndTotal(values))
        : (await run(compiled.page(values))).map((page) => ({ ...page, total: 0 }))
      const documents = selected(found?.documents ?? '', query.select)
      const json = `{"total":${found?.total ?? 0},"documents":[${documents}]}`
      room.resize(json.length)
      return { json, release: () => room.release() }
    } catch (error) {
      room.release()
      throw error
    }

    /** How many bytes the page takes at most. */
    async function estimated(): Promise<number> {
      if (query.limit <= MAX_UNMEASURED) return query.limit * MAX_DOCUMENT_BYTES
      const [size] = await run(compiled.pageSize(values))
      const bytes = size?.bytes ?? 0
      if (bytes > MAX_PAGE_BYTES) {
        throw invalidQuery(
          `Invalid limit: the page takes ${bytes} bytes of at most ${MAX_PAGE_BYTES}`,
        )
      }
      return bytes
    }
  }

  /** Whether the owner has more documents than may be looked at one by one. */
  async function hasMany(owner: string): Promise<boolean> {
    const [usage] = await db.read(
      db.build
        .selectFrom('document_usage')
        .select(({ fn }) => fn.sum<number | string | null>('documents').as('documents'))
        .where('owner', '=', owner),
    )
    return Number(usage?.documents ?? 0) > MAX_SCANNED
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
