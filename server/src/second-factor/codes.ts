/**
 * Codes of a second factor: those of an authenticator app, six digits that change every 30 seconds (RFC 6238), and ten to
 * recover with. All queries of `second_factors` and `recovery_codes` are in this directory.
 */
import { Secret, TOTP } from 'otpauth'
import { randomInt } from 'node:crypto'
import { secretHash } from '#accounts/token.ts'
import { PasswordRefused } from '#accounts/verified-write.ts'
import { apiError } from '#errors.ts'
import { first } from '#storage/database.ts'
import type { Transaction } from '#storage/database.ts'
import type { SecondFactorRow } from '#storage/schema.ts'

/** How long a code of an app is valid, in milliseconds. */
const STEP = 30_000
/** How many steps the clock of a phone may be off. */
const DRIFT = 1
const SECRET_BYTES = 20

const RECOVERY_CODES = 10
/** Letters and digits that nobody confuses; 16 of them are 80 bits. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ0123456789'
const RECOVERY_LENGTH = 16

/** Returns a new secret for an authenticator app, in base32. */
export function newAppSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** Returns the address that authenticator apps read from a QR code. */
export function appAddress(secret: string, email: string): string {
  return totpOf(secret, email).toString()
}

/**
 * Returns the step of a code of an app: at this moment, the one before or the one after.
 * @returns null when it is wrong.
 */
export function stepOf(secret: string, code: string, now: number): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: DRIFT })
  return delta === null ? null : Math.floor(now / STEP) + delta
}

/**
 * Asks an account, which must be locked, for a code if its second factor is on. Uses the code up: that of an app and all
 * earlier ones, or a recovery code.
 * @throws ApiError stint_code_required without one; PasswordRefused stint_code_refused for one that is wrong or used.
 */
export async function requireCode(
  tx: Transaction,
  userId: string,
  code: string | null,
  now: number,
): Promise<void> {
  const factor = await find(tx, userId)
  if (factor === undefined || !factor.is_on) return
  if (code === null) throw apiError('stint_code_required')
  if (!(await redeem(tx, factor, code, now)))
    throw new PasswordRefused('stint_code_refused', userId)
}

/** Returns the second factor of an account, on or not yet; undefined: it has none. */
export function find(tx: Transaction, userId: string): Promise<SecondFactorRow | undefined> {
  const query = tx.build.selectFrom('second_factors').selectAll().where('user_id', '=', userId)
  return first(tx.run(query))
}

/** Uses a code up. @returns false when it is wrong or was used. */
export async function redeem(
  tx: Transaction,
  { user_id, secret, last_step }: SecondFactorRow,
  code: string,
  now: number,
): Promise<boolean> {
  const typed = code.replaceAll(/[\s-]/g, '').toUpperCase()
  const step = stepOf(secret, typed, now)
  if (step === null) return redeemRecoveryCode(tx, user_id, typed)
  if (step <= last_step) return false
  await tx.run(
    tx.build.updateTable('second_factors').set({ last_step: step }).where('user_id', '=', user_id),
  )
  return true
}

async function redeemRecoveryCode(tx: Transaction, userId: string, typed: string) {
  const used = await tx.run(
    tx.build
      .deleteFrom('recovery_codes')
      .where('user_id', '=', userId)
      .where('code_hash', '=', secretHash(typed))
      .returning('code_hash'),
  )
  return used.length > 0
}

/** Makes ten recovery codes in place of earlier ones. Returns them as people read them; their hashes are stored. */
export async function replaceRecoveryCodes(tx: Transaction, userId: string): Promise<string[]> {
  await tx.run(tx.build.deleteFrom('recovery_codes').where('user_id', '=', userId))
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  const rows = codes.map((code) => ({ user_id: userId, code_hash: secretHash(code) }))
  await tx.run(tx.build.insertInto('recovery_codes').values(rows))
  return codes.map((code) => code.replaceAll(/(.{4})(?=.)/g, '$1-'))
}

/** Switches the second factor of an account off, which must be locked. */
export async function remove(tx: Transaction, userId: string): Promise<boolean> {
  await tx.run(tx.build.deleteFrom('recovery_codes').where('user_id', '=', userId))
  const removed = await tx.run(
    tx.build.deleteFrom('second_factors').where('user_id', '=', userId).returning('user_id'),
  )
  return removed.length > 0
}

function newRecoveryCode(): string {
  const letters = Array.from(
    { length: RECOVERY_LENGTH },
    () => ALPHABET[randomInt(ALPHABET.length)],
  )
  return letters.join('')
}

function totpOf(secret: string, email = ''): TOTP {
  return new TOTP({ issuer: 'Stint', label: email, secret: Secret.fromBase32(secret) })
}
