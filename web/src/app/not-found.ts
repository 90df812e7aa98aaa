import { isRouteErrorResponse } from 'react-router'

/** The loader of a path without a route: the error page says so (spec 2: Error page). */
export function notFound(): never {
  // React Router reads a thrown response as the route's answer.
  // oxlint-disable-next-line typescript/only-throw-error
  throw new Response(null, { status: 404, statusText: 'Not Found' })
}

/** Whether a route error means that there is nothing at this address. */
export function isNotFound(error: unknown): boolean {
  return isRouteErrorResponse(error) && error.status === 404
}
