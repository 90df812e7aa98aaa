import './scripts/node-version.js'

import { defineConfig } from 'vitest/config'

import { IS_LONG, IS_SHORT, runsOf, testsOf } from './testing/src/size.ts'
import { LIMITS, webProjects } from './web/vitest.projects.ts'

/** Before every file of tests; web has its own. */
const setupFiles = ['testing/src/setup.ts', 'testing/src/properties.ts']

/**
 * `core` runs in four time zones: one that changes at midnight in the short run; half an hour off, across the
 * date line, and another one that changes in the long one.
 */
const FIRST_ZONE = ['America/Santiago']
const OTHER_ZONES = ['America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Auckland']

/** What has SQL, transactions or locks of its own: the short run tries it on PostgreSQL as well. */
const WITH_SQL = [
  'server/src/storage/**/*.test.ts',
  'server/src/documents/**/*.test.ts',
  'server/src/accounts/{account,delete,invites,ways-in}.test.ts',
  'server/src/api/timer.test.ts',
  'server/src/http/throttle.test.ts',
  'server/src/operator/metrics.test.ts',
]
/** What else the long run tries there: programs that write at once, and what breaks a server from outside. */
const UNDER_STRESS = [
  'server/src/{api,realtime,webhooks}/*.test.ts',
  'server/src/accounts/{oidc,mail,change}.test.ts',
  'server/src/*.test.ts',
  'testing/src/soak/{attacks,backups,events,kill,kill-presses,load,races}.long.test.ts',
]
/** What has neither SQL nor a transaction: SQLite shows it. */
const WITHOUT_SQL = [
  'server/src/{api-document,bounded-cache,config,errors,fair-queue,instant,log,openapi,thread}.test.ts',
  'server/src/accounts/{device,password-hash}.test.ts',
  'server/src/api/{balance-oracle,balance-oracle.long,description,total-by-day}.test.ts',
  'server/src/backups/{retention,schedule}.test.ts',
  'server/src/documents/**/{refusals,quota-refusals,reply-budget}.test.ts',
  'server/src/http/{admission,compress,headers,language,origins,params,request-id,timeouts}.test.ts',
  'server/src/{mail,site}/*.test.ts',
  'server/src/mcp/propose.test.ts',
  'server/src/operator/{dashboard,exposition}.test.ts',
  'server/src/realtime/ledger.test.ts',
  'server/src/storage/boundaries.test.ts',
  'server/src/webhooks/{addresses,names,shares}.test.ts',
]
/** Tests that explore: they are in the short run, and go further in the long one. */
const RACES = 'server/src/accounts/races.test.ts'
const EXPLORERS = [RACES, 'server/src/{call-cost,api/reports}.test.ts']
const ORACLE = 'core/src/reports/report-oracle.test.ts'

const ON_SERVER = testsOf('server/src', 'testing/src')
const ALL_ON_SERVER = ['server/src/**/*.test.ts', 'testing/src/**/*.test.ts']
/** What a zone of the process can change. */
const WITH_ZONES = [
  'core/src/{time,reports,timer,transfer}/**/*.test.ts',
  'core/src/traces/calendar.test.ts',
]

export default defineConfig({
  test: {
    ...LIMITS,
    projects: [
      ...[...(IS_LONG ? [] : FIRST_ZONE), ...(IS_SHORT ? [] : OTHER_ZONES)].map((name) => ({
        extends: true as const,
        test: {
          name: `core ${name}`,
          setupFiles: ['testing/src/properties.ts'],
          include: FIRST_ZONE.includes(name) ? ['core/src/**/*.test.ts'] : WITH_ZONES,
          // The oracle passes its zones itself: it runs once, and goes further in the long run.
          exclude: name === (IS_LONG ? OTHER_ZONES : FIRST_ZONE)[0] ? [] : [ORACLE],
          env: {
            TZ: name,
            HISTORIES: String(runsOf('HISTORIES', 150, 1000)),
            FILES: String(runsOf('FILES', 30, 100)),
            CALENDARS: String(runsOf('CALENDARS', 50, 1000)),
          },
          // Plain functions leave nothing behind: their files share a process.
          isolate: false,
        },
      })),
      {
        extends: true,
        test: {
          name: 'server sqlite',
          setupFiles,
          include: IS_LONG ? [...ON_SERVER.include, ...EXPLORERS] : ON_SERVER.include,
          // The short run races where transactions do.
          exclude: IS_SHORT ? [...ON_SERVER.exclude, RACES] : ON_SERVER.exclude,
          env: { TEST_DATABASE: 'sqlite' },
          // Every server of a test is its own, and none leaves anything in its modules.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'server postgres',
          setupFiles,
          include: onPostgres(),
          exclude: ['server/src/storage/sqlite/**', ...WITHOUT_SQL, ...(IS_LONG ? WITH_SQL : [])],
          env: { TEST_DATABASE: 'postgres' },
          isolate: false,
          globalSetup: ['testing/src/postgres.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'cli',
          setupFiles,
          ...testsOf('cli/src'),
          env: { TEST_DATABASE: 'sqlite' },
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'extension',
          setupFiles: ['testing/src/properties.ts'],
          ...testsOf('extension/src'),
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'scripts',
          setupFiles,
          ...testsOf('scripts'),
          isolate: false,
        },
      },
      ...webProjects,
    ],
  },
})

function onPostgres(): string[] {
  if (IS_SHORT) return [...WITH_SQL, RACES]
  return IS_LONG ? [...UNDER_STRESS, RACES] : ALL_ON_SERVER
}
