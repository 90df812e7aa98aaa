/** The commands that press the timer, and the one that adds a session. */
import { formatDuration } from '@stint/core/time/duration.ts'
import { Option } from 'commander'
import type { Command } from 'commander'

import type { Session } from './client.ts'
import { sessionText, timerText } from './text.ts'
import type { WithTools } from './tools.ts'

interface Timed {
  readonly at?: string
  readonly note?: string
}

/** Adds them to `stint`. */
export function addTimerCommands(stint: Command, withTools: WithTools): void {
  const at = new Option('--at <time>', 'when, if not now')
  const note = new Option('--note <text>', 'a note, with #tags')

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
}

function overlapLines(overlaps: readonly Session[], zone: string): string[] {
  return overlaps.map((session) => `Overlaps ${sessionText(session, zone)}`)
}
