/**
 * Makes backups during writes: each is intact and contains everything that was acknowledged before
 * it began.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import SqliteConnection from 'better-sqlite3'
import { openDatabase } from '@stint/server/storage/open.ts'
import { createTestApp } from '#test-app.ts'
import type { TestUser } from '#test-app.ts'

const TASKS = '/databases/stint/collections/tasks/documents'
const WRITERS = 4
const ADMIN = fileURLToPath(import.meta.resolve('@stint/server/admin.ts'))

export interface BackupReport {
  readonly backups: number
  /** Writes that were acknowledged while the backups were made. */
  readonly written: number
  /** Writes that were acknowledged before a backup began and are not in it. */
  readonly missing: number
}

/**
 * Makes so many backups with the operator's command, one after the other. Throws if one is damaged.
 */
export async function backUpUnderLoad(backups: number): Promise<BackupReport> {
  const folder = mkdtempSync(join(tmpdir(), 'stint-backups-'))
  const file = join(folder, 'stint.db')
  const server = await createTestApp({ db: await openDatabase(`file:${file}`) })
  const ann = await server.signedInUser('Ann')
  const answered: string[] = []
  const end = new AbortController()
  const writers = Array.from({ length: WRITERS }, (_, writer) =>
    keepWriting(ann, `w${writer}`, answered, end.signal),
  )
  let missing = 0
  for (let count = 0; count < backups; count++) {
    const before = answered.length
    const copy = join(folder, `copy-${count % 2}.db`)
    await promisify(execFile)(process.execPath, [ADMIN, 'backup', copy], {
      env: { ...process.env, DATABASE_URL: `file:${file}` },
    })
    const there = idsIn(copy)
    missing += answered.slice(0, before).filter((id) => !there.has(id)).length
  }
  end.abort()
  await Promise.all(writers)
  await server.close()
  await server.db.close()
  rmSync(folder, { recursive: true })
  return { backups, written: answered.length, missing }
}

async function keepWriting(
  user: TestUser,
  writer: string,
  answered: string[],
  end: AbortSignal,
): Promise<void> {
  for (let count = 0; !end.aborted; count++) {
    const id = `${writer}-${count}`
    const data = { name: 'x', userId: user.id }
    const { status } = await user.call('POST', TASKS, { documentId: id, data })
    if (status === 201) answered.push(id)
  }
}

function idsIn(file: string): ReadonlySet<unknown> {
  const copy = new SqliteConnection(file, { readonly: true })
  const ids = new Set(copy.prepare('select id from tasks').pluck().all())
  copy.close()
  return ids
}
