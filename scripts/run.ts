/** Runs the project's tools from a script, with the pinned Node. */
import { spawn } from 'node:child_process'
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
  const bin = join(ROOT, 'node_modules/.bin')
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` },
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

export type Step = readonly [title: string, work: () => Promise<number>]

/**
 * Runs all steps one after the other, also after one that failed, and prints how long each took. The exit code
 * is 1 if any failed.
 */
export async function runSteps(steps: readonly Step[]): Promise<void> {
  const results: string[] = []
  for (const [title, work] of steps) {
    const startedAt = Date.now()
    console.log(`\n── ${title}`)
    const code = await work()
    const seconds = Math.round((Date.now() - startedAt) / 1000)
    if (code !== 0) process.exitCode = 1
    results.push(`── ${title}: ${code === 0 ? 'ok' : 'failed'}, ${seconds} s`)
  }
  console.log(`\n${results.join('\n')}`)
}
