/** The commands, their arguments and options. Each calls the server and shows its answer. */
import tab from '@bomb.sh/tab/commander'
import { terminalJson, terminalText } from '@stint/core/terminal.ts'
import { formatDuration } from '@stint/core/time/duration.ts'
import { CSV_DECIMALS, CSV_DURATIONS, CSV_SEPARATORS } from '@stint/core/transfer/csv-form.ts'
import type { CsvForm } from '@stint/core/transfer/csv-form.ts'
import { BALANCE_PERIODS } from '@stint/core/balance/balance.ts'
import { SESSION_CSV_FORM, sessionCsv } from '@stint/core/transfer/session-csv.ts'
import {
  ROUNDED_UNITS,
  ROUNDING_DIRECTIONS,
  ROUNDING_STEPS,
} from '@stint/core/timesheet/rounding.ts'
import { VERSION } from '@stint/core/version.ts'
import { Command, Option } from 'commander'

import { createClient } from './client.ts'
import type { Client, Session } from './client.ts'
import { readAccess, removeAccess, serverAt, storeAccess } from './config.ts'
import { readSecret } from './secret.ts'
import {
  balanceText,
  logText,
  sealedText,
  sessionText,
  targetsText,
  timerText,
  timesheetText,
  totalText,
} from './text.ts'

/** Sessions in one call of `log --all` and `export`; the server allows no more. */
const PAGE = '500'

const HELP = `
Times are typed as in the app: 9:05, 10m ago, yesterday 14:00.
A filter is typed as on the page Sessions: last week, @acme, #call, task:hiring, ">2h", or named as it is saved.
Exit codes: 0 done, 1 refused, 2 not understood, 3 no timer, 4 key missing or refused, 5 server unreachable.
STINT_SERVER and STINT_KEY are used instead of what 'stint login' stored.
STINT_ALLOW_HTTP=1 allows http:// to another machine.`

interface Timed {
  readonly at?: string
  readonly note?: string
}

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

/** What a command has: the server, and how to show its answer. */
interface Tools {
  readonly call: Client
  /** Prints the answer with --json, else the lines. They get the zone in which the user's days are. */
  readonly show: (answer: unknown, lines: (zone: string) => readonly string[]) => Promise<void>
  /** The same for a file, which has every character, unless it goes to a terminal. */
  readonly showFile: (answer: unknown, lines: () => readonly string[]) => Promise<void>
}

/** Creates the program. Parsing throws Failure, or CommanderError after its message is printed. */
export function createProgram(): Command {
  const stint = new Command('stint')
    .description('The time tracker on the command line.')
    .version(VERSION)
    .option('--json', 'print the answer of the server')
    .addHelpText('after', HELP)
    .exitOverride()
  const at = new Option('--at <time>', 'when, if not now')
  const note = new Option('--note <text>', 'a note, with #tags')

  stint
    .command('login')
    .description('store the address of the server and a key, which is typed or piped in')
    .argument('<server>', 'such as https://stint.example.com')
    .action(async (server: string) => {
      const address = serverAt(server)
      const access = { server: address, key: await readSecret('Key (Settings → Keys): ') }
      const { name } = await createClient(access)('GET keys/current')
      print([terminalText(`The key “${name}” is stored in ${await storeAccess(access)}.`)])
    })
  stint.command('logout').description('remove the stored key').action(removeAccess)

  stint
    .command('start')
    .description('start a task; a new name creates one')
    .argument('<line...>', "such as Write report, or 'call Ann @acme 10m ago'")
    .addOption(at)
    .addOption(note)
    .action(
      withTools(async ({ call, show }, words: string[], { at, note }: Timed) => {
        const answer = await call('POST start', { line: words.join(' '), at, note })
        const { timer, stopped, overlaps } = answer
        await show(answer, (zone) => [
          ...(stopped ? [`Saved ${sessionText(stopped, zone)}`] : []),
          `Started ${timerText(timer, zone)}`,
          ...overlapLines(overlaps, zone),
        ])
      }),
    )
  stint
    .command('stop')
    .description('stop the timer and save the session')
    .addOption(at)
    .action(
      withTools(async ({ call, show }, { at }: Timed) => {
        const answer = await call('POST stop', { at })
        const { session } = answer
        await show(answer, (zone) => [
          session ? `Saved ${sessionText(session, zone)}` : 'Not saved: less than a second.',
        ])
      }),
    )
  for (const [name, description] of [
    ['pause', 'pause the timer'],
    ['resume', 'resume the timer'],
    ['toggle', 'pause or resume the timer'],
  ] as const) {
    stint
      .command(name)
      .description(description)
      .addOption(at)
      .action(
        withTools(async ({ call, show }, { at }: Timed) => {
          const answer = await call(`POST ${name}`, { at })
          await show(answer, (zone) => [timerText(answer.timer, zone)])
        }),
      )
  }
  stint
    .command('status')
    .description('show the timer and the work of today')
    .action(
      withTools(async ({ call, show }) => {
        const answer = await call('GET now')
        const { timer, todaySeconds } = answer
        await show(answer, (zone) => [
          timer ? timerText(timer, zone) : 'No timer',
          `Today ${formatDuration(todaySeconds)}`,
        ])
      }),
    )

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
    .command('add')
    .description('add a session that is over')
    .argument('<times>', 'such as 9-10:30, or "yesterday 14:00 1h"')
    .argument('<task...>', 'its name; a new one creates a task')
    .action(
      withTools(async ({ call, show }, times: string, task: string[]) => {
        const answer = await call('POST sessions', { line: [times, ...task].join(' ') })
        await show(answer, (zone) => [
          `Added ${sessionText(answer.session, zone)}`,
          ...overlapLines(answer.overlaps, zone),
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

  tab(stint, { completionCommandName: 'completion' })
  return stint

  /** Returns an action that has the stored server. Throws Failure without one. */
  function withTools<Args extends unknown[]>(work: (tools: Tools, ...args: Args) => Promise<void>) {
    return async (...args: Args) => {
      const call = createClient(await readAccess())
      const { json } = stint.opts<{ json?: true }>()
      await work(
        {
          call,
          async show(answer, lines) {
            if (json) print([jsonText(answer)])
            else print(lines((await call('GET now')).timeZone).map(terminalText))
          },
          async showFile(answer, lines) {
            if (json) print([jsonText(answer)])
            else print(process.stdout.isTTY ? lines().map(terminalText) : lines())
          },
        },
        ...args,
      )
    }
  }
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

function overlapLines(overlaps: readonly Session[], zone: string): string[] {
  return overlaps.map((session) => `Overlaps ${sessionText(session, zone)}`)
}

function jsonText(answer: unknown): string {
  return terminalJson(JSON.stringify(answer, null, 2))
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}
