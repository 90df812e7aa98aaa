/** Long runs, on demand: `npm run soak -- kill [rounds]`, `kill-postgres [rounds]`, `login [tries]`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '#db/test-postgres.ts'
import { killRounds } from './kill.ts'
import type { KillReport } from './kill.ts'
import { loginTiming, TELLING } from './login-timing.ts'

const WRITERS = 8

const [command, count] = process.argv.slice(2)
const isFine = await run(command ?? '', Number(count ?? 0))
process.exitCode = isFine ? 0 : 1

async function run(name: string, times: number): Promise<boolean> {
  switch (name) {
    case 'kill': {
      const folder = mkdtempSync(join(tmpdir(), 'stint-soak-'))
      const report = await killRounds(`file:${join(folder, 'stint.db')}`, times || 1000, WRITERS, {
        onRound: tellProgress,
      })
      rmSync(folder, { recursive: true })
      return tell(report)
    }
    case 'kill-postgres': {
      const postgres = await startPostgres()
      const report = await killRounds(postgres.url, times || 200, WRITERS, {
        postgres,
        onRound: tellProgress,
      })
      await postgres.stop()
      return tell(report)
    }
    case 'login': {
      const t = await loginTiming(times || 1000)
      process.stdout.write(`Welch's t of known against unknown addresses: ${t.toFixed(2)}\n`)
      return Math.abs(t) < TELLING
    }
    default:
      process.stderr.write('Usage: npm run soak -- kill|kill-postgres|login [count]\n')
      return false
  }
}

function tell(report: KillReport): boolean {
  process.stdout.write(`${line(report)}\n`)
  return report.lost.length === 0 && report.faults === 0
}

/** So that a run that is ended early has said something. */
function tellProgress(report: KillReport): void {
  if (report.rounds % 20 === 0) process.stderr.write(`${line(report)}\n`)
}

function line({ lost, ...figures }: KillReport): string {
  return JSON.stringify({ ...figures, lost: lost.length })
}
