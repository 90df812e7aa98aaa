/** Two processes on one PostgreSQL behind Caddy, with the Caddyfile of deploy/. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'

import { freePort } from '@stint/testing/free-port.ts'
import { startPostgres } from '@stint/testing/postgres.ts'
import { startServer, untilReady } from '@stint/testing/server-process.ts'

import { has } from './image/commands.ts'
import { post, signUp } from './image/probe.ts'
import { ROOT } from './run.ts'

const TASKS = '/databases/stint/collections/tasks/documents'
const CREATED = 'databases.stint.collections.tasks.documents'

const missing = has('caddy', ['version']) ? '' : ' (skipped: caddy is not installed)'
test.skipIf(missing !== '')(
  `two processes behind Caddy are one server, also while one of them restarts${missing}`,
  async () => {
    await using postgres = await disposable(startPostgres(), (server) => server.stop())
    const [front, one, two] = await Promise.all([freePort(), freePort(), freePort()])
    const url = `http://localhost:${front}`
    const settings = { PUBLIC_URL: url, TRUST_PROXY: '1', LOG_LEVEL: 'debug' }
    const start = (port: number) => startServer(postgres.value.url, port, settings)
    await using first = await disposable(start(one), stopped)
    await using second = await disposable(start(two), stopped)
    await using caddy = await disposable(startCaddy(front, [one, two]), (each) => each.stop())

    const cookie = await signUp(url)
    const events = await changesOf(url, cookie)
    const names = Array.from({ length: 20 }, (_, index) => `task${index}`)
    for (const name of names) await created(url, name, cookie)
    await expect.poll(() => [...events.ids].toSorted()).toEqual(names.toSorted())
    // Both had a part in it, so some events came from the other process.
    expect(first.value.output()).toContain(TASKS)
    expect(second.value.output()).toContain(TASKS)
    events.close()

    first.value.end('SIGTERM')
    expect(await first.value.exited).toBe(0)
    const later = await changesOf(url, cookie)
    const more = Array.from({ length: 20 }, (_, index) => `later${index}`)
    for (const name of more.slice(0, 10)) await created(url, name, cookie)
    await using again = await disposable(start(one), stopped)
    for (const name of more.slice(10)) await created(url, name, cookie)
    await expect.poll(() => [...later.ids].toSorted()).toEqual(more.toSorted())
    // Caddy has noticed that the first process is back.
    const answeredAgain = async (): Promise<boolean> => {
      await fetch(`${url}/v1/health/version`)
      return again.value.output().includes('/v1/health/version')
    }
    await expect.poll(answeredAgain).toBe(true)
    later.close()
    expect(caddy.value.output()).not.toContain('"level":"panic"')
  },
)

/** Creates a task. What is refused because a process stops or starts is repeated, as the app does it. */
async function created(url: string, id: string, cookie: string): Promise<void> {
  const body = { documentId: id, data: { name: id, userId: 'ann' } }
  await expect
    .poll(async () => {
      try {
        await post(url, TASKS, body, cookie)
        return 'created'
      } catch (error) {
        return String(error)
      }
    })
    .toMatch(/^created$|answered 409/)
}

/** Subscribes to tasks through Caddy. `ids` are those of the tasks that were announced as created. */
async function changesOf(url: string, cookie: string) {
  const ids = new Set<string>()
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime?project=stint`, {
    headers: { cookie, origin: url },
  })
  const subscribed = new Promise<void>((done, fail) => {
    socket.on('error', fail)
    socket.on('message', (bytes) => {
      const message: { type: string; data: { payload?: { $id: string }; to?: string } } =
        JSON.parse(Buffer.isBuffer(bytes) ? bytes.toString() : '{}')
      if (message.type === 'connected') {
        const data = [{ subscriptionId: 'tasks', channels: [CREATED], queries: [] }]
        socket.send(JSON.stringify({ type: 'subscribe', data }))
      }
      if (message.data.to === 'subscribe') done()
      if (message.type === 'event' && message.data.payload) ids.add(message.data.payload.$id)
    })
  })
  await subscribed
  return { ids, close: () => socket.close() }
}

async function startCaddy(port: number, processes: readonly number[]) {
  const folder = mkdtempSync(join(tmpdir(), 'stint-caddy-'))
  const file = join(folder, 'Caddyfile')
  // As in deploy/, but on loopback only, and without the interface for changes.
  const head = '{\n\tadmin off\n\tdefault_bind 127.0.0.1\n}\n'
  writeFileSync(file, head + readFileSync(join(ROOT, 'deploy/Caddyfile'), 'utf8'))
  const child = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    env: {
      ...process.env,
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      PUBLIC_URL: `http://localhost:${port}`,
      STINT_PROCESSES: processes.map((each) => `127.0.0.1:${each}`).join(' '),
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => void (output += String(text)))
  }
  const exited = new Promise((done) => child.once('close', done))
  await untilReady(port, () => {
    if (child.exitCode !== null) throw new Error(`Caddy did not start:\n${output}`)
  })
  return {
    output: () => output,
    async stop() {
      child.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true })
    },
  }
}

async function stopped(server: Awaited<ReturnType<typeof startServer>>): Promise<void> {
  server.end('SIGTERM')
  await server.exited
}

/** Returns a value that is released at the end of the block, whatever happens. */
async function disposable<Value>(
  starting: Promise<Value>,
  release: (value: Value) => Promise<void>,
): Promise<{ value: Value; [Symbol.asyncDispose](): Promise<void> }> {
  const value = await starting
  return { value, [Symbol.asyncDispose]: () => release(value) }
}
