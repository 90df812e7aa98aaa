/**
 * What the server counts for its operator. No label is taken from a request's URL or from a person:
 * routes are patterns, and all other values are words of this program.
 */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { sql } from 'kysely'
import { VERSION } from '@stint/core/version.ts'
import type { Database } from '#storage/database.ts'
import { SCHEMA_VERSION } from '#storage/migrations.ts'
import type { BackupStatus } from '#backups/status.ts'
import { createRegistry } from './exposition.ts'
import type { Counter, Family, Histogram, MetricsRegistry } from './exposition.ts'

/** Upper bounds of durations, in seconds. */
const DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** How long counted rows are believed, in milliseconds: counting reads a whole index. */
const ROWS_BELIEVED_FOR = 60_000

const NANOSECONDS = 1e9

export interface Metrics {
  readonly registry: MetricsRegistry
  /** By method, route and class of status. */
  readonly requests: Family<Counter>
  /** By method and route. */
  readonly durations: Family<Histogram>
  /** By event of the security log. */
  readonly securityEvents: Family<Counter>
  /** By access of the key. */
  readonly keyUses: Family<Counter>
  /** By name of the limit. */
  readonly limitRefusals: Family<Counter>
  readonly overloadRefusals: Counter
  readonly eventsSent: Counter
  /** By result: `delivered` or `failed`. */
  readonly webhookCalls: Family<Counter>
  /** By result: `delivered`, `failed` or `gone`. */
  readonly pushCalls: Family<Counter>
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly metrics: Metrics
  }
}

/** Returns counters at zero. */
export function createMetrics(): Metrics {
  const registry = createRegistry()
  return {
    registry,
    requests: registry.counters('stint_http_requests_total', 'Requests that were answered.', [
      'method',
      'route',
      'status',
    ]),
    durations: registry.histograms(
      'stint_http_request_duration_seconds',
      'Time from reading a request to the end of its reply.',
      ['method', 'route'],
      DURATIONS,
    ),
    securityEvents: registry.counters(
      'stint_security_events_total',
      'Lines of the security log, such as sign-in and sign-in-refused.',
      ['event'],
    ),
    keyUses: registry.counters('stint_key_uses_total', 'Calls with a key.', ['access']),
    limitRefusals: registry.counters(
      'stint_limit_refusals_total',
      'Requests that a limit refused.',
      ['limit'],
    ),
    overloadRefusals: registry.counter(
      'stint_overload_refusals_total',
      'Requests that were refused because the server was overloaded.',
    ),
    eventsSent: registry.counter(
      'stint_realtime_events_total',
      'Events that were sent to sockets.',
    ),
    webhookCalls: registry.counters('stint_webhook_calls_total', 'Calls of webhooks.', ['result']),
    pushCalls: registry.counters('stint_push_calls_total', 'Calls of push services.', ['result']),
  }
}

/** Adds what is read when somebody asks: the database, the backups and the process. */
export function measureServer(
  { registry }: Metrics,
  db: Database,
  backupStatus: () => BackupStatus,
  now: () => number,
): { readonly stop: () => void } {
  registry.info('stint_info', 'The versions of the program and of its schema.', {
    version: VERSION,
    schema: String(SCHEMA_VERSION),
  })
  measureDatabase(registry, db)
  measureBackups(registry, backupStatus, now)
  return measureProcess(registry)
}

function measureDatabase(registry: MetricsRegistry, db: Database): void {
  registry.gauge('stint_database_bytes', 'The size of the database, its log included.', () =>
    db.bytes(),
  )
  const rows = rowCounter(db)
  registry.gauge('stint_users', 'Accounts.', async () => (await rows()).users)
  registry.gauge('stint_sessions', 'Sign-ins on devices.', async () => (await rows()).sessions)
}

interface Rows {
  readonly users: number
  readonly sessions: number
}

/** Returns the function that counts accounts and sign-ins, apart from other reads. */
function rowCounter(db: Database): () => Promise<Rows> {
  const inTime = db.dialect.isInTime ?? sql`true`
  const query = sql<Rows>`select
    (select count(*) from users where ${inTime}) as users,
    (select count(*) from sessions where ${inTime}) as sessions`.compile(db.build)
  let counted: Promise<Rows> | null = null
  let until = 0
  return () => {
    if (counted !== null && performance.now() < until) return counted
    until = performance.now() + ROWS_BELIEVED_FOR
    counted = db.readSlowly<Rows>('', query).then(([found]) => found ?? { users: 0, sessions: 0 })
    // A count that failed is tried again the next time.
    counted.catch(() => (until = 0))
    return counted
  }
}

function measureBackups(
  registry: MetricsRegistry,
  status: () => BackupStatus,
  now: () => number,
): void {
  registry.gauge('stint_backup_enabled', '1 if the server makes backups.', () =>
    status().state === 'off' ? 0 : 1,
  )
  registry.gauge(
    'stint_backup_ok',
    '1 unless backups are unavailable or the last try failed.',
    () => (status().problem === null ? 1 : 0),
  )
  registry.gauge('stint_backup_last_timestamp_seconds', 'When the newest backup was made.', () => {
    const { lastAt } = status()
    return lastAt === null ? null : lastAt / 1000
  })
  registry.gauge('stint_backup_age_seconds', 'The age of the newest backup.', () => {
    const { lastAt } = status()
    return lastAt === null ? null : Math.max(0, (now() - lastAt) / 1000)
  })
  registry.gauge(
    'stint_backup_last_bytes',
    'The size of the newest backup.',
    () => status().lastBytes,
  )
  registry.countedElsewhere(
    'stint_backup_failures_total',
    'Backups that failed.',
    () => status().failures,
  )
}

function measureProcess(registry: MetricsRegistry): { readonly stop: () => void } {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  registry.gauge(
    'stint_event_loop_delay_p99_seconds',
    'The delay of the event loop since the metrics were last read, 99th percentile.',
    () => delay.percentile(99) / NANOSECONDS,
  )
  registry.gauge(
    'stint_event_loop_delay_max_seconds',
    'The longest delay of the event loop since the metrics were last read.',
    () => {
      const seconds = delay.max / NANOSECONDS
      delay.reset()
      return seconds
    },
  )
  registry.countedElsewhere(
    'process_cpu_seconds_total',
    'Time of processors that the process has used.',
    () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    },
  )
  registry.gauge('process_resident_memory_bytes', 'Memory of the process.', () =>
    process.memoryUsage.rss(),
  )
  registry.gauge(
    'process_start_time_seconds',
    'When the process started.',
    () => performance.timeOrigin / 1000,
  )
  registry.gauge(
    'nodejs_heap_size_used_bytes',
    'Memory of JavaScript objects.',
    () => process.memoryUsage().heapUsed,
  )
  return { stop: () => void delay.disable() }
}
