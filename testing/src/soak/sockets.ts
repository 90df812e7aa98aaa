/**
 * Many users with the app open, and a restart of the server: every socket is closed with the code
 * to reconnect, and is subscribed again within a few seconds.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#free-port.ts'
import { MAIN, startServer } from '#server-process.ts'
import { call, residentMebibytes, signUp, subscribe } from './client.ts'

const TASKS = '/databases/stint/collections/tasks/documents'
const PEOPLE = 50
/** The number of simultaneous connection attempts. */
const AT_ONCE = 200
/** How long the SDK waits before it reconnects, in milliseconds. */
const RECONNECT_AFTER = 1000

export interface SocketsReport {
  readonly sockets: number
  readonly openedWithinMilliseconds: number
  readonly residentGrowthMebibytes: number
  /** The longest time from a write until all sockets of its owner have received it. */
  readonly heardWithinMilliseconds: number
  /** Sockets that were closed with another code than 1012. */
  readonly badlyClosed: number
  /** The time from the start of the new server until the last socket is subscribed again. */
  readonly backWithinMilliseconds: number
}

/** Opens this many sockets on a separate server at `databaseUrl`, and restarts the server. */
export async function manySockets(databaseUrl: string, sockets: number): Promise<SocketsReport> {
  const port = await freePort()
  let server = await startServer(databaseUrl, port, {}, MAIN)
  const cookies = await Promise.all(
    Array.from({ length: PEOPLE }, (_, person) => signUp(port, `p${person}`)),
  )
  const before = residentMebibytes(server.pid)
  let started = performance.now()
  const first = await openAll(port, cookies, sockets)
  const openedWithinMilliseconds = since(started)
  const residentGrowthMebibytes = residentMebibytes(server.pid) - before

  let heardWithinMilliseconds = 0
  for (const [person, cookie] of cookies.entries()) {
    const theirs = first.filter((_, index) => index % PEOPLE === person)
    started = performance.now()
    const heard = Promise.all(theirs.map((ear) => ear.nextEvent()))
    const data = { name: 'x', userId: `p${person}` }
    await call(port, 'POST', TASKS, { documentId: 't1', data }, { cookie })
    await heard
    heardWithinMilliseconds = Math.max(heardWithinMilliseconds, since(started))
  }

  server.end('SIGTERM')
  const codes = await Promise.all(first.map(({ closed }) => closed))
  await server.exited
  started = performance.now()
  server = await startServer(databaseUrl, port, {}, MAIN)
  await sleep(RECONNECT_AFTER)
  const second = await openAll(port, cookies, sockets)
  const backWithinMilliseconds = since(started)
  for (const { socket } of second) socket.terminate()
  server.end('SIGTERM')
  await server.exited
  return {
    sockets,
    openedWithinMilliseconds,
    residentGrowthMebibytes,
    heardWithinMilliseconds,
    badlyClosed: codes.filter((code) => code !== 1012).length,
    backWithinMilliseconds,
  }
}

type Ear = Awaited<ReturnType<typeof open>>

async function openAll(port: number, cookies: readonly string[], sockets: number): Promise<Ear[]> {
  const ears: Ear[] = []
  while (ears.length < sockets) {
    const batch = Array.from({ length: Math.min(AT_ONCE, sockets - ears.length) }, (_, index) =>
      open(port, cookies[(ears.length + index) % PEOPLE] ?? ''),
    )
    ears.push(...(await Promise.all(batch)))
  }
  return ears
}

async function open(port: number, cookie: string) {
  let event = Promise.withResolvers<void>()
  const socket = await subscribe(port, cookie, () => event.resolve())
  return {
    socket,
    closed: new Promise<number>((done) => socket.on('close', done)),
    nextEvent() {
      event = Promise.withResolvers<void>()
      return event.promise
    },
  }
}

function since(started: number): number {
  return Math.round(performance.now() - started)
}
