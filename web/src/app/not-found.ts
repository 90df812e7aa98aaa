import { isRouteErrorResponse } from 'react-router'

/** A path without a route: the error page says so (spec 2: Error page). */
export function NotFound(): never {
  throw new NotFoundError()
}

export class NotFoundError extends Error {
  override readonly name = 'NotFoundError'
}

/** Whether a route error means that there is nothing at this address. */
export function isNotFound(error: unknown): boolean {
  return error instanceof NotFoundError || (isRouteErrorResponse(error) && error.status === 404)
}
