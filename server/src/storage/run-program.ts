/** Runs another program, without a shell. */
import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'

/** The priority of programs in the background; the server's own is 0. */
const LOW_PRIORITY = 10

/** How much of a program's error output is kept, in characters. */
const MAX_COMPLAINT = 2000

export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Ends the program with SIGKILL. */
  readonly signal?: AbortSignal
}

/** The program does not exist. */
export class ProgramMissing extends Error {
  override readonly name = 'ProgramMissing'
}

/**
 * Runs a program at low priority until it ends with code 0. Returns its standard output.
 * @throws ProgramMissing, or Error with what the program wrote to its error output.
 */
export function runProgram(
  program: string,
  parameters: readonly string[],
  { env = process.env, signal }: ProgramOptions = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(signal === undefined ? {} : { signal, killSignal: 'SIGKILL' }),
    })
    let output = ''
    let complaint = ''
    let failure: Error | null = null
    child.stdout.on('data', (text) => void (output += String(text)))
    child.stderr.on('data', (text) => {
      complaint = (complaint + String(text)).slice(0, MAX_COMPLAINT)
    })
    child.once('spawn', () => lowerPriority(child.pid))
    child.once('error', (error) => {
      failure = isMissing(error)
        ? new ProgramMissing(`${program} is not on the PATH`, { cause: error })
        : error
      if (child.pid === undefined) reject(failure)
    })
    child.once('close', (code, killedBy) => {
      if (failure !== null) reject(failure)
      else if (code === 0) resolve(output)
      else reject(new Error(complaint.trim() || `${program} ended with ${code ?? killedBy}`))
    })
  })
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, LOW_PRIORITY)
  } catch {
    // It has ended already, or this system has no priorities.
  }
}

function isMissing(error: Error): boolean {
  return 'code' in error && error.code === 'ENOENT'
}
