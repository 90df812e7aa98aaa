/** The commands that show and print what was tracked. */
import { BALANCE_PERIODS } from '@stint/core/balance/balance.ts'
import { formatDuration } from '@stint/core/time/duration.ts'
import {
  ROUNDED_UNITS,
  ROUNDING_DIRECTIONS,
  ROUNDING_STEPS,
} from '@stint/core/timesheet/rounding.ts'
import { CSV_DECIMALS, CSV_DURATIONS, CSV_SEPARATORS } from '@stint/core/transfer/csv-form.ts'
import type { CsvForm } from '@stint/core/transfer/csv-form.ts'
import { SESSION_CSV_FORM, sessionCsv } from '@stint/core/transfer/session-csv.ts'
import { Option } from 'commander'
import type { Command } from 'commander'

import type { Client, Session } from './client.ts'
import { balanceText, logText, sealedText, targetsText, timesheetText, totalText } from './text.ts'
import type { Tools, WithTools } from './tools.ts'

/** Sessions in one call of `log --all` and `export`; the server allows no more. */
const PAGE = '500'

interface BalanceOptions {
  readonly by?: string
  readonly csv?: true
}

/** What is not given is as chosen in the app. */
interface SheetOptions {
  readonly filter?: string
  readonly step?: string
  readonly direction?: string
  readonly per?: string
  readonly billable?: string
  readonly csv?: true
  readonly seal?: true
  readonly again?: true
}

/** Adds them to `stint`. */
export function addReportCommands(stint: Command, withTools: WithTools): void {
  stint
    .command('today')
    .description('show the work of today by task')
    .action(withTools((tools) => showTotal(tools, { period: 'today', by: 'task' })))
  stint
    .command('total')
    .description('show the work of a period')
    .argument('<period...>', 'today, last 30 days, since monday, 3-17 nov, 2026-03, Q3')
    .addOption(new Option('--by <group>', 'also by').choices(['day', 'task', 'category', 'tag']))
    .option('--filter <filter>', 'only sessions that it finds')
    .action(
      withTools((tools, period: string[], options: { by?: string; filter?: string }) =>
        showTotal(tools, { period: period.join(' '), ...options }),
      ),
    )
  stint
    .command('balance')
    .description('show the hours account: overtime, and what it is made of')
    .argument('[period...]', 'such as this month; without one from its beginning until now')
    .addOption(new Option('--by <period>', 'also by').choices(BALANCE_PERIODS))
    .option('--csv', 'print all days as CSV')
    .action(
      withTools(async ({ call, show, showFile }, period: string[], options: BalanceOptions) => {
        if (options.csv) {
          const file = await call('GET balance.csv', {})
          return showFile(file, () => [file.trimEnd()])
        }
        const named = period.length > 0 ? { period: period.join(' ') } : {}
        const answer = await call('GET balance', { ...named, by: options.by })
        await show(answer, (zone) => [balanceText(answer, zone)])
      }),
    )
  stint
    .command('timesheet')
    .description('show the timesheet: lines by day and task, rounded by a rule, with amounts')
    .argument('[period...]', 'such as last month; without one this month')
    .option('--filter <filter>', 'only sessions that it finds')
    .addOption(
      new Option('--step <minutes>', 'to which times are rounded; 0: exact').choices(
        ROUNDING_STEPS.map(String),
      ),
    )
    .addOption(new Option('--direction <way>', 'of rounding').choices(ROUNDING_DIRECTIONS))
    .addOption(
      new Option('--per <part>', 'what is rounded; a line is a task of a day').choices(
        ROUNDED_UNITS,
      ),
    )
    .addOption(new Option('--billable <which>', 'leave out what is not').choices(['only', 'all']))
    .option('--csv', 'print it as CSV')
    .addOption(
      new Option('--seal', 'seal it: mark its sessions as invoiced, and print its hash').conflicts(
        'csv',
      ),
    )
    .option('--again', 'seal sessions that are on a sealed timesheet with these days already')
    .action(
      withTools(async ({ call, show, showFile }, words: string[], options: SheetOptions) => {
        const { csv, seal, again, ...rule } = options
        const period = words.length > 0 ? words.join(' ') : undefined
        if (seal) {
          const answer = await call('POST timesheets', { ...rule, period, again })
          await show(answer, () => [sealedText(answer)])
          return
        }
        if (csv) {
          const file = await call('GET timesheet.csv', { ...rule, period })
          return showFile(file, () => [file.trimEnd()])
        }
        const answer = await call('GET timesheet', { ...rule, period })
        await show(answer, () => [timesheetText(answer)])
      }),
    )
  stint
    .command('targets')
    .description('show the targets, and what is left to go')
    .action(
      withTools(async ({ call, show }) => {
        const answer = await call('GET targets')
        await show(answer, (zone) => [targetsText(answer.targets, zone)])
      }),
    )
  stint
    .command('log')
    .description('list sessions, newest first')
    .argument('[filter...]', 'such as last week, or #acme')
    .option('-n, --limit <count>', 'how many', '50')
    .action(
      withTools(async ({ call, show }, filter: string[], { limit }: { limit: string }) => {
        const answer = await call('GET sessions', { filter: filter.join(' '), limit })
        const { sessions, total } = answer
        const rest = total.count - sessions.length
        await show(answer, (zone) => [
          ...(sessions.length > 0 ? [logText(sessions, zone), ''] : []),
          `${total.count} ${total.count === 1 ? 'session' : 'sessions'}, ${formatDuration(total.seconds)}${rest > 0 ? `; ${rest} not shown` : ''}`,
        ])
      }),
    )
  stint
    .command('tasks')
    .description('list tasks')
    .argument('[name]', 'only those with this in their name, or of @category')
    .action(
      withTools(async ({ call, show }, q?: string) => {
        const answer = await call('GET tasks', { q })
        await show(answer, () => answer.tasks.map(({ name }) => name))
      }),
    )
  stint
    .command('export')
    .description('print all sessions, or those that a filter finds, as CSV or with --json')
    .argument('[filter...]', 'such as last month')
    .addOption(csvOption('--separator <name>', 'between the fields', CSV_SEPARATORS, 'separator'))
    .addOption(csvOption('--decimal <sign>', 'of the hours', CSV_DECIMALS, 'decimal'))
    .addOption(csvOption('--duration <form>', '1:05:09, 1.0858 or 3909', CSV_DURATIONS, 'duration'))
    .action(
      withTools(async ({ call, showFile }, filter: string[], form: CsvForm) => {
        const sessions = await allSessions(call, filter.join(' '))
        await showFile(sessions, () => [sessionCsv(sessions, form).replace(/\r\n$/, '')])
      }),
    )
}

/** Returns an option of the form of a CSV file, of which commander refuses any other value. */
function csvOption(
  flags: string,
  description: string,
  choices: readonly string[],
  name: keyof CsvForm,
): Option {
  return new Option(flags, description).choices(choices).default(SESSION_CSV_FORM[name])
}

async function showTotal(
  { call, show }: Tools,
  values: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const answer = await call('GET total', values)
  await show(answer, () => [totalText(answer)])
}

/** Returns all sessions that a filter finds, newest first. Throws Failure. */
export async function allSessions(call: Client, filter: string): Promise<Session[]> {
  const all: Session[] = []
  let cursor: string | undefined
  do {
    const { sessions, next } = await call('GET sessions', { filter, limit: PAGE, cursor })
    all.push(...sessions)
    cursor = next ?? undefined
  } while (cursor !== undefined)
  return all
}
