/** Lists documents. */
import type { CollectionId } from '@stint/core/collections.ts'
import type { CompiledQuery } from 'kysely'
import { isScalar } from '#documents/document.ts'
import type { Scalar } from '#documents/document.ts'
import { SYSTEM_FIELDS } from '#documents/structure.ts'
import { apiError } from '#errors.ts'
import { isPlainObject } from '#json.ts'
import { first } from '#storage/database.ts'
import type { Database } from '#storage/database.ts'
import { hasText, MAX_TOTAL, scans, shapeCompiler } from './compile.ts'
import type { CompiledShape } from './compile.ts'
import type { DocumentQuery, QueryShape } from './query.ts'
import { replyBudget } from './reply-budget.ts'

/**
 * Returns a page of the owner's documents. The page counts against the owner's memory for replies
 * until `release` is called.
 * @param withTotal false skips the count.
 * @throws ApiError general_query_invalid when the page is too large, general_cursor_not_found,
 * database_query_order_null; QueryTooSlow, DatabaseUnavailable.
 */
export type DocumentLister = (
  owner: string,
  collection: CollectionId,
  query: DocumentQuery,
  withTotal: boolean,
) => Promise<DocumentPage>

export interface DocumentPage {
  /** JSON text of the documents with commas between. */
  readonly documents: string
  /** How many documents match, at most `MAX_TOTAL`; 0 if the total was not requested. */
  readonly total: number
  readonly release: () => void
}

/** The largest page, in bytes of documents. */
const MAX_PAGE_BYTES = 16 * 1_048_576

/** The size of the largest document in bytes, which is the size of the largest request. */
const MAX_DOCUMENT_BYTES = 65_536

/**
 * A page of up to so many documents cannot be too large. The size of a longer page is measured
 * first.
 */
const MAX_UNMEASURED = 100

/** A longer page is read as a slow read, in characters: it would block the event loop. */
const MAX_QUICK_PAGE = 1_048_576

/** How many owners of long pages are remembered. */
const MAX_OWNERS_OF_LONG_PAGES = 10_000

/** The lists of an owner with more documents are slow reads if they may read all of them. */
const MAX_SCANNED = 10_000

/** Returns the lister of a database. */
export function documentLister(db: Database): DocumentLister {
  const compile = shapeCompiler(db)
  const budget = replyBudget()
  /**
   * Owners whose last page was long. Their documents are large, so the next page is probably long
   * too.
   */
  const ownersOfLongPages = new Set<string>()

  return async (owner, collection, query, withTotal) => {
    const shape = withoutOwnerFilter(query, owner)
    let isSlow =
      hasText(shape) ||
      ownersOfLongPages.has(owner) ||
      (scans(collection, shape) && (await hasMany(owner)))
    let statements = compile(collection, shape, query.values.length, isSlow)
    const read = <Row>(statement: CompiledQuery<Row>): Promise<Row[]> =>
      isSlow ? db.readSlowly(owner, statement) : db.read(statement)
    const values: unknown[] = [
      owner,
      ...query.values.map((value) => (Array.isArray(value) ? db.dialect.listValue(value) : value)),
      query.limit,
      query.offset,
      ...(query.cursorId === null ? [] : await cursorValues(owner, statements, query.cursorId)),
    ]
    const maxBytes =
      query.limit <= MAX_UNMEASURED
        ? query.limit * MAX_DOCUMENT_BYTES
        : pageBytes(await read(statements.pageSize(values)))
    if (!isSlow && query.limit > MAX_UNMEASURED && maxBytes > MAX_QUICK_PAGE) {
      isSlow = true
      statements = compile(collection, shape, query.values.length, isSlow)
    }

    const reservation = await budget.reserve(owner, maxBytes)
    try {
      const [page] = withTotal
        ? await read(statements.pageAndTotal(values))
        : (await read(statements.page(values))).map((each) => ({ ...each, total: 0 }))
      const documents = selected(page?.documents ?? '', query.select)
      reservation.resize(documents.length)
      noteLength(owner, page?.documents?.length ?? 0)
      const total = Math.min(page?.total ?? 0, MAX_TOTAL)
      return { documents, total, release: reservation.release }
    } catch (error) {
      reservation.release()
      throw error
    }
  }

  function noteLength(owner: string, characters: number): void {
    if (characters <= MAX_QUICK_PAGE) return void ownersOfLongPages.delete(owner)
    if (ownersOfLongPages.size >= MAX_OWNERS_OF_LONG_PAGES) ownersOfLongPages.clear()
    ownersOfLongPages.add(owner)
  }

  /** Returns whether lists that may read all of the owner's documents are slow reads. */
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
    { cursor, orders }: CompiledShape,
    cursorId: string,
  ): Promise<Scalar[]> {
    const row = await first(db.read(cursor([owner, cursorId])))
    if (row === undefined) throw apiError('general_cursor_not_found.document', { id: cursorId })
    return orders.map((_, index) => {
      const value = row[`value${index}`]
      if (!isScalar(value)) throw apiError('database_query_order_null')
      return value
    })
  }
}

/**
 * Returns documents (JSON text with commas between) with the selected and the system attributes;
 * null: all.
 */
export function selected(documents: string, select: readonly string[] | null): string {
  if (select === null) return documents
  const names = new Set(select)
  const parsed: unknown = JSON.parse(`[${documents}]`)
  return (Array.isArray(parsed) ? parsed : [])
    .map((document: unknown) => {
      const fields = isPlainObject(document) ? Object.entries(document) : []
      return JSON.stringify(
        Object.fromEntries(fields.filter(([name]) => names.has(name) || SYSTEM_FIELDS.has(name))),
      )
    })
    .join(',')
}

/** @throws ApiError general_query_invalid when the page is larger than `MAX_PAGE_BYTES`. */
function pageBytes([page]: readonly { readonly bytes: number | null }[]): number {
  const bytes = page?.bytes ?? 0
  if (bytes <= MAX_PAGE_BYTES) return bytes
  throw apiError('general_query_invalid.page_size', { bytes, max: MAX_PAGE_BYTES })
}

/**
 * Returns the shape without filters that require `userId` to be the owner: `isOwned` requires it
 * already, and comparing it twice for each row takes a quarter of the time.
 */
function withoutOwnerFilter({ shape, values }: DocumentQuery, owner: string): QueryShape {
  const filters = shape.filters.filter(
    (filter) =>
      filter.kind !== 'compare' ||
      filter.attribute !== 'userId' ||
      filter.comparison !== '=' ||
      values[filter.value] !== owner,
  )
  return { ...shape, filters }
}
