/** The whole server. Registration is in order. */
import fastifyCookie from '@fastify/cookie'
import Fastify, { LogController } from 'fastify'
import type { FastifyBaseLogger, FastifyInstance, FastifyServerOptions } from 'fastify'
import { isUtf8 } from 'node:buffer'
import { registerApiPage, registerOpenApi } from '#api/description.ts'
import { registerApi } from '#api/routes.ts'
import { registerCaller } from '#accounts/caller.ts'
import { passwordHasher } from '#accounts/password-hash.ts'
import type { PasswordCost } from '#accounts/password-hash.ts'
import { createSignIns } from '#accounts/sign-in-cache.ts'
import { registerMailRoutes } from '#accounts/mail-routes.ts'
import { registerOidc } from '#accounts/oidc-routes.ts'
import { registerProxySignIn } from '#accounts/proxy-routes.ts'
import { registerAccount } from '#accounts/routes.ts'
import { registerAccountSessions } from '#accounts/session-routes.ts'
import type { Database } from '#storage/database.ts'
import { applyQuota } from '#documents/quota.ts'
import { registerDocuments } from '#documents/routes.ts'
import { Documents } from '#documents/service.ts'
import { registerFeed, registerFeedSettings } from '#feed/routes.ts'
import { Histories } from '#history/histories.ts'
import { refuseKeys, registerKeyHolder } from '#keys/holder.ts'
import { registerKeys, registerOwnKey } from '#keys/routes.ts'
import { registerMcp } from '#mcp/routes.ts'
import { registerCalendars } from '#calendars/routes.ts'
import { createUrlCheck } from '#webhooks/addresses.ts'
import { createDeliverer } from '#webhooks/deliverer.ts'
import { createNameResolver } from '#webhooks/names.ts'
import { registerWebhooks } from '#webhooks/routes.ts'
import { NO_BACKUPS } from '#backups/status.ts'
import type { BackupStatus } from '#backups/status.ts'
import { createMailer } from '#mail/mailer.ts'
import { registerPasskeys } from '#passkeys/routes.ts'
import { pushKey } from '#push/key.ts'
import { createAsk } from '#push/ask.ts'
import { createPusher } from '#push/pusher.ts'
import { registerPush } from '#push/routes.ts'
import { registerProposals } from '#proposals/routes.ts'
import { createHub } from '#realtime/hub.ts'
import { registerRealtime } from '#realtime/routes.ts'
import { registerSite } from '#site/routes.ts'
import type { Config } from './config.ts'
import { apiError, registerErrorHandler, sendError, toApiError } from './errors.ts'
import { registerAdmission } from '#http/admission.ts'
import { proxyPersonReader } from '#http/auth-proxy.ts'
import { defaultHeaders, refuseMalformed, registerDefaultHeaders } from '#http/headers.ts'
import { registerHealth } from '#http/health.ts'
import { requestIds } from '#http/request-id.ts'
import { createMetrics, measureServer } from '#operator/metrics.ts'
import { countRequests, registerMetrics } from '#operator/routes.ts'
import { registerOrigins } from '#http/origins.ts'
import { compileCheck } from '#http/params.ts'
import type { SchemaTypes } from '#http/params.ts'
import { requireProject } from '#http/project.ts'
import { recordRoutes } from '#http/route-table.ts'
import { registerSecondFactor } from '#second-factor/routes.ts'
import type { Services } from './services.ts'
import { createThrottle } from '#http/throttle.ts'
import { limitHandlers, MAX_SILENCE } from '#http/timeouts.ts'

export interface AppOptions {
  readonly db: Database
  readonly config: Config
  /** The clock of everything that the server writes, epoch milliseconds. */
  readonly now?: () => number
  /** The cost of a password hash; tests use a cheap one. */
  readonly passwordCost?: PasswordCost
  /** False: no request is refused because the server is slow or overloaded. */
  readonly shedsLoad?: boolean
  /** The folder of the built web app; null serves the API alone. */
  readonly siteFolder?: string | null
  /** The folder that takes its place while the server runs, with the languages that it lacks. */
  readonly nextSite?: Promise<string>
  readonly logger?: FastifyServerOptions['logger']
  /** The name servers for webhooks, addresses with ports. Default: those of the system. */
  readonly nameServers?: readonly string[]
  /** What is known about the server's backups. Default: it makes none. */
  readonly backupStatus?: () => BackupStatus
}

const V1 = { prefix: '/v1' }

/** Builds the app. Does not listen, and does not close the database. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { db, config, now = Date.now, passwordCost, siteFolder = null, logger = false } = options
  const shedsLoad = options.shedsLoad ?? true
  const headers = defaultHeaders(config)
  const logsRequests = config.logLevel === 'debug' || config.logLevel === 'trace'
  const app = Fastify({
    logger,
    // Loggers with the request's id are created only for request lines.
    ...(logsRequests ? {} : { childLoggerFactory: (parent: FastifyBaseLogger) => parent }),
    genReqId: requestIds(config),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedHops(config.trustProxy),
    bodyLimit: 65_536,
    requestTimeout: 10_000,
    connectionTimeout: MAX_SILENCE,
    keepAliveTimeout: 5_000,
    forceCloseConnections: 'idle',
    // By default Node checks only every 30 seconds for requests that never end.
    // Node's optimizeEmptyRequests is off: with it, Fastify would wait for the body of a request
    // that has only a content type.
    http: {
      headersTimeout: 5_000,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 16_384,
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: 128 },
    // Requests that Node and Fastify refuse themselves get the server's headers and error body.
    return503OnClosing: false,
    clientErrorHandler: refuseMalformed(headers),
    frameworkErrors: (error, request, reply) =>
      void sendError(reply.headers(headers).header('x-request-id', request.id), toApiError(error)),
  })
  const metrics = createMetrics()
  app.decorate('metrics', metrics)
  countRequests(app, metrics)
  registerDefaultHeaders(app, headers)
  const admission = registerAdmission(app, {
    onRefusal: () => metrics.overloadRefusals.add(),
  })
  await applyQuota(db, config.quota)
  const key = await pushKey(db, config)
  const mailer = createMailer(config, ({ message, ...codes }) => app.log.error(codes, message))
  const hub = createHub(db, now, () => metrics.eventsSent.add())
  const resolveName = createNameResolver(options.nameServers)
  const deliverer = createDeliverer({ db, config, now, metrics }, resolveName, app.log)
  const pusher =
    key &&
    createPusher({ db, config, now, metrics }, key, resolveName, (...due) => ask(...due), app.log)
  const services: Services = {
    db,
    config,
    now,
    passwords: passwordHasher(passwordCost),
    signIns: createSignIns(db, now),
    hub: {
      ...hub,
      documentChanged(owner, collection, action, text, isLogAlone) {
        hub.documentChanged(owner, collection, action, text)
        if (isLogAlone === true) return
        deliverer.documentChanged(owner, collection, action, text)
        pusher?.documentChanged(owner, collection)
      },
      accountChanged(userId, what, payload) {
        hub.accountChanged(userId, what, payload)
        if (what === 'update.prefs') pusher?.prefsChanged(userId)
      },
    },
    throttle: createThrottle(db, now, config.rateLimits, (limit) =>
      metrics.limitRefusals.with(limit).add(),
    ),
    proxyPersonOf: proxyPersonReader(config),
    mailer,
    metrics,
    backupStatus: options.backupStatus ?? (() => NO_BACKUPS),
    isOverloaded: admission.isOverloaded,
  }

  const measures = measureServer(metrics, db, services.backupStatus, now)
  const documents = new Documents(services)
  const histories = new Histories(db, services.throttle, (text) => app.log.warn(text))
  const ask = createAsk(services, documents, histories)

  recordRoutes(app)
  app.setValidatorCompiler(compileCheck)
  app.setSerializerCompiler(() => JSON.stringify)
  app.addHook('onClose', async () => mailer?.idle())
  app.addHook('onClose', () => deliverer.stop())
  app.addHook('onClose', async () => pusher?.stop())
  app.addHook('onClose', async () => measures.stop())
  app.addHook('onClose', () => histories.close())
  registerErrorHandler(app)
  acceptOnlyJson(app)
  if (logsRequests) logRequests(app)
  await app.register(fastifyCookie, { hook: false })
  await app.register(async (api) => {
    registerOrigins(api, config)
    if (shedsLoad) limitHandlers(api)
    await api.register(async (open) => {
      open.all('/*', (_request, reply) => sendError(reply, apiError('general_route_not_found')))
      registerHealth(open.withTypeProvider<SchemaTypes>(), services)
      registerOpenApi(open.withTypeProvider<SchemaTypes>())
    }, V1)
    await api.register(async (admitted) => {
      if (shedsLoad) await admission.shedLoad(admitted)
      await admitted.register(async (project) => {
        project.addHook('onRequest', requireProject)
        project.addHook('onRequest', refuseKeys)
        const hooks = registerCaller(project, services)
        const routes = project.withTypeProvider<SchemaTypes>()
        registerAccount(routes, services, hooks)
        registerAccountSessions(routes, services, hooks)
        registerMailRoutes(routes, services, hooks)
        registerProxySignIn(routes, services)
        registerDocuments(routes, services, documents, hooks)
        registerKeys(routes, services, hooks)
        registerPasskeys(routes, services, hooks)
        registerSecondFactor(routes, services, hooks)
        registerFeedSettings(routes, services, hooks)
        const mayBeSentTo = createUrlCheck(resolveName, config.webhooksAllowPrivate)
        registerWebhooks(routes, services, deliverer, mayBeSentTo, hooks)
        registerPush(routes, services, documents, { key, pusher, mayBeSentTo }, hooks)
        registerCalendars(routes, services, resolveName, hooks)
        registerProposals(routes, services, hooks)
      }, V1)
      await admitted.register(async (browsers) => {
        registerOidc(browsers.withTypeProvider<SchemaTypes>(), services)
      }, V1)
      await admitted.register(async (keyed) => {
        const withKey = registerKeyHolder(keyed, services)
        registerMcp(keyed.withTypeProvider<SchemaTypes>(), services, documents, histories, withKey)
        await keyed.register(async (programs) => {
          const routes = programs.withTypeProvider<SchemaTypes>()
          registerOwnKey(routes, withKey)
          registerApi(routes, services, documents, histories, withKey)
        }, V1)
      })
    })
  })
  await app.register((realtime) => registerRealtime(realtime, services), V1)
  registerMetrics(app, config, metrics)
  registerApiPage(app, config)
  await app.register(async (feed) => {
    if (shedsLoad) limitHandlers(feed)
    registerFeed(feed, services, histories)
  })
  await registerSite(app, siteFolder, config, options.nextSite)
  return app
}

/**
 * Accepts JSON bodies only, because a page of another site can send `text/plain` without a
 * preflight. An empty body is an empty object, since some calls of the SDK have none.
 */
function acceptOnlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, {})
    if (!Buffer.isBuffer(body) || !isUtf8(body)) {
      return done(apiError('general_argument_invalid.body_encoding'))
    }
    return parse(request, body.toString(), done)
  })
}

/**
 * Logs a line for each request at level `debug`: the pattern of its route, never the path, which has the secret of a
 * calendar in as many spellings as URLs allow.
 */
function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const { url: route = '*' } = request.routeOptions
    request.log.debug(
      { method: request.method, route, status: reply.statusCode, ms: reply.elapsedTime },
      'request',
    )
  })
}

/** With `n` proxies, the nearest `n` addresses are trusted. */
function trustedHops(proxies: Config['trustProxy']) {
  return typeof proxies === 'number'
    ? (_address: string, hop: number): boolean => hop < proxies
    : proxies
}
