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

/** Runs steps one after the other, and ends the process at the first failure. */
export async function runSteps(
  steps: readonly (readonly [title: string, work: () => Promise<number>])[],
): Promise<void> {
  for (const [title, work] of steps) {
    const startedAt = Date.now()
    console.log(`\n── ${title}`)
    const code = await work()
    const seconds = Math.round((Date.now() - startedAt) / 1000)
    if (code !== 0) {
      console.error(`── ${title}: failed after ${seconds} s`)
      process.exit(code)
    }
    console.log(`── ${title}: ok, ${seconds} s`)
  }
}
