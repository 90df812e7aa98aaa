/** The scripts that check what loading costs, and what they say of it. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

export interface FirstLoadResult {
  /** A line for each route: Brotli bytes and the budget. */
  readonly budgets: readonly string[]
  /** A line for each page: Lighthouse's scores and times. */
  readonly lighthouse: readonly string[]
}

/** Runs both and prints what they print. */
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
