/** Runs the real server in its own process, for tests that kill, stop or measure it. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The server that is measured: it sheds load. */
export const MAIN = new URL(import.meta.resolve('@stint/server/main.ts'))
const PATIENT = new URL('./patient-server.ts', import.meta.url)
/** The options that `npm start` gives Node (docs/decisions/0045-image-and-node.md). */
const AS_STARTED = [
  '--max-semi-space-size=8',
  '--import',
  import.meta.resolve('@stint/server/compile-cache.js'),
]

export interface ServerProcess {
  readonly pid: number
  /** The time of the start in milliseconds. */
  readonly milliseconds: number
  /** Resolves with the exit code; null: it was killed. */
  readonly exited: Promise<number | null>
  /** Returns its output so far. */
  output(): string
  end(signal: NodeJS.Signals): void
}

/**
 * Starts the server as `npm start` does, on a loopback port, and waits until it is ready.
 * @param environment added to the required variables, or replaces them.
 * @param main another program with the same server. Default: one that refuses no request because it
 *   is slow, for tests; measurements take `MAIN`.
 * @throws Error with its output if it ends instead.
 */
export async function startServer(
  databaseUrl: string,
  port: number,
  environment: Readonly<Record<string, string>> = {},
  main: URL = PATIENT,
): Promise<ServerProcess> {
  const started = performance.now()
  const child = spawn(process.execPath, [...AS_STARTED, fileURLToPath(main)], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
      BACKUP: 'off',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => void (output += String(text)))
  }
  const exited = new Promise<number | null>((done) => child.once('close', done))
  await untilReady(port, () => {
    if (child.exitCode !== null) throw new Error(`The server did not start:\n${output}`)
  })
  return {
    pid: child.pid ?? 0,
    milliseconds: Math.round(performance.now() - started),
    exited,
    output: () => output,
    end: (signal) => void child.kill(signal),
  }
}

/** Waits until the server on this port is ready. `look` may throw to end the wait. */
export async function untilReady(port: number, look: () => void = () => {}): Promise<void> {
  for (;;) {
    const reply = await fetch(`http://127.0.0.1:${port}/v1/health/ready`).catch(() => null)
    await reply?.text()
    if (reply?.status === 200) return
    look()
    await new Promise((again) => setTimeout(again, 10))
  }
}
