/** What a command has: the server, and how to show its answer. */
import { terminalJson, terminalText } from '@stint/core/terminal.ts'
import type { Command } from 'commander'

import { createClient } from './client.ts'
import type { Client } from './client.ts'
import { readAccess } from './config.ts'

/** What a command has: the server, and how to show its answer. */
export interface Tools {
  readonly call: Client
  /** Prints the answer with --json, else the lines. They get the zone in which the user's days are. */
  readonly show: (answer: unknown, lines: (zone: string) => readonly string[]) => Promise<void>
  /** The same for a file, which has every character, unless it goes to a terminal. */
  readonly showFile: (answer: unknown, lines: () => readonly string[]) => Promise<void>
}

/** Makes an action of `work`. It has the stored server, and throws Failure without one. */
export type WithTools = <Args extends unknown[]>(
  work: (tools: Tools, ...args: Args) => Promise<void>,
) => (...args: Args) => Promise<void>

/** Returns what makes the actions of `stint`. */
export function toolsOf(stint: Command): WithTools {
  return (work) =>
    async (...args) => {
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

/** Writes lines to stdout. */
export function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

function jsonText(answer: unknown): string {
  return terminalJson(JSON.stringify(answer, null, 2))
}
