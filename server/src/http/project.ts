/** Requires every call to name its project. A missing name is refused like a wrong one. */
import { PROJECT_ID } from '@stint/core/collections.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { apiError } from '#errors.ts'
import { isPlainObject } from '#json.ts'

/**
 * A hook. Calls that change data must name the project in the header, since a form on another site
 * cannot set it.
 * @throws ApiError project_not_found.
 */
export function requireProject(
  request: FastifyRequest,
  _reply: FastifyReply,
  done: () => void,
): void {
  if (namedProject(request) !== PROJECT_ID) throw apiError('project_not_found')
  done()
}

function namedProject(request: FastifyRequest): unknown {
  const header = request.headers['x-appwrite-project']
  if (header !== undefined || request.method !== 'GET') return header
  const query: unknown = request.query
  return isPlainObject(query) ? query['project'] : undefined
}
