/** Runs the real server in its own process, with its own port and data folder. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { databaseFolder } from '@stint/testing/database-folder.ts'
import { freePort } from '@stint/testing/free-port.ts'
import { startServer as startProcess } from '@stint/testing/server-process.ts'
import type { ServerProcess } from '@stint/testing/server-process.ts'

/** The operator's command. */
const ADMIN = fileURLToPath(import.meta.resolve('@stint/server/admin.ts'))

export interface RunningServer {
  readonly url: string
  /** Ends the process with SIGTERM or SIGKILL. The data is kept. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
  /** Starts it again on the same port and data. */
  start(): Promise<void>
  /**
   * Lets the server make a backup, for which it is restarted. The returned function restores it with
   * the operator's command, and starts the server; later changes are lost. It resolves with what
   * the command said, because open devices send what is missing at once.
   */
  backUp(): Promise<() => Promise<string>>
  /** Stops it and starts it again with more settings. */
  restartWith(more: Readonly<Record<string, string>>): Promise<void>
  /** Runs a command of the operator. Returns its output. */
  admin(...args: readonly string[]): Promise<string>
  /** Stops it and deletes its data. */
  remove(): Promise<void>
}

/**
 * Starts a server with an empty database and additional environment variables.
 *
 * Its address is no name: Playwright asks DNS for every name, even for localhost, and waits for
 * seconds if that does not answer.
 */
export async function startServer(
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const port = await freePort()
  const folder = databaseFolder('stint-e2e-')
  const database = `file:${join(folder, 'stint.db')}`
  const url = `http://127.0.0.1:${port}`
  let running: ServerProcess | null = null
  let chosen: Readonly<Record<string, string>> = { PUBLIC_URL: url, ...settings }
  let backups = 0

  const server: RunningServer = {
    url,
    start: () => startWith({}),
    async stop(signal = 'SIGTERM') {
      const ending = running
      running = null
      ending?.end(signal)
      await ending?.exited
    },
    async restartWith(more) {
      chosen = { ...chosen, ...more }
      await server.stop()
      await server.start()
    },
    async backUp() {
      const own = `${folder}-backup-${(backups += 1)}`
      await server.stop()
      // It has no backup in this folder, so it makes one.
      await startWith({ BACKUP: 'on', BACKUP_DIR: own })
      const backup = await firstBackup(own)
      return async () => {
        await server.stop()
        const said = await runAdmin(['restore', backup], { BACKUP_DIR: own })
        await server.start()
        return said
      }
    },
    admin: (...args) => runAdmin(args, {}),
    async remove() {
      await server.stop()
      const copies = Array.from({ length: backups }, (_, index) => `${folder}-backup-${index + 1}`)
      for (const each of [folder, ...copies]) rmSync(each, { recursive: true, force: true })
    },
  }
  await server.start()
  return server

  async function startWith(more: Readonly<Record<string, string>>): Promise<void> {
    running = await startProcess(database, port, {
      DATA_DIR: folder,
      LOG_LEVEL: 'silent',
      ...chosen,
      ...more,
    })
    comesFirst(running.pid)
  }

  /** Returns what the command says. */
  async function runAdmin(
    args: readonly string[],
    more: Readonly<Record<string, string>>,
  ): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [ADMIN, ...args], {
      env: { ...process.env, ...chosen, PORT: String(port), DATABASE_URL: database, ...more },
    })
    return stdout.trim()
  }
}

/** Waits for a backup in the folder. A copy gets this name when it is complete. */
async function firstBackup(folder: string): Promise<string> {
  for (;;) {
    const names = existsSync(folder) ? readdirSync(folder) : []
    const backup = names.find((name) => name.endsWith('.db'))
    if (backup !== undefined) return join(folder, backup)
    await sleep(50)
  }
}

/**
 * Raises the priority of the server above the browsers', if permitted: a server that waits for the
 * processor refuses requests, as designed.
 */
function comesFirst(pid: number): void {
  if (process.getuid?.() === 0) setPriority(pid, constants.priority.PRIORITY_HIGH)
}
