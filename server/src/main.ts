/** Starts the server: configuration, database, app, and an orderly shutdown. */
import { terminalText } from '@stint/core/terminal.ts'
import { isLoopbackHost, readConfig } from './config.ts'
import type { AppOptions } from './app.ts'
import { loggerOptions } from './log.ts'
import { OperatorError } from './operator-error.ts'
import { currentBuild, keepBuild } from '#site/build.ts'

const OLDEST_NODE = 26
/**
 * How many connections may wait to be accepted, as far as the system allows (Linux: 4096). Node's
 * default of 511 is too few when thousands of devices reconnect at once: the packets of the others
 * are dropped, and retried after 1, 2, 4 and 8 seconds.
 */
const MAX_WAITING = 4096

// Undefined before Node 24, which `main` refuses with a message.
if (import.meta.main ?? true) await startServer(currentBuild())

type StartOptions = Pick<AppOptions, 'shedsLoad' | 'nextSite'>

/**
 * Serves the API and the build of the web app in `siteFolder`. Ends the process on failure.
 * `shedsLoad: false` refuses no request because the server is slow, for tests.
 */
export async function startServer(siteFolder: string, options: StartOptions = {}): Promise<void> {
  try {
    await main(siteFolder, options)
  } catch (error) {
    console.error(terminalText(explain(error)))
    process.exit(1)
  }
}

async function main(siteFolder: string, options: StartOptions): Promise<void> {
  const major = Number(process.versions.node.split('.')[0])
  if (major < OLDEST_NODE) {
    throw new OperatorError(
      `Stint needs Node ${OLDEST_NODE} or newer; this is Node ${process.versions.node}. ` +
        'Start it with "npm start", which uses the Node that npm has installed.',
    )
  }
  const config = readConfig(process.env)
  // Loaded after the check: on an older Node the database's binary would crash.
  const [{ openDatabase }, { copierOf }, { createBackups }, { buildApp }, closing] =
    await Promise.all([
      import('#storage/open.ts'),
      import('#storage/copier.ts'),
      import('#backups/service.ts'),
      import('./app.ts'),
      import('close-with-grace'),
    ])
  const db = await openDatabase(config.databaseUrl, {
    dataDirectory: config.dataDirectory,
    warn: (text) => console.warn(terminalText(text)),
  })
  const backups = createBackups(config, await copierOf(config.databaseUrl))
  const app = await buildApp({
    ...options,
    db,
    config,
    siteFolder,
    logger: loggerOptions(config),
    backupStatus: backups.status,
  })
  keepBuild(siteFolder)
  void options.nextSite?.then(keepBuild)
  closing.default({ delay: 15_000, logger: app.log }, async ({ signal, err }) => {
    if (err !== undefined) app.log.error({ err }, 'stopping after an error')
    else app.log.info({ signal }, 'stopping')
    await backups.stop()
    await app.close()
    await db.close()
  })
  await app.listen({ host: config.host, port: config.port, backlog: MAX_WAITING })
  backups.start(app.log)
  console.log(`Stint is at ${config.publicUrl}`)
  const isOnlyHere = isLoopbackHost(new URL(config.publicUrl).hostname)
  if (isOnlyHere && !isLoopbackHost(config.host)) {
    console.log('Other devices can use its IP address. To use a host name, set PUBLIC_URL.')
  }
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof OperatorError) return error.message
  const code = 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    return 'The port is already in use. Stop the program that uses it, or set PORT to another number.'
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `HOST must be an address of this machine, such as 127.0.0.1 or 0.0.0.0: ${error.message}`
  }
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') {
    return `Stint has no permission to write its data or to use the port: ${error.message}`
  }
  return error.stack ?? error.message
}
