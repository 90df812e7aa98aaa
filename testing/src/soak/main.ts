/** Long runs on demand: `npm run soak -- <what> [how often]`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '#postgres.ts'
import type { TestPostgres } from '#postgres.ts'
import { OperatorError } from '@stint/server/operator-error.ts'
import { ATTACKS } from '#soak/attacks/all.ts'
import { runAttacks } from './attacks.ts'
import { backUpUnderLoad } from './backups.ts'
import { strangeSubscribers } from './events.ts'
import { exploreOrders, simulatePresses } from './devices.ts'
import { failSyncs, traceSyncs } from './fsync-trace.ts'
import { hostileMessages } from './hostile-messages.ts'
import { hostileRequests, MAX_HEAP_GROWTH } from './hostile.ts'
import { killPresses } from './kill-presses.ts'
import { killRounds } from './kill.ts'
import type { KillReport } from './kill.ts'
import { steadyLoad } from './load.ts'
import type { LoadReport } from './load.ts'
import { pauses } from './pause.ts'
import { startRaces } from './races.ts'
import { manySockets } from './sockets.ts'
import { loginTiming, recoveryTiming, TELLING } from './timing.ts'
import type { TimingReport } from './timing.ts'

const USAGE = `Usage: npm run soak -- <what> [how often]

  kill           kills the server under load (1000 rounds)
  kill-postgres  kills the server and PostgreSQL in turn (200 rounds)
  kill-presses   kills the server while programs start and stop timers, on both databases (100 rounds)
  backups        copies a database during writes (100 copies)
  fsync          traces that every reply waits for the disk (100 writes), and fails the disk; needs strace
  races          sixteen devices start a timer at once, on both databases (1000 races)
  hostile        malicious requests (100000), and a tenth as many messages
  events         fifty users subscribe to anything (10000 events)
  sockets        many users with the app open, and a restart (5000 sockets); needs Linux
  load           5000 sockets and 300 requests a second (600 seconds; 60 are the short form), then a flood
  attacks [sqlite|postgres] [seconds] [attack]
                 attacks on availability (20 seconds each; both databases); needs Linux
  pause          stops the event loop for a second (10 times), which must refuse no request
  login          compares the time of sign-ins with known and unknown addresses (1000 of each kind)
  recovery       the same for forgotten passwords (1000 of each kind)
  presses [presses] [seed]
                 presses on three devices with every fault (a million), and half as many without restored
                 servers and set clocks; on all cores
  orders [n]     every order of the requests of two devices, with two faults, and with one beside a
                 restored server; on all cores. With n only one in n scenarios
`

const WRITERS = 8
const MAX_GROWTH_MEBIBYTES = 50
/** The bounds under load, in milliseconds and mebibytes. */
const SLOWEST = { answer: 100, event: 250, growth: 50, flood: 5000, recovery: 3000 }
/** How long after a restart all sockets must be subscribed again, in milliseconds. */
const MAX_BACK = 10_000

const [what = '', ...parameters] = process.argv.slice(2)
const [count] = parameters
try {
  process.exitCode = (await run(what, Number(count ?? 0))) ? 0 : 1
} catch (error) {
  if (!(error instanceof OperatorError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

async function run(name: string, times: number): Promise<boolean> {
  switch (name) {
    case 'kill': {
      const options = { onRound: printProgress }
      return printKills(await onSqlite((url) => killRounds(url, times || 1000, WRITERS, options)))
    }
    case 'kill-postgres': {
      return printKills(
        await onPostgres((url, postgres) =>
          killRounds(url, times || 200, WRITERS, { postgres, onRound: printProgress }),
        ),
      )
    }
    case 'kill-presses': {
      const reports = await onBothDatabases(async (database, url) =>
        printReport({ database, ...(await killPresses(url, times || 100, WRITERS)) }),
      )
      return reports.every(({ wrong }) => wrong.length === 0)
    }
    case 'backups':
      return printReport(await backUpUnderLoad(times || 100)).missing === 0
    case 'fsync': {
      const verdict = printReport(await traceSyncs(times || 100))
      const failing = printReport(await failSyncs(20))
      return (
        verdict.early === 0 &&
        verdict.alone > 0 &&
        verdict.together > 0 &&
        failing.acknowledged === 0 &&
        failing.lost === 0
      )
    }
    case 'pause': {
      const { answered, refused } = printReport(await pauses(times || 10))
      return answered > 0 && refused === 0
    }
    case 'races': {
      const reports = await onBothDatabases(async (database, url) => {
        process.env['TEST_POSTGRES_URL'] = url
        process.env['TEST_DATABASE'] = database
        return printReport({ database, ...(await startRaces(times || 1000)) })
      })
      return reports.every(
        ({ wrongWinners, mostActive, faults }) =>
          wrongWinners === 0 && mostActive === 1 && faults === 0,
      )
    }
    case 'hostile': {
      const report = printReport(await hostileRequests(times || 100_000))
      const { dead, leaked } = printReport(await hostileMessages((times || 100_000) / 10))
      return (
        report.wrong.length === 0 &&
        report.residentGrowthMebibytes < MAX_GROWTH_MEBIBYTES &&
        report.heapGrowthMebibytes < MAX_HEAP_GROWTH &&
        dead === 0 &&
        leaked === 0
      )
    }
    case 'events': {
      const { missing, foreign } = printReport(await strangeSubscribers(times || 10_000))
      return missing === 0 && foreign === 0
    }
    case 'sockets': {
      const { badlyClosed, backWithinMilliseconds } = printReport(
        await onSqlite((url) => manySockets(url, times || 5000)),
      )
      return badlyClosed === 0 && backWithinMilliseconds < MAX_BACK
    }
    case 'load': {
      const options = { sockets: 5000, perSecond: 300, seconds: times || 600, flood: true }
      const report = printReport(await onSqlite((url) => steadyLoad(url, options)))
      return (
        report.refused === 0 &&
        report.faults === 0 &&
        report.missing === 0 &&
        report.p99 <= SLOWEST.answer &&
        report.eventP99 <= SLOWEST.event &&
        report.residentGrowthMebibytes <= SLOWEST.growth &&
        isShed(report.flood)
      )
    }
    case 'attacks':
      return withstandAttacks(parameters)
    case 'login':
      return printTiming(await loginTiming(times || 1000))
    case 'recovery':
      return printTiming(await recoveryTiming(times || 1000))
    case 'presses':
      return simulatePresses(times || 1_000_000, Number(parameters[1] ?? 1))
    case 'orders':
      return exploreOrders(times || 1)
    default:
      process.stderr.write(USAGE)
      return false
  }
}

/** Returns whether a flood was refused in part and every request was answered in time. */
function isShed(flood: LoadReport['flood']): boolean {
  return (
    flood !== null &&
    flood.refused > 0 &&
    flood.faults === 0 &&
    flood.longest <= SLOWEST.flood &&
    flood.recoveredWithin <= SLOWEST.recovery
  )
}

/** Runs the function with an empty database of each kind, one after the other. */
async function onBothDatabases<Result>(
  runAt: (database: 'sqlite' | 'postgres', url: string) => Promise<Result>,
): Promise<Result[]> {
  return [
    await onSqlite((url) => runAt('sqlite', url)),
    await onPostgres((url) => runAt('postgres', url)),
  ]
}

async function onSqlite<Result>(runAt: (url: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'stint-soak-'))
  const result = await runAt(`file:${join(folder, 'stint.db')}`)
  rmSync(folder, { recursive: true })
  return result
}

async function onPostgres<Result>(
  runAt: (url: string, postgres: TestPostgres) => Promise<Result>,
): Promise<Result> {
  const postgres = await startPostgres()
  const result = await runAt(postgres.url, postgres)
  await postgres.stop()
  return result
}

function printTiming(report: TimingReport): boolean {
  const { welch } = printReport(report)
  return Object.values(welch).every((t) => Math.abs(t) < TELLING)
}

function printKills(report: KillReport): boolean {
  printReport(report)
  return report.lost.length === 0 && report.faults === 0
}

/**
 * Runs attacks with the parameters `[sqlite|postgres] [seconds] [attack]`. The default is both
 * databases, 20 seconds and all attacks.
 */
async function withstandAttacks(parameters: readonly string[]): Promise<boolean> {
  const places = { sqlite: onSqlite, postgres: onPostgres }
  const databases = (['sqlite', 'postgres'] as const).filter((name) => parameters.includes(name))
  const [seconds] = parameters.map(Number).filter((number) => number > 0)
  const names = parameters.filter((name) => Object.hasOwn(ATTACKS, name))
  let missed = 0
  for (const database of databases.length > 0 ? databases : (['sqlite', 'postgres'] as const)) {
    const reports = await places[database]((url) =>
      runAttacks(url, {
        seconds: seconds ?? 20,
        size: 1,
        ...(names.length > 0 ? { names } : {}),
        onReport: (report) => process.stdout.write(`${JSON.stringify({ database, ...report })}\n`),
      }),
    )
    missed += reports.filter((report) => report.missed.length > 0).length
  }
  process.stdout.write(missed === 0 ? 'All goals are met.\n' : `${missed} attacks missed a goal.\n`)
  return missed === 0
}

/** Prints figures during the run, in case it is ended early. */
function printProgress({ lost, ...figures }: KillReport): void {
  if (figures.rounds % 20 !== 0) return
  process.stderr.write(`${JSON.stringify({ ...figures, lost: lost.length })}\n`)
}

function printReport<Report extends object>(report: Report): Report {
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  return report
}
