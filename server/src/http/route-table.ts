/** The table of all routes of the API, with their schemas. */
import type { FastifyContextConfig, FastifyInstance, FastifySchema } from 'fastify'

/** A route of the API with its schema. */
export interface ApiRoute {
  /** For example `GET /v1/account`. */
  readonly name: string
  readonly method: string
  readonly url: string
  readonly schema: FastifySchema
  readonly access: FastifyContextConfig['access']
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * All routes. The description of the API is made from them, and tests compare it with what they
     * cover.
     */
    readonly routeTable: readonly ApiRoute[]
  }
}

/** Notes every route that is registered from now on. */
export function recordRoutes(app: FastifyInstance): void {
  const table: ApiRoute[] = []
  app.decorate('routeTable', table)
  app.addHook('onRoute', ({ method: methods, url, schema = {}, config }) => {
    for (const method of [methods].flat()) {
      if (method === 'HEAD' || url.endsWith('*') || !url.startsWith('/v1/')) continue
      table.push({ name: `${method} ${url}`, method, url, schema, access: config?.access })
    }
  })
}
