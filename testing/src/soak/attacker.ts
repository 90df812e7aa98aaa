/**
 * The attacker of `attacks.ts`, in a separate process so that its load does not count as the
 * server's. `attacker.ts <attack> <seconds> <target as JSON>` writes its counts as JSON.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ATTACKS } from '#soak/attacks/all.ts'
import { Counts } from '#soak/attacks/attack.ts'
import type { Target } from '#soak/attacks/attack.ts'
import { clientFrom } from '#soak/attacks/client.ts'
import { MAX_WAIT } from '#waits.ts'

const [name = '', seconds = '', json = ''] = process.argv.slice(2)
const attack = ATTACKS[name]
if (attack === undefined) throw new Error(`There is no attack called ${name}`)
const target: Target = JSON.parse(json)
const counts = new Counts()
const ask = clientFrom(target.address, target.port)
await Promise.race([
  attack.run(
    target,
    (...asked) => {
      counts.add('asked')
      return ask(...asked)
    },
    counts,
  ),
  sleep(Number(seconds) * 1000).then(untilEffective),
])

/**
 * Waits until the attack has met its own goals: on a busy machine its first answers come late, and it
 * proves nothing before.
 */
async function untilEffective(): Promise<void> {
  const end = performance.now() + MAX_WAIT
  while (!isEffective() && performance.now() < end) await sleep(100)
}

function isEffective(): boolean {
  return !counts.isEmpty && (attack?.missed?.(counts.toJSON()) ?? []).length === 0
}

process.stdout.write(JSON.stringify(counts), () => process.exit())
