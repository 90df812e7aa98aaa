/** Runs programs for `npm run image`. */
import { spawnSync } from 'node:child_process'

import { ROOT } from '../run.ts'

/** Runs a program in the project's folder and shows its output. @throws Error if it fails. */
export function must(program: string, args: readonly string[], input?: string): void {
  const { status, error } = spawnSync(program, args, {
    cwd: ROOT,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'inherit', 'inherit'],
    input,
  })
  if (status !== 0) {
    throw new Error(`${program} ${args.join(' ')} failed (${error?.message ?? status})`)
  }
}

/** Runs a program and returns its exit code and all its output. */
export function attempt(
  program: string,
  args: readonly string[],
): { readonly code: number; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  return { code: status ?? 1, output: `${stdout ?? ''}${stderr ?? ''}`.trim() }
}

/** Runs a program and returns what it prints. @throws Error with its output if it fails. */
export function outputOf(program: string, args: readonly string[]): string {
  const { code, output } = attempt(program, args)
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${output}`)
  return output
}

/** Returns whether there is a program of this name that answers with these arguments. */
export function has(program: string, args: readonly string[] = ['--version']): boolean {
  return attempt(program, args).code === 0
}
