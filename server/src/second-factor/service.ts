/** Switching the second factor of an account on and off. What asks for a code at a sign-in is in `codes.ts`. */
import { lockCaller } from '#accounts/sign-ins.ts'
import type { Caller } from '#accounts/sign-ins.ts'
import * as users from '#accounts/users.ts'
import { PasswordRefused, writeWithPassword } from '#accounts/verified-write.ts'
import { apiError } from '#errors.ts'
import { wireInstant } from '#instant.ts'
import type { Services } from '#services.ts'
import type { Database, Transaction } from '#storage/database.ts'
import type { SecondFactorRow } from '#storage/schema.ts'
import * as codes from './codes.ts'

type FactorServices = Pick<Services, 'db' | 'now' | 'passwords'>

/** Returns whether the second factor is on, and how many recovery codes are left. */
export async function state(
  db: Database,
  userId: string,
): Promise<{ isOn: boolean; recoveryCodes: number }> {
  const factors = await db.read(
    db.build.selectFrom('second_factors').select('is_on').where('user_id', '=', userId),
  )
  const left = await db.read(
    db.build.selectFrom('recovery_codes').select('code_hash').where('user_id', '=', userId),
  )
  return { isOn: factors[0]?.is_on ?? false, recoveryCodes: left.length }
}

/**
 * Begins to switch it on, which needs the password: makes a secret for an app, in place of one that was not confirmed.
 * @throws ApiError stint_second_factor_on; those of `writeWithPassword`; what `lockCaller` throws.
 */
export async function begin(
  services: FactorServices,
  caller: Caller,
  password: string,
): Promise<{ secret: string; address: string }> {
  const { db, now } = services
  const { id, email } = caller.user
  const secret = codes.newAppSecret()
  const claim = { find: () => users.findById(db, id), password, prepare: () => null }
  await writeWithPassword(services, claim, async (tx) => {
    await lockCaller(tx, caller)
    if ((await codes.find(tx, id))?.is_on) throw apiError('stint_second_factor_on')
    await codes.remove(tx, id)
    const created_at = wireInstant(now())
    const row: SecondFactorRow = { user_id: id, secret, is_on: false, last_step: 0, created_at }
    await tx.run(tx.build.insertInto('second_factors').values(row))
  })
  return { secret, address: codes.appAddress(secret, email) }
}

/**
 * Switches it on with a code of the app.
 * @returns the recovery codes, which are not stored.
 * @throws ApiError stint_second_factor_off when it was not begun, stint_second_factor_on; PasswordRefused
 * stint_code_refused; what `lockCaller` throws.
 */
export function confirm(
  { db, now }: FactorServices,
  caller: Caller,
  code: string,
): Promise<string[]> {
  const { id } = caller.user
  return db.write(async (tx) => {
    const factor = await lockFactor(tx, caller)
    if (factor.is_on) throw apiError('stint_second_factor_on')
    if (!(await codes.redeem(tx, factor, code, now()))) {
      throw new PasswordRefused('stint_code_refused', id)
    }
    await tx.run(
      tx.build.updateTable('second_factors').set({ is_on: true }).where('user_id', '=', id),
    )
    return codes.replaceRecoveryCodes(tx, id)
  })
}

/**
 * Switches it off with a code of the app, or a recovery code.
 * @throws ApiError stint_second_factor_off; PasswordRefused stint_code_refused; what `lockCaller` throws.
 */
export async function turnOff(
  { db, now }: FactorServices,
  caller: Caller,
  code: string,
): Promise<void> {
  await db.write(async (tx) => {
    const factor = await lockFactor(tx, caller)
    if (!factor.is_on) throw apiError('stint_second_factor_off')
    await codes.requireCode(tx, caller.user.id, code, now())
    await codes.remove(tx, caller.user.id)
  })
}

/** Switches it off on behalf of the operator. @returns whether it was on or begun. */
export function removeFor({ db }: Pick<Services, 'db'>, userId: string): Promise<boolean> {
  return db.write(async (tx) => {
    await users.lock(tx, userId)
    return codes.remove(tx, userId)
  })
}

async function lockFactor(tx: Transaction, caller: Caller): Promise<SecondFactorRow> {
  await lockCaller(tx, caller)
  const factor = await codes.find(tx, caller.user.id)
  if (factor === undefined) throw apiError('stint_second_factor_off')
  return factor
}
