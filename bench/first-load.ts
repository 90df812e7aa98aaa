/** Runs the scripts that check the cost of loading, and collects their output. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

export interface FirstLoadResult {
  /** One line per route: Brotli bytes and the budget. */
  readonly budgets: readonly string[]
  /** One line per page: Lighthouse's scores and times. */
  readonly lighthouse: readonly string[]
}

/** Runs both scripts and prints their output. */
export async function benchFirstLoad(): Promise<FirstLoadResult> {
  return { budgets: await linesOf('budgets.ts'), lighthouse: await linesOf('lighthouse.ts') }
}

async function linesOf(script: string): Promise<string[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../scripts', script)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const text of child.stdout) {
    output += String(text)
    process.stdout.write(String(text))
  }
  return output.split('\n').filter((line) => /KB|LCP/.test(line))
}
