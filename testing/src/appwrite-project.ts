/**
 * Makes Stint's server answer as a project of a real Appwrite does: with exactly the given attributes,
 * without Stint's own routes, and with documents that others in the project have created for everybody.
 */
import type { Intercept } from './test-app.ts'

/** The attributes of a collection, by its id. */
export type ProjectSchema = Readonly<Record<string, readonly string[]>>

/** The attributes that every client of the three collections has. */
export const SPECIFIED: ProjectSchema = {
  tasks: ['name', 'userId', 'isActive', 'category', 'goalHours', 'totalTime', 'todayTime', 'color'],
  timer_sessions: [
    'taskId',
    'userId',
    'startTime',
    'isRunning',
    'isPaused',
    'currentPauseStart',
    'pauseDurationSeconds',
    'endTime',
  ],
  time_entries: [
    'taskId',
    'startTime',
    'endTime',
    'entryType',
    'durationSeconds',
    'date',
    'userId',
    'sessionId',
  ],
}

export interface ProjectDocument {
  readonly $id: string
  readonly $createdAt: string
  readonly $updatedAt: string
  readonly [attribute: string]: unknown
}

interface Query {
  readonly method: string
  readonly attribute?: string
  readonly values?: readonly unknown[]
}

export interface AppwriteProject {
  /** Stands between a client and the server. */
  readonly intercept: Intercept
  /** Returns the payload of an event as a client of the project receives it. */
  readonly fit: (collection: string, document: ProjectDocument) => ProjectDocument
  /** Adds a document of somebody else that everybody in the project can read. */
  readonly plant: (collection: string, document: ProjectDocument) => void
  /** Adds attributes, as a later `appwrite push` does. */
  readonly push: (schema: ProjectSchema) => void
  /** What was refused for an attribute, in order, as 'collection.attribute'. */
  readonly refused: readonly string[]
  /** The requests for Stint's own routes. */
  readonly strayed: readonly string[]
}

const DOCUMENTS =
  /^\/v1\/databases\/[^/]+\/collections\/(?<collection>[^/]+)\/documents(?:\/(?<id>[^/]+))?$/

/**
 * Creates a project with these attributes. `ownDocuments` returns a person's own documents of a
 * collection, and is needed where others plant documents.
 */
export function appwriteProject(
  schema: ProjectSchema = SPECIFIED,
  ownDocuments: (collection: string) => Promise<readonly ProjectDocument[]> = async () => [],
): AppwriteProject {
  let attributes = schema
  const planted = new Map<string, ProjectDocument[]>()
  const refused: string[] = []
  const strayed: string[] = []

  return {
    refused,
    strayed,
    fit,
    plant: (collection, document) => {
      planted.set(collection, [...(planted.get(collection) ?? []), document])
    },
    push: (next) => {
      attributes = next
    },
    async intercept(request, send) {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname.startsWith('/v1/stint/')) {
        strayed.push(`${request.method} ${pathname}`)
        return refusal(404, 'general_route_not_found', 'Route not found.')
      }
      const { collection, id } = DOCUMENTS.exec(pathname)?.groups ?? {}
      if (collection === undefined) return send()
      const queries = queriesIn(searchParams)
      const wrong = unknownQuery(collection, queries) ?? (await unknownData(collection, request))
      if (wrong) return wrong
      const foreign = planted.get(collection)?.find(({ $id }) => $id === id)
      if (foreign && request.method === 'GET') return Response.json(fit(collection, foreign))
      const isList = request.method === 'GET' && id === undefined
      if (isList && planted.has(collection)) return listAll(collection, queries)
      return answerOf(await send(), collection)
    },
  }

  function isKnown(collection: string, name: string): boolean {
    return name.startsWith('$') || (attributes[collection] ?? []).includes(name)
  }

  function fit(collection: string, document: ProjectDocument): ProjectDocument {
    const { $id, $createdAt, $updatedAt, ...others } = document
    const known = Object.entries(others).filter(([name]) => isKnown(collection, name))
    return { $id, $createdAt, $updatedAt, ...Object.fromEntries(known) }
  }

  function unknownQuery(collection: string, queries: readonly Query[]): Response | null {
    const asked = queries.flatMap(({ method, attribute, values = [] }) =>
      method === 'select' ? values.map(String) : (attribute ?? []),
    )
    const unknown = asked.find((name) => !isKnown(collection, name))
    if (unknown === undefined) return null
    refused.push(`${collection}.${unknown}`)
    const message = `Invalid query: Attribute not found in schema: ${unknown}`
    return refusal(400, 'general_query_invalid', message)
  }

  /** Appwrite names one attribute at a time. */
  async function unknownData(collection: string, request: Request): Promise<Response | null> {
    if (!['POST', 'PATCH', 'PUT'].includes(request.method)) return null
    const body: { readonly data?: object } = JSON.parse(await request.clone().text())
    const unknown = Object.keys(body.data ?? {}).find((name) => !isKnown(collection, name))
    if (unknown === undefined) return null
    refused.push(`${collection}.${unknown}`)
    const message = `Invalid document structure: Unknown attribute: "${unknown}"`
    return refusal(400, 'document_invalid_structure', message)
  }

  async function answerOf(answer: Response, collection: string): Promise<Response> {
    if (!answer.ok || answer.status === 204) return answer
    const body: ProjectDocument & { readonly documents?: readonly ProjectDocument[] } = JSON.parse(
      await answer.text(),
    )
    const { documents } = body
    const fitted = documents
      ? { ...body, documents: documents.map((each) => fit(collection, each)) }
      : fit(collection, body)
    return Response.json(fitted, { status: answer.status, headers: contentless(answer.headers) })
  }

  /** Answers a list from the person's own documents and those that others have planted. */
  async function listAll(collection: string, queries: readonly Query[]): Promise<Response> {
    const all = [...(await ownDocuments(collection)), ...(planted.get(collection) ?? [])]
    const matching = all.filter((document) => queries.every((query) => isMatch(document, query)))
    const valueOf = (method: string) => queries.find((each) => each.method === method)?.values?.[0]
    const isNewestFirst = queries.some(({ method }) => method === 'orderDesc')
    const sorted = isNewestFirst
      ? matching.toSorted((a, b) => b.$createdAt.localeCompare(a.$createdAt))
      : matching.toSorted((a, b) => a.$updatedAt.localeCompare(b.$updatedAt))
    const start = sorted.findIndex(({ $id }) => $id === valueOf('cursorAfter')) + 1
    const documents = sorted.slice(start, start + Number(valueOf('limit') ?? 25))
    const fitted = documents.map((each) => fit(collection, each))
    return Response.json({ total: matching.length, documents: fitted })
  }
}

function isMatch(document: ProjectDocument, { method, attribute = '', values = [] }: Query) {
  const value = document[attribute]
  if (method === 'equal') return values.includes(value)
  return method !== 'greaterThanEqual' || Date.parse(String(value)) >= Date.parse(String(values[0]))
}

function queriesIn(parameters: URLSearchParams): readonly Query[] {
  const texts = [...parameters].filter(([name]) => name.startsWith('queries['))
  return texts.map(([, text]): Query => JSON.parse(text))
}

/** Returns the headers of an answer whose content is another one now. */
function contentless(headers: Headers): Headers {
  const others = new Headers(headers)
  for (const name of ['content-length', 'content-encoding', 'content-type']) others.delete(name)
  return others
}

/** Returns a refusal in Appwrite's one format. */
export function refusal(
  status: number,
  type: string,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ message, code: status, type, version: '1.9.6' }, { status, headers })
}
