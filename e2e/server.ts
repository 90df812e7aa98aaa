/** Runs the real server in its own process, with its own port and data folder. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'

import { freePort } from '@stint/testing/free-port.ts'
import { startServer as startProcess } from '@stint/testing/server-process.ts'
import type { ServerProcess } from '@stint/testing/server-process.ts'

export interface RunningServer {
  readonly url: string
  /** Ends the process with SIGTERM or SIGKILL. The data is kept. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
  /** Starts it again on the same port and data. */
  start(): Promise<void>
  /** Backs up the data. The returned function restores it; later changes are lost. */
  backUp(): Promise<() => Promise<void>>
  /** Stops it and deletes its data. */
  remove(): Promise<void>
}

/** Starts a server with an empty database and additional environment variables. */
export async function startServer(
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'stint-e2e-'))
  let running: ServerProcess | null = null
  let backups = 0

  const server: RunningServer = {
    url: `http://localhost:${port}`,
    async start() {
      running = await startProcess(`file:${join(folder, 'stint.db')}`, port, {
        DATA_DIR: folder,
        LOG_LEVEL: 'silent',
        ...settings,
      })
      comesFirst(running.pid)
    },
    async stop(signal = 'SIGTERM') {
      const ending = running
      running = null
      ending?.end(signal)
      await ending?.exited
    },
    async backUp() {
      const backup = `${folder}-backup-${(backups += 1)}`
      await copyWhileStopped(folder, backup)
      return () => copyWhileStopped(backup, folder)
    },
    async remove() {
      await server.stop()
      const copies = Array.from({ length: backups }, (_, index) => `${folder}-backup-${index + 1}`)
      for (const each of [folder, ...copies]) rmSync(each, { recursive: true, force: true })
    },
  }
  await server.start()
  return server

  async function copyWhileStopped(from: string, to: string): Promise<void> {
    await server.stop()
    rmSync(to, { recursive: true, force: true })
    cpSync(from, to, { recursive: true })
    await server.start()
  }
}

/**
 * Raises the priority of the server above the browsers', if permitted: a server that waits for the
 * processor refuses requests, as designed.
 */
function comesFirst(pid: number): void {
  if (process.getuid?.() === 0) setPriority(pid, constants.priority.PRIORITY_HIGH)
}
