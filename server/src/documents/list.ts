/** Listing documents (contract 5.9, 6). */
import type { CollectionId } from '@stint/core/collections.ts'
import type { Database } from '#db/database.ts'
import { first } from '#db/database.ts'
import { ApiError } from '#errors.ts'
import { isPlainObject } from '#params.ts'
import { shapeCompiler } from './compile.ts'
import type { CompiledShape } from './compile.ts'
import { documentJson, isScalar } from './document.ts'
import type { Scalar } from './document.ts'
import { ALWAYS_SELECTED } from './query.ts'
import type { DocumentQuery, Filter } from './query.ts'

/** Makes the function that answers a list call of `owner` with the reply's JSON text. */
export function documentLister(db: Database) {
  const compile = shapeCompiler(db)

  return async (
    owner: string,
    collection: CollectionId,
    query: DocumentQuery,
    withTotal: boolean,
  ): Promise<string> => {
    const { shape, limit, offset } = query
    const compiled = compile(collection, shape, query.values.length)
    const values = [owner, ...likePatterns(shape.filters, query.values), limit, offset]
    if (query.cursorId !== null) {
      values.push(...(await cursorValues(owner, compiled, query.cursorId)))
    }
    const rows = await db.read(compiled.rows(values))
    if (shape.cursor === 'before') rows.reverse()
    const total = withTotal ? ((await first(db.read(compiled.count(values))))?.total ?? 0) : 0
    const documents = rows.map(documentJson)
    const sent =
      query.select === null ? documents : documents.map((json) => selected(json, query.select))
    return `{"total":${total},"documents":[${sent.join(',')}]}`
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

/** The document with only the attributes asked for, and the system's own. */
export function selected(json: string, select: readonly string[] | null): string {
  if (select === null) return json
  const wanted = new Set(select)
  const document: unknown = JSON.parse(json)
  const fields = isPlainObject(document) ? Object.entries(document) : []
  return JSON.stringify(
    Object.fromEntries(fields.filter(([name]) => wanted.has(name) || ALWAYS_SELECTED.has(name))),
  )
}

/** The values with those of text filters turned into LIKE patterns, wildcards in them escaped. */
function likePatterns(filters: readonly Filter[], values: readonly Scalar[]): Scalar[] {
  const patterns = [...values]
  const visit = (filter: Filter): void => {
    if ('filters' in filter) return filter.filters.forEach(visit)
    if (filter.kind !== 'text') return
    const escaped = String(values[filter.value]).replace(/[\\%_]/g, String.raw`\$&`)
    patterns[filter.value] =
      (filter.at === 'start' ? '' : '%') + escaped + (filter.at === 'end' ? '' : '%')
  }
  filters.forEach(visit)
  return patterns
}
