/** `GET /metrics`, and counting every request. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#config.ts'
import { apiError, sendError } from '#errors.ts'
import { operatorCheck } from './access.ts'
import { CONTENT_TYPE } from './exposition.ts'
import type { Metrics } from './metrics.ts'

/** Counts every reply of `app`. Call it before the routes are registered. */
export function countRequests(app: FastifyInstance, { requests, durations }: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = routeOf(request)
    const { method } = request
    requests.with(method, route, statusClass(reply)).add()
    durations.with(method, route).observe(reply.elapsedTime / 1000)
    done()
  })
}

/** Registers `/metrics` for the operator. */
export function registerMetrics(app: FastifyInstance, config: Config, { registry }: Metrics): void {
  const isOperator = operatorCheck(config)
  app.get('/metrics', async (request, reply) => {
    if (!isOperator(request)) {
      reply.header('www-authenticate', 'Bearer')
      return sendError(reply, apiError('general_unauthorized_scope.metrics'))
    }
    reply.type(CONTENT_TYPE)
    return registry.text()
  })
}

/** Returns the pattern of the route: never the URL, which holds ids and is chosen by the caller. */
function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'none'
}

function statusClass({ statusCode }: FastifyReply): string {
  return `${Math.floor(statusCode / 100)}xx`
}
