/** Runs the project's tools from a script, with the pinned Node. */
import './node-version.js'

import { spawn } from 'node:child_process'
import type { ChildProcess, StdioOptions } from 'node:child_process'
import { delimiter, join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..')

/**
 * Runs a tool of node_modules/.bin, or any command, in the project's folder, and shows its output.
 * Returns its exit code.
 */
export async function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  return exitCode(start(command, args, 'inherit', env))
}

/** As `run`, but shows the output at its end, under a title, so that it does not mix with that of another tool. */
async function runAside(title: string, command: string, args: readonly string[]): Promise<number> {
  // What a tool says to a terminal has colours; a tool that writes into a pipe leaves them out.
  const colors = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
  const child = start(command, args, ['ignore', 'pipe', 'pipe'], colors)
  const said: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data: Buffer) => said.push(data))
  }
  const code = await exitCode(child)
  console.log(`\n── ${title}\n${Buffer.concat(said).toString().trimEnd()}`)
  return code
}

function start(
  command: string,
  args: readonly string[],
  stdio: StdioOptions,
  env: Readonly<Record<string, string>>,
): ChildProcess {
  const bin = join(ROOT, 'node_modules/.bin')
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio,
    env: { ...process.env, ...env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` },
  })
  // A server that is stopped while it builds leaves no builder behind.
  const end = () => child.kill()
  process.once('exit', end)
  child.once('close', () => process.off('exit', end))
  return child
}

function exitCode(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    // After the last output.
    child.on('close', (code) => resolve(code ?? 1))
  })
}

export type Step = readonly [title: string, work: () => Promise<number>]

/**
 * Runs all steps one after the other, also after one that failed, and prints how long each and all took. The exit
 * code is 1 if any failed.
 */
export async function runSteps(steps: readonly Step[]): Promise<void> {
  const startedAt = Date.now()
  const results: string[] = []
  for (const [title, work] of steps) {
    console.log(`\n── ${title}`)
    results.push(await resultOf(title, work))
  }
  console.log(`\n${results.join('\n')}\n── In all: ${secondsSince(startedAt)} s`)
}

export type Command = readonly [title: string, command: string, ...args: readonly string[]]

/** Runs commands as `runSteps` does, but two at a time: most of them keep one core busy. */
export async function runTwoAtATime(commands: readonly Command[]): Promise<void> {
  const results: string[] = []
  const waiting = commands.values()
  // Both take from one iterator.
  const worker = async () => {
    for (const [title, command, ...args] of waiting) {
      results.push(await resultOf(title, () => runAside(title, command, args)))
    }
  }
  await Promise.all([worker(), worker()])
  console.log(`\n${results.join('\n')}`)
}

/** Returns a line about the step. */
async function resultOf(title: string, work: () => Promise<number>): Promise<string> {
  const startedAt = Date.now()
  const code = await work()
  if (code !== 0) process.exitCode = 1
  return `── ${title}: ${code === 0 ? 'ok' : 'failed'}, ${secondsSince(startedAt)} s`
}

function secondsSince(start: number): number {
  return Math.round((Date.now() - start) / 1000)
}
