/**
 * Attacks on the availability of the server with its default limits. The measure is their effect on
 * other users, who are signed in at the same address and continue to work.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { MAX_THROTTLE_ROWS } from '#soak/attacks/account-attacks.ts'
import { ATTACKS } from '#soak/attacks/all.ts'
import type { Attack, Target } from '#soak/attacks/attack.ts'
import { Bystanders } from '#soak/attacks/bystander.ts'
import type { BystanderReport } from '#soak/attacks/bystander.ts'
import { clientFrom } from '#soak/attacks/client.ts'
import { SMALL_QUOTA } from '#soak/attacks/document-attacks.ts'
import { newPerson } from '#soak/attacks/people.ts'
import type { Person } from '#soak/attacks/people.ts'
import { storageSize } from '#soak/attacks/storage-size.ts'
import type { StorageSize } from '#soak/attacks/storage-size.ts'
import { freePort } from '#free-port.ts'
import { MAIN, startServer } from '#server-process.ts'
import type { ServerProcess } from '#server-process.ts'
import { MAX_TEST } from '#waits.ts'

/** The goals for the other users: milliseconds at the 99th percentile, and mebibytes. */
const GOALS = { p99: 250, memory: 400, growth: 20 }
/** Bystanders continue until they have so many replies, even if the attacker is done. */
const MIN_ANSWERS = 40
const BYSTANDERS = 5
const MEBIBYTE = 2 ** 20
/** How long a server may take to stop before it is killed, in milliseconds. */
const ENDS_WITHIN = 10_000
const ATTACKER = fileURLToPath(new URL('attacker.ts', import.meta.url))

export interface AttackOptions {
  /** The length of each attack. */
  readonly seconds: number
  /** 1 for complete attacks; less for short ones. */
  readonly size: number
  /** Which attacks; default: all. */
  readonly names?: readonly string[]
  /**
   * False: other work keeps the machine busy. How long the others wait does not matter then, only
   * that they are served. Default: true.
   */
  readonly isTimed?: boolean
  readonly onReport?: (report: AttackReport) => void
}

export interface AttackReport {
  readonly attack: string
  readonly bystanders: BystanderReport
  /** The peak memory of the server process. */
  readonly memoryMebibytes: number
  /** The largest growth of the database's files or tables. */
  readonly growthMebibytes: number
  /** By how many rows the table of limits grew. */
  readonly throttleRows: number
  /** True if the server process ended. */
  readonly crashed: boolean
  /** Counts of the attacker's requests by outcome. */
  readonly attacker: Readonly<Record<string, number>>
  /** The missed goals, as sentences; empty: all are met. */
  readonly missed: readonly string[]
}

/**
 * Runs attacks one after the other on a separate server at `databaseUrl`, an empty database. Linux
 * only: the memory is read from /proc, and users have separate loopback addresses.
 */
export async function runAttacks(
  databaseUrl: string,
  options: AttackOptions,
): Promise<AttackReport[]> {
  const names = options.names ?? Object.keys(ATTACKS)
  const port = await freePort()
  const place: Place = { databaseUrl, port, storage: await storageSize(databaseUrl) }
  const planned = await prepare(place, names, options.size)
  const reports: AttackReport[] = []
  for (const plan of planned) {
    const report = await runAttack(place, plan, options)
    reports.push(report)
    options.onReport?.(report)
  }
  await place.storage.close()
  return reports
}

interface Place {
  readonly databaseUrl: string
  readonly port: number
  readonly storage: StorageSize
}

interface Plan {
  readonly name: string
  readonly attack: Attack
  readonly target: Target
  readonly bystanders: readonly Person[]
  readonly signer: Person | null
}

/** Creates all accounts and documents before the limits apply. */
async function prepare(
  { databaseUrl, port }: Place,
  names: readonly string[],
  size: number,
): Promise<Plan[]> {
  const server = await startServer(databaseUrl, port)
  const ask = clientFrom('127.0.0.1', port)
  const bystanders = await newPeople('ann', BYSTANDERS)
  const plans: Plan[] = []
  for (const [index, name] of names.entries()) {
    const attack = ATTACKS[name]
    if (attack === undefined) throw new Error(`There is no attack called ${name}`)
    const target: Target = {
      port,
      // Each attack has its own address, so that the limits by address are unused.
      address: `127.0.1.${1 + index}`,
      people: await newPeople(`eve${index}x`, attack.people),
      size,
    }
    await attack.prepare?.(target, ask)
    const signer = attack.signsIn === true ? await newPerson(ask, `sid${index}`) : null
    plans.push({ name, attack, target, bystanders, signer })
  }
  server.end('SIGTERM')
  await server.exited
  return plans

  function newPeople(prefix: string, count: number): Promise<Person[]> {
    return Promise.all(
      Array.from({ length: count }, (_, index) => newPerson(ask, `${prefix}${index}`)),
    )
  }
}

async function runAttack(
  { databaseUrl, port, storage }: Place,
  { name, attack, target, bystanders, signer }: Plan,
  { seconds, isTimed = true }: AttackOptions,
): Promise<AttackReport> {
  const bytesBefore = await storage.bytes()
  const rowsBefore = await storage.throttleRows()
  const settings = {
    RATE_LIMITS: 'on',
    LOG_LEVEL: 'silent',
    // Nothing listens there: mails are requested but not sent.
    SMTP_URL: 'smtp://127.0.0.1:9',
    PUBLIC_URL: 'http://localhost:3000',
    ...SMALL_QUOTA,
  }
  const server = await startServer(databaseUrl, port, settings, isTimed ? MAIN : undefined)
  let isEnding = false
  let crashed = false
  void server.exited.then(() => void (crashed = !isEnding))
  const most = { memory: 0, bytes: bytesBefore }
  const watched = new AbortController()
  const watching = watch(watched.signal)
  const people = await Bystanders.begin(
    target.address,
    port,
    bystanders,
    name.replace(/\W/g, ''),
    signer,
  )
  const [attacker] = await Promise.all([
    attackFor(name, lengthOf(attack, seconds, isTimed), target, isTimed),
    people.answered(MIN_ANSWERS),
  ])
  const report = await people.end()
  watched.abort()
  await watching
  const throttleRows = (await storage.throttleRows()) - rowsBefore
  isEnding = true
  if (!crashed) await end(server)

  const growthMebibytes = Math.round(((most.bytes - bytesBefore) / MEBIBYTE) * 10) / 10
  const maxMemory = attack.memory ?? GOALS.memory
  const missed = [
    ...(crashed ? ['The server crashed'] : []),
    ...(Object.keys(report.refused).length > 0 ? ['Others were refused'] : []),
    ...(report.unheard > 0 ? ['Others did not hear of their own entries'] : []),
    ...(report.p99 < GOALS.p99 || !isTimed ? [] : [`Others waited longer than ${GOALS.p99} ms`]),
    ...(most.memory < maxMemory ? [] : [`More than ${maxMemory} MiB of memory`]),
    ...(growthMebibytes < GOALS.growth ? [] : [`More than ${GOALS.growth} MiB on disk`]),
    ...(throttleRows < MAX_THROTTLE_ROWS ? [] : ['The table of limits grows without bound']),
    ...(Object.keys(attacker).length > 0 ? [] : ['The attacker did nothing']),
    ...(attack.missed?.(attacker) ?? []),
  ]
  return {
    attack: name,
    bystanders: report,
    memoryMebibytes: most.memory,
    growthMebibytes,
    throttleRows,
    crashed,
    attacker,
    missed,
  }

  async function watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      most.memory = Math.max(most.memory, peakMebibytes(server.pid))
      most.bytes = Math.max(most.bytes, await storage.bytes())
      await sleep(100)
    }
  }
}

/** Returns the length of an attack in seconds. */
function lengthOf(attack: Attack, seconds: number, isTimed: boolean): number {
  if (attack.seconds === undefined) return seconds
  return isTimed ? Math.max(seconds, attack.seconds) : MAX_TEST / 1000
}

/** Runs the attacker's process to its end. @returns its counts. */
async function attackFor(
  name: string,
  seconds: number,
  target: Target,
  isTimed: boolean,
): Promise<Readonly<Record<string, number>>> {
  const child = spawn(process.execPath, [ATTACKER, name, String(seconds), JSON.stringify(target)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // A real attacker has its own machines, so it must not take processor time from the server. On a
  // busy machine it would never begin.
  if (isTimed && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  const written = await text(child.stdout)
  const counts: Readonly<Record<string, number>> = JSON.parse(written === '' ? '{}' : written)
  return counts
}

async function end(server: ServerProcess): Promise<void> {
  server.end('SIGTERM')
  const timer = setTimeout(() => server.end('SIGKILL'), ENDS_WITHIN)
  await server.exited
  clearTimeout(timer)
}

/** Returns the peak memory of a process; 0 if it has ended. */
function peakMebibytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
  } catch {
    return 0
  }
}
