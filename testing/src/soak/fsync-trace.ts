/**
 * Traces the server's system calls: no reply to a write may be sent before the disk has confirmed
 * the write. `strace` shows what a power cut would lose; killing a process cannot.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { OperatorError } from '@stint/server/operator-error.ts'
import { freePort } from '#free-port.ts'
import { startServer, untilReady } from '#server-process.ts'
import { call, signUp } from './client.ts'

const TASKS = '/databases/stint/collections/tasks/documents'
/** A package of the operating system, not of the project. */
const STRACE = 'strace'
const CALLS = 'fsync,fdatasync,write,writev,pwrite64,pwritev,sendto,sendmsg'
const AT_ONCE = 16

export interface TraceVerdict {
  /** Writes that were answered one after the other (201), and many at once (200). */
  readonly alone: number
  readonly together: number
  readonly syncs: number
  /** Replies that were sent before their write was on disk. */
  readonly early: number
}

/**
 * Traces a separate server during writes, so many one after the other and so many at once.
 * @throws OperatorError with how to install strace, if it is missing.
 */
export async function traceSyncs(writes: number): Promise<TraceVerdict> {
  return withServer(async ({ pid, folder, call }) => {
    const trace = join(folder, 'trace')
    const detach = await attach(pid, trace, ['-y', '-s', '32', '-e', `trace=${CALLS}`])
    for (let count = 0; count < writes; count++) {
      await call('POST', TASKS, { documentId: `t${count}`, data: { name: 'x', userId: 'ann' } })
    }
    await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, writer) => {
        for (let count = writer; count < writes; count += AT_ONCE) {
          await call('PATCH', `${TASKS}/t${count}`, { data: { name: 'changed' } })
        }
      }),
    )
    await detach()
    return judgeTrace(createInterface({ input: createReadStream(trace) }))
  })
}

export interface FailingVerdict {
  /** Writes that were acknowledged while every sync failed: there must be none. */
  readonly acknowledged: number
  readonly refused: number
  /** Reads that succeeded while syncs failed. */
  readonly read: number
  /** Writes that were acknowledged before or after, and are missing at the end. */
  readonly lost: number
  readonly healedWithinMilliseconds: number
}

/**
 * Makes every sync of a running server fail for a while, as a dying disk does.
 * @throws OperatorError if strace is missing.
 */
export async function failSyncs(writes: number): Promise<FailingVerdict> {
  return withServer(async ({ port, pid, call }) => {
    const verdict = { acknowledged: 0, refused: 0, read: 0, lost: 0, healedWithinMilliseconds: 0 }
    const write = (id: string) =>
      call('POST', TASKS, { documentId: id, data: { name: 'x', userId: 'ann' } })
    await write('before')
    const inject = ['-e', 'trace=fsync,fdatasync', '-e', 'inject=fsync,fdatasync:error=EIO']
    const detach = await attach(pid, '/dev/null', inject)
    for (let count = 0; count < writes; count++) {
      const status = await write(`t${count}`)
      if (status === 503) verdict.refused++
      else verdict.acknowledged++
      if ((await call('GET', `${TASKS}/before`)) === 200) verdict.read++
    }
    await detach()
    const started = performance.now()
    await untilReady(port)
    verdict.healedWithinMilliseconds = Math.round(performance.now() - started)
    for (let count = 0; count < writes; count++) {
      // 409: a failed write was stored after all, and the retry finds it.
      const status = await write(`t${count}`)
      if (status !== 201 && status !== 409) verdict.lost++
      if ((await call('GET', `${TASKS}/t${count}`)) !== 200) verdict.lost++
    }
    return verdict
  })
}

/**
 * Reads the lines of `strace -f -y`. A reply is early if something in the write-ahead log was
 * written and not yet synced when it was sent. If it was the only running request, it is also early
 * if there was no sync since the previous reply.
 */
export async function judgeTrace(
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<TraceVerdict> {
  const verdict = { alone: 0, together: 0, syncs: 0, early: 0 }
  /** The files that each thread is syncing. */
  const syncing = new Set<string>()
  let isDirty = false
  let hasSynced = false
  for await (const line of lines) {
    const [, thread = '', call = ''] = /^(?:\[pid +)?(\d+)\]? +(.*)$/.exec(line) ?? []
    if (/^p?write\w*\(\d+<[^>]*-wal>/.test(call)) isDirty = true
    else if (/^f(?:data)?sync\(\d+<[^>]*-wal> <unfinished/.test(call)) syncing.add(thread)
    else if (
      /^f(?:data)?sync\(\d+<[^>]*-wal>\) += 0/.test(call) ||
      (/^<\.\.\. f(?:data)?sync resumed>.* = 0/.test(call) && syncing.delete(thread))
    ) {
      isDirty = false
      hasSynced = true
      verdict.syncs++
    }
    const status = /^(?:write|send)\w*\(.*"HTTP\/1\.1 (\d{3}) /.exec(call)?.[1]
    if (status === '201') {
      verdict.alone++
      if (isDirty || !hasSynced) verdict.early++
      hasSynced = false
    } else if (status === '200') {
      verdict.together++
      if (isDirty) verdict.early++
    }
  }
  return verdict
}

interface TracedServer {
  readonly pid: number
  readonly port: number
  readonly folder: string
  /** Sends a request of a signed-in user. @returns the status. */
  readonly call: (method: string, path: string, body?: object) => Promise<number>
}

async function withServer<Result>(
  work: (server: TracedServer) => Promise<Result>,
): Promise<Result> {
  if (spawnSync(STRACE, ['-V']).error !== undefined) {
    throw new OperatorError('This needs strace, which is a package: apt-get install -y strace')
  }
  const folder = mkdtempSync(join(tmpdir(), 'stint-fsync-'))
  const port = await freePort()
  const server = await startServer(`file:${join(folder, 'stint.db')}`, port, {
    LOG_LEVEL: 'silent',
  })
  try {
    const cookie = await signUp(port, 'ann')
    return await work({
      pid: server.pid,
      port,
      folder,
      async call(method, path, body) {
        const reply = await call(port, method, path, body, { cookie })
        await reply.text()
        return reply.status
      },
    })
  } finally {
    server.end('SIGTERM')
    await server.exited
    rmSync(folder, { recursive: true })
  }
}

/** Attaches strace to every thread of the process. @returns a function that detaches it. */
async function attach(
  pid: number,
  file: string,
  options: readonly string[],
): Promise<() => Promise<void>> {
  const strace = spawn(STRACE, ['-f', ...options, '-o', file, '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((done) => strace.once('close', () => done()))
  let said = ''
  await new Promise<void>((done, fail) => {
    strace.stderr.on('data', (text) => {
      said += String(text)
      if (said.includes('attached')) done()
    })
    strace.once('close', () => fail(new Error(`strace could not attach:\n${said}`)))
  })
  return async () => {
    strace.kill('SIGINT')
    await ended
  }
}
