/** The real server in a process of its own, on a port and a data folder of its own. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const START_TIMEOUT_MILLISECONDS = 20_000

export interface RunningServer {
  readonly url: string
  /** Ends the process as SIGTERM does, or kills it. The data stay. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
  /** Starts it again on the same port and data. */
  start(): Promise<void>
  /** Stops it and throws its data away. */
  remove(): Promise<void>
}

/** Starts a server with an empty database, or with more settings of the environment. */
export async function startServer(
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'stint-e2e-'))
  const url = `http://localhost:${port}`
  let child: ChildProcess | null = null

  const server: RunningServer = {
    url,
    async start() {
      child = spawn(process.execPath, [join(ROOT, 'server/src/main.ts')], {
        cwd: ROOT,
        stdio: ['ignore', 'ignore', 'inherit'],
        env: {
          ...process.env,
          PORT: String(port),
          DATA_DIR: folder,
          DATABASE_URL: `file:${join(folder, 'stint.db')}`,
          RATE_LIMITS: 'off',
          LOG_LEVEL: 'silent',
          ...settings,
        },
      })
      comesFirst(child)
      await answers(url)
    },
    async stop(signal = 'SIGTERM') {
      const running = child
      child = null
      if (!running || running.exitCode !== null) return
      const exited = new Promise((resolve) => running.once('exit', resolve))
      running.kill(signal)
      await exited
    },
    async remove() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await server.start()
  return server
}

/**
 * On a busy machine the server has its turn before the browsers, where that may be asked for: one
 * that must wait for it refuses work, as it should.
 */
function comesFirst({ pid }: ChildProcess): void {
  const isAdministrator = process.getuid?.() === 0
  if (pid !== undefined && isAdministrator) setPriority(pid, constants.priority.PRIORITY_HIGH)
}

async function answers(url: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MILLISECONDS
  while (Date.now() < deadline) {
    const response = await fetch(`${url}/v1/health`).catch(() => null)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`The server at ${url} did not answer`)
}

/** A port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => {
        if (typeof address === 'object' && address) resolve(address.port)
        else reject(new Error('No free port'))
      })
    })
  })
}
