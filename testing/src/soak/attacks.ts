/**
 * Attacks on the availability of the server with its default limits. What counts are the others: users who are signed
 * in at the same address and go on working.
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
import { startServer } from '#server-process.ts'
import type { ServerProcess } from '#server-process.ts'

/** The goals for the other users: milliseconds at the 99th percentile, and mebibytes. */
const GOALS = { p99: 250, memory: 400, growth: 20 }
/** Bystanders go on for as long even if the attacker is done before, in milliseconds. */
const LASTS_AT_LEAST = 1000
const BYSTANDERS = 5
const MEBIBYTE = 2 ** 20
/** How long a server may take to end before it is killed, in milliseconds. */
const ENDS_WITHIN = 10_000
const ATTACKER = fileURLToPath(new URL('attacker.ts', import.meta.url))

export interface AttackOptions {
  /** Of each attack. */
  readonly seconds: number
  /** 1 for the whole attacks; less for short ones. */
  readonly size: number
  /** Which attacks; all of them unless given. */
  readonly names?: readonly string[]
  /** How long others may wait at the 99th percentile, in milliseconds; 250 unless given. */
  readonly maxP99?: number
  readonly onReport?: (report: AttackReport) => void
}

export interface AttackReport {
  readonly attack: string
  readonly bystanders: BystanderReport
  /** The most memory that the process of the server ever had. */
  readonly memoryMebibytes: number
  /** The most that the files or tables of the database grew by. */
  readonly growthMebibytes: number
  /** By how many rows the table of limits grew. */
  readonly throttleRows: number
  /** Whether the server ended by itself. */
  readonly crashed: boolean
  /** What happened to the attacker. */
  readonly attacker: Readonly<Record<string, number>>
  /** Which goals were missed, in words; none: all are met. */
  readonly missed: readonly string[]
}

/**
 * Runs attacks one after the other on a server of its own at `databaseUrl`, which is empty. Linux only:
 * the memory is read from /proc, and people come from loopback addresses of their own.
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

/** Creates all accounts and documents while there are no limits. */
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
      // An address of its own for each attack: the limits by address are fresh.
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
  { seconds, maxP99 = GOALS.p99 }: AttackOptions,
): Promise<AttackReport> {
  const bytesBefore = await storage.bytes()
  const rowsBefore = await storage.throttleRows()
  const server = await startServer(databaseUrl, port, {
    RATE_LIMITS: 'on',
    LOG_LEVEL: 'silent',
    // Nothing listens there: mails are asked for, and none is sent.
    SMTP_URL: 'smtp://127.0.0.1:9',
    PUBLIC_URL: 'http://localhost:3000',
    ...SMALL_QUOTA,
  })
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
    attackFor(name, Math.max(seconds, attack.seconds ?? 0), target),
    sleep(LASTS_AT_LEAST),
  ])
  const report = await people.end()
  watched.abort()
  await watching
  const throttleRows = (await storage.throttleRows()) - rowsBefore
  isEnding = true
  if (!crashed) await end(server)

  const growthMebibytes = Math.round(((most.bytes - bytesBefore) / MEBIBYTE) * 10) / 10
  const missed = [
    ...(crashed ? ['The server crashed'] : []),
    ...(Object.keys(report.refused).length > 0 ? ['Others were refused'] : []),
    ...(report.unheard > 0 ? ['Others did not hear of their own entries'] : []),
    ...(report.p99 < maxP99 ? [] : [`Others waited longer than ${maxP99} ms`]),
    ...(most.memory < GOALS.memory ? [] : [`More than ${GOALS.memory} MiB of memory`]),
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

/** Runs the attacker's process to its end. @returns what happened to it. */
async function attackFor(
  name: string,
  seconds: number,
  target: Target,
): Promise<Readonly<Record<string, number>>> {
  const child = spawn(process.execPath, [ATTACKER, name, String(seconds), JSON.stringify(target)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // An attacker has machines of its own, and takes no time from the processors of the server.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
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

/** The most memory that a process has had, 0 when it is gone. */
function peakMebibytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
  } catch {
    return 0
  }
}
