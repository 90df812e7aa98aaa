/** How the command line shows what the server answers. */
import { signed } from '@stint/core/balance/signed.ts'
import { briefDuration, formatDuration, formatTimer } from '@stint/core/time/duration.ts'

import type { Balance, Money, Sealed, Session, Target, Timer, Timesheet, Total } from './client.ts'

/** Returns 'Write report  1:05:09  since 09:05  note'. */
export function timerText({ task, seconds, startedAt, state, note }: Timer, zone: string): string {
  const since = `since ${clock(startedAt, zone)}`
  const parts = [task.name, formatTimer(seconds), state === 'paused' ? 'paused' : since, note]
  return parts.filter(Boolean).join('  ')
}

/** Returns 'Write report  1h 5m  09:05–10:10'. */
export function sessionText({ task, seconds, start, end, note }: Session, zone: string): string {
  const times = `${clock(start, zone)}–${clock(end, zone)}`
  return [task.name, formatDuration(seconds), times, note].filter(Boolean).join('  ')
}

/** Returns sessions under their days, in the given order. */
export function logText(sessions: readonly Session[], zone: string): string {
  const lines = columns(
    sessions.map(({ start, end, seconds, task, note }) => [
      `  ${clock(start, zone)}–${clock(end, zone)}`,
      formatDuration(seconds),
      task.name,
      note ?? '',
    ]),
    [1],
  )
  return sessions
    .flatMap(({ start }, index) => {
      const date = day(start, zone)
      const before = sessions[index - 1]
      const isNewDay = before === undefined || day(before.start, zone) !== date
      return isNewDay ? [...(index > 0 ? [''] : []), date, lines[index]] : [lines[index]]
    })
    .join('\n')
}

/** Returns a total and its groups. */
export function totalText({ seconds, groups, from, to }: Total): string {
  const period = from === to ? from : `${from} – ${to}`
  const rows = groups.map((group) => [`  ${group.name}`, formatDuration(group.seconds)])
  return [`${formatDuration(seconds)}  ${period}`, ...columns(rows, [1])].join('\n')
}

/** Returns the lines of a timesheet under their days, then its sums and its rule. */
export function timesheetText({ lines, seconds, amounts, rule, from, to }: Timesheet): string {
  const rows = columns(
    lines.map((line) => [
      `  ${formatDuration(line.seconds)}`,
      ...(amounts.length > 0 ? [line.amount ? moneyText(line.amount) : ''] : []),
      line.task.name,
      line.notes.join('; '),
    ]),
    amounts.length > 0 ? [0, 1] : [0],
  )
  const listed = lines.flatMap(({ date }, index) => {
    const isNewDay = lines[index - 1]?.date !== date
    return isNewDay ? [date, rows[index]] : [rows[index]]
  })
  const sums = [formatDuration(seconds), ...amounts.map(moneyText)].join('  ')
  const period = from === to ? from : `${from} – ${to}`
  return [...listed, ...(listed.length > 0 ? [''] : []), `${sums}  ${period}`, rule].join('\n')
}

/** Returns what was sealed, its hash and its page. */
export function sealedText({ sheet, sessions, explain }: Sealed): string {
  const { from, to, seconds, sha256 } = sheet
  const count = `${sessions} ${sessions === 1 ? 'session' : 'sessions'}`
  const period = from === to ? from : `${from} – ${to}`
  return [
    `Sealed ${count}, ${formatDuration(seconds)}  ${period}`,
    `SHA-256 ${sha256}`,
    explain,
  ].join('\n')
}

function moneyText({ amount, currency }: Money): string {
  return `${amount} ${currency}`
}

/** Returns the balance, what it is made of, and its periods, the latest first. */
export function balanceText({ balance, zeroAt, periods }: Balance, zone: string): string {
  if (!balance) return 'No hours account on these days. The page Balance of the app sets one up.'
  const sums = columns(
    BALANCE_ROWS.filter(([, part]) => balance[part] !== 0).map(([name, part]) => [
      `  ${name}`,
      signed(balance[part], formatDuration),
    ]),
    [1],
  )
  const rows = periods.map(({ from, to, after, worked, owed }) => [
    `  ${from === to ? from : `${from} – ${to}`}`,
    ...[worked, owed, after].map((seconds) => signed(seconds, formatDuration)),
  ])
  return [
    `${signed(balance.after, formatDuration)}  ${balance.to}`,
    ...sums,
    ...(zeroAt === null ? [] : [`  zero at ${clock(zeroAt, zone)}`]),
    ...(rows.length > 0
      ? ['', ...columns([['  days', 'worked', 'owed', 'balance'], ...rows], [1, 2, 3])]
      : []),
  ].join('\n')
}

/** Returns a line for each target: what was worked of it, and how it stands. */
export function targetsText(targets: readonly Target[], zone: string): string {
  if (targets.length === 0) return 'No targets. The page Targets of the app sets them.'
  const rows = targets.map((target) => [
    target.of.name,
    `at ${target.bound} ${briefDuration(target.seconds)} a ${target.span}`,
    formatDuration(target.worked),
    `${target.percent}%`,
    paceText(target, zone),
  ])
  return columns(rows, [2, 3]).join('\n')
}

const STATES = {
  reached: 'reached',
  onTrack: 'on track',
  behind: 'behind',
  over: 'over',
  fast: 'too fast',
} as const satisfies Record<Target['state'], string>

/** Returns 'on track: 1h 12m a day to go', 'over by 30m' or 'on track: 20m left, until 16:40'. */
function paceText(target: Target, zone: string): string {
  const { bound, state, left, over, daysLeft, perDay, reachedAt } = target
  if (state === 'over') return `over by ${formatDuration(over)}`
  if (state === 'reached') return over < 60 ? 'reached' : `reached, ${formatDuration(over)} more`
  const rest = bound === 'most' ? 'left' : 'to go'
  if (reachedAt !== null)
    return `${STATES[state]}: ${formatDuration(left)} ${rest}, until ${clock(reachedAt, zone)}`
  return perDay === null || daysLeft === 1
    ? `${STATES[state]}: ${formatDuration(left)} ${rest}`
    : `${STATES[state]}: ${formatDuration(perDay)} a day ${rest}`
}

const BALANCE_ROWS = [
  ['before', 'before'],
  ['at the start', 'opening'],
  ['worked', 'worked'],
  ['owed', 'owed'],
  ['public holidays', 'holidays'],
  ['days off', 'daysOff'],
  ['corrections', 'corrections'],
  ['over the limit', 'lapsed'],
] as const

/** Returns the rows with aligned columns; those of `right` end at the same place. */
function columns(rows: readonly (readonly string[])[], right: readonly number[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, (row[column] ?? '').length), 0),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return right.includes(column) ? cell.padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd(),
  )
}

function clock(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(instant))
}

function day(instant: string, timeZone: string): string {
  // Swedish dates have the form of ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date(instant))
}
