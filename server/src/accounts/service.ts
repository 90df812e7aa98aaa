/**
 * The operations on accounts. Each writes in one transaction and publishes to the user's devices after the commit.
 * Routes and operator commands call these; the queries are in `users.ts`, `sign-ins.ts` and `secrets.ts`.
 */
import type { Prefs } from '@stint/core/settings.ts'
import { UniqueViolation } from '#storage/database.ts'
import type { Transaction } from '#storage/database.ts'
import type { TokenRow, UserRow } from '#storage/schema.ts'
import { apiError, notSignedIn } from '#errors.ts'
import { GENERATE_ID, newId } from '#id.ts'
import { wireKey } from '#keys/wire.ts'
import type { AccountChange } from '#realtime/events.ts'
import { remove as removeSecondFactor, requireCode } from '#second-factor/codes.ts'
import type { Services } from '#services.ts'
import { admit } from './invites.ts'
import { MAX_PREFS_BYTES } from './prefs.ts'
import { refuseWeakPassword } from './password-policy.ts'
import * as secrets from './secrets.ts'
import type { IssuedSecret } from './secrets.ts'
import * as signIns from './sign-ins.ts'
import type { Caller, SignIn, Visitor } from './sign-ins.ts'
import * as users from './users.ts'
import { writeWithPassword } from './verified-write.ts'
import { endWaysIn } from './ways-in.ts'
import { wirePrefs, wireSignIn, wireToken, wireUser } from './wire.ts'

/** The services of operations that neither check nor set a password. */
export type AccountServices = Pick<Services, 'db' | 'hub' | 'now'>
type PasswordServices = AccountServices & Pick<Services, 'passwords'>

export interface NewAccount {
  /** A new id, or `unique()` to let the server choose one. */
  readonly userId: string
  /** Normalized. */
  readonly email: string
  /** A password that `refuseWeakPassword` accepts. */
  readonly password: string
  readonly name: string
}

export interface Credentials {
  /** Normalized. */
  readonly email: string
  readonly password: string
  /** A code of the second factor; null: none was sent. */
  readonly code: string | null
}

/**
 * Creates an account. Does not sign in. While `SIGNUP` is `invite`, uses the invitation up.
 * @param invite the secret of an invitation, null without one.
 * @throws ApiError user_already_exists for a taken id or e-mail address; stint_invite_invalid.
 */
export async function signUp(
  services: PasswordServices & Pick<Services, 'config'>,
  account: NewAccount,
  invite: string | null = null,
): Promise<UserRow> {
  const { db, config, now, passwords } = services
  const { userId, email, name } = account
  const password_hash = await passwords.hash(account.password)
  const id = userId === GENERATE_ID ? newId(now()) : userId
  try {
    return await db.write(async (tx) => {
      await admit(tx, config.signup, { email, isProven: false, invite }, now())
      if (await users.isFormerSpellingTaken(tx, email)) throw apiError('user_already_exists')
      return users.insert(tx, { id, email, name, password_hash, email_verified: false }, now())
    })
  } catch (error) {
    if (error instanceof UniqueViolation) throw apiError('user_already_exists')
    throw error
  }
}

/**
 * Checks the password and starts a sign-in. If the user then has more than ten, the oldest ends. An
 * unknown address and a wrong password are refused alike, after the same time. A hash of another
 * cost is replaced.
 * @param persistent false: the sign-in ends with the browser, at the latest after a day.
 * @returns the account, the sign-in, and the token that only the browser stores.
 * @throws PasswordRefused user_invalid_credentials, user_blocked, stint_code_refused; ApiError stint_code_required.
 */
export async function signIn(
  services: PasswordServices,
  { email, password, code }: Credentials,
  visitor: Visitor,
  persistent: boolean,
): Promise<{ user: UserRow; signIn: SignIn; token: string }> {
  const { db, hub, now, passwords } = services
  const claim = {
    find: () => users.findByTypedEmail(db, email),
    password,
    kind: 'sign-in',
    prepare: async (user: UserRow) =>
      passwords.isOutdated(user.password_hash) ? passwords.hash(password, 'sign-in') : null,
  } as const
  const { user, ended, ...started } = await writeWithPassword(
    services,
    claim,
    async (tx, user, stronger) => {
      await requireCode(tx, user.id, code, now())
      if (stronger !== null) await users.replaceHash(tx, user.id, stronger)
      return { user, ...(await signIns.start(tx, user.id, visitor, persistent, now())) }
    },
  )
  const { id } = started.signIn
  hub.sessionsEnded(user.id, ended)
  hub.accountChanged(user.id, `sessions.${id}.create`, wireSignIn(started.signIn, user, id))
  return { user, ...started }
}

/**
 * Changes what needs no password: the name, the preferences (JSON text of an object), or whether the account is blocked.
 * @throws ApiError general_unauthorized_scope when the account is gone.
 */
export async function change(
  { db, hub, now }: AccountServices,
  userId: string,
  event: AccountChange,
  changes: Pick<users.UserChanges, 'name' | 'prefs' | 'active'>,
): Promise<UserRow> {
  const user = await db.write((tx) => users.change(tx, userId, changes, now()))
  hub.accountChanged(userId, event, wireUser(user))
  return user
}

/**
 * Changes preferences within a transaction. Returns what publishes the change, for after its commit.
 * @param changed returns the preferences after the change; what it throws is thrown.
 * @throws ApiError general_unauthorized_scope when the account is gone; stint_quota_exceeded when they are too large.
 */
export async function changePrefs(
  { hub, now }: Pick<AccountServices, 'hub' | 'now'>,
  tx: Transaction,
  userId: string,
  changed: (prefs: Prefs) => Prefs,
): Promise<() => void> {
  const before = await users.lock(tx, userId)
  if (before === undefined) throw notSignedIn()
  const prefs = JSON.stringify(changed(wirePrefs(before)))
  if (Buffer.byteLength(prefs) > MAX_PREFS_BYTES) throw apiError('stint_quota_exceeded.prefs')
  const user = await users.change(tx, userId, { prefs }, now())
  return () => hub.accountChanged(userId, 'update.prefs', wireUser(user))
}

/**
 * Changes the address, which is then unverified, and ends the ways into the account that do not need its password: keys,
 * links and others (`endWaysIn`). Whoever opened them may have been somebody else.
 * @param email normalized.
 * @throws PasswordRefused user_invalid_credentials; ApiError user_target_already_exists.
 */
export async function changeEmail(
  services: PasswordServices,
  { user: { id: userId }, signIn }: Caller,
  email: string,
  password: string,
): Promise<UserRow> {
  const { db, hub, now } = services
  const prepare = (user: UserRow) => {
    if (email === user.email) throw apiError('user_target_already_exists')
  }
  const claim = { find: () => users.findById(db, userId), password, prepare }
  try {
    const { user, ended } = await writeWithPassword(services, claim, async (tx) => {
      if (await users.isFormerSpellingTaken(tx, email, userId)) {
        throw apiError('user_target_already_exists')
      }
      const ended = await endWaysIn(tx, userId, signIn)
      return {
        ended,
        user: await users.change(tx, userId, { email, email_verified: false }, now()),
      }
    })
    hub.sessionsEnded(userId, ended.signIns)
    for (const key of ended.keys) hub.accountChanged(userId, `keys.${key.id}.delete`, wireKey(key))
    hub.accountChanged(userId, 'update.email', wireUser(user))
    return user
  } catch (error) {
    if (error instanceof UniqueViolation) throw apiError('user_target_already_exists')
    throw error
  }
}

/**
 * Changes the password and ends every other sign-in.
 * @throws PasswordRefused user_invalid_credentials; ApiError if the new password is refused.
 */
export async function changePassword(
  services: PasswordServices,
  { user: { id }, signIn }: Caller,
  oldPassword: string,
  password: string,
): Promise<UserRow> {
  const { db, hub, now, passwords } = services
  const claim = {
    find: () => users.findById(db, id),
    password: oldPassword,
    async prepare(user: UserRow) {
      await refuseWeakPassword(password, user)
      return passwords.hash(password)
    },
  }
  const { user, ended } = await writeWithPassword(services, claim, async (tx, _, password_hash) => {
    await secrets.drop(tx, id, 'recovery')
    const ended = await signIns.end(tx, id, { except: signIn.id })
    return { ended, user: await users.change(tx, id, { password_hash }, now()) }
  })
  hub.sessionsEnded(id, ended)
  hub.accountChanged(id, 'update.password', wireUser(user))
  return user
}

/**
 * Blocks the account. Its sign-ins remain but are refused with user_blocked, and their sockets are
 * closed.
 * @throws ApiError general_unauthorized_scope when the account is gone.
 */
export async function block(services: AccountServices, userId: string): Promise<UserRow> {
  const { db, hub, now } = services
  const user = await change(services, userId, 'update.status', { active: false })
  const blocked = await signIns.list(db, userId, now())
  hub.sessionsEnded(
    userId,
    blocked.map(({ id }) => id),
  )
  return user
}

/**
 * Issues the secret that sets a new password, for the account that somebody means who types this address. The mail goes to
 * the address of the account that is returned.
 * @param email normalized.
 * @param id the id of the token, which the reply has whether or not there is an account.
 * @param at when its lifetime begins, epoch milliseconds.
 * @returns null when there is no such account or it is blocked.
 */
export async function requestRecovery(
  services: AccountServices,
  email: string,
  id: string,
  at: number,
): Promise<{ user: UserRow; issued: IssuedSecret } | null> {
  const found = await users.findByTypedEmail(services.db, email)
  if (found === undefined) return null
  const result = await services.db.write(async (tx) => {
    const user = await users.lock(tx, found.id)
    if (user?.email !== found.email || !user.active) return null
    return { user, issued: await secrets.issue(tx, user.id, 'recovery', at, { id }) }
  })
  if (result !== null) publishSecret(services, 'create', result.issued.token)
  return result
}

/**
 * Issues a recovery secret on behalf of the operator, for a blocked account too.
 * @param lifetime in milliseconds.
 * @throws ApiError general_unauthorized_scope when the account is gone.
 */
export async function issueRecovery(
  services: AccountServices,
  userId: string,
  lifetime: number,
): Promise<IssuedSecret> {
  const issued = await services.db.write(async (tx) => {
    if ((await users.lock(tx, userId)) === undefined) throw notSignedIn()
    return secrets.issue(tx, userId, 'recovery', services.now(), { lifetime })
  })
  publishSecret(services, 'create', issued.token)
  return issued
}

/**
 * Sets a new password with a secret from a mail. This also verifies the address and ends every way into the account
 * (`endWaysIn`), since an attacker may have opened them. The secret is checked before the expensive hash is computed.
 * @throws ApiError user_not_found, user_invalid_token; or the refusal of the new password.
 */
export async function recover(
  services: PasswordServices,
  userId: string,
  secret: string,
  password: string,
): Promise<TokenRow> {
  const { db, hub, now, passwords } = services
  const owner = await ownerOfSecret(services, userId, 'recovery', secret)
  await refuseWeakPassword(password, owner)
  const password_hash = await passwords.hash(password)
  const { token, ended } = await db.write(async (tx) => {
    const user = await users.lock(tx, userId)
    const token = await secrets.redeem(tx, userId, 'recovery', secret, now())
    // Somebody else may have switched it on before the owner of the address came.
    if (user?.email_verified !== true) await removeSecondFactor(tx, userId)
    const ended = await endWaysIn(tx, userId)
    await users.change(tx, userId, { password_hash, email_verified: true }, now())
    return { token, ended }
  })
  publishSecret(services, 'update', token)
  hub.sessionsEnded(userId, ended.signIns)
  return token
}

/**
 * Issues the secret that verifies the account's address.
 * @returns the address to mail it to, and the secret.
 * @throws ApiError user_email_already_verified, general_unauthorized_scope when the account is
 * gone.
 */
export async function requestVerification(
  services: AccountServices,
  userId: string,
): Promise<{ user: UserRow; issued: IssuedSecret }> {
  const { db, now } = services
  const result = await db.write(async (tx) => {
    const user = await users.lock(tx, userId)
    if (user === undefined) throw notSignedIn()
    if (user.email_verified) throw apiError('user_email_already_verified')
    return { user, issued: await secrets.issue(tx, userId, 'verification', now()) }
  })
  publishSecret(services, 'create', result.issued.token)
  return result
}

/**
 * Verifies the address with a secret from a mail. The secret is checked before the user is locked,
 * so that a wrong one takes no lock.
 * @throws ApiError user_not_found, user_invalid_token.
 */
export async function verify(
  services: AccountServices,
  userId: string,
  secret: string,
): Promise<TokenRow> {
  const { db, now } = services
  await ownerOfSecret(services, userId, 'verification', secret)
  const token = await db.write(async (tx) => {
    await users.lock(tx, userId)
    const token = await secrets.redeem(tx, userId, 'verification', secret, now())
    await users.change(tx, userId, { email_verified: true }, now())
    return token
  })
  publishSecret(services, 'update', token)
  return token
}

/**
 * Deletes the caller's own account, see `deleteAccount`. Password and address are required, so that
 * it cannot happen by mistake or at an unattended screen.
 * @throws ApiError general_argument_invalid for another address; PasswordRefused
 * user_invalid_credentials.
 */
export async function deleteOwnAccount(
  services: PasswordServices,
  { user: { id, email } }: Caller,
  typedEmail: string,
  password: string,
): Promise<void> {
  if (typedEmail !== email) throw apiError('general_argument_invalid.other_email')
  const claim = { find: () => users.findById(services.db, id), password, prepare: () => null }
  const ended = await writeWithPassword(services, claim, (tx) => remove(tx, id))
  services.hub.sessionsEnded(id, ended)
}

/** Deletes the account with its documents, sign-ins, keys and secrets, in one transaction. */
export async function deleteAccount({ db, hub }: AccountServices, userId: string): Promise<void> {
  const ended = await db.write(async (tx) => {
    await users.lock(tx, userId)
    return remove(tx, userId)
  })
  hub.sessionsEnded(userId, ended)
}

/**
 * Returns one of the caller's sign-ins. @throws ApiError user_session_not_found when they have none
 * with this id.
 */
export async function findSignIn(
  { db }: AccountServices,
  { user, signIn }: Caller,
  id: string,
): Promise<SignIn> {
  const found = id === signIn.id ? signIn : await signIns.find(db, user.id, id)
  if (found === undefined) throw apiError('user_session_not_found')
  return found
}

/**
 * Extends one of the caller's sign-ins to its full time, up to its absolute end.
 * @throws ApiError user_session_not_found when the caller has no such sign-in.
 */
export async function extendSignIn(
  services: AccountServices,
  caller: Caller,
  id: string,
): Promise<SignIn> {
  const { db, hub, now } = services
  const { user, signIn } = caller
  const found = await findSignIn(services, caller, id)
  const extended = await db.write((tx) => signIns.extend(tx, found, now()))
  if (extended === undefined) throw apiError('user_session_not_found')
  hub.accountChanged(user.id, `sessions.${id}.update`, wireSignIn(extended, user, signIn.id))
  return extended
}

/**
 * Ends one of the caller's sign-ins.
 * @throws ApiError user_session_not_found when the caller has no such sign-in.
 */
export async function endSignIn(
  services: AccountServices,
  caller: Caller,
  id: string,
): Promise<void> {
  await findSignIn(services, caller, id)
  const userId = caller.user.id
  const ended = await services.db.write((tx) => signIns.end(tx, userId, { id }))
  services.hub.sessionsEnded(userId, ended)
}

/** Ends all sign-ins of the user. */
export async function endSignIns({ db, hub }: AccountServices, userId: string): Promise<void> {
  hub.sessionsEnded(userId, await db.write((tx) => signIns.end(tx, userId)))
}

/**
 * Returns the account that a mailed secret is for.
 * @throws ApiError user_not_found, user_invalid_token.
 */
async function ownerOfSecret(
  { db, now }: AccountServices,
  userId: string,
  purpose: TokenRow['purpose'],
  secret: string,
): Promise<UserRow> {
  const owner = await users.findById(db, userId)
  if (owner === undefined) throw apiError('user_not_found')
  if (!(await secrets.isValid(db, userId, purpose, secret, now()))) {
    throw apiError('user_invalid_token')
  }
  return owner
}

/** Deletes the account, which must be locked. @returns the ids of the sign-ins that ended. */
async function remove(tx: Transaction, userId: string): Promise<string[]> {
  const ended = await signIns.end(tx, userId)
  await users.remove(tx, userId)
  return ended
}

/** Publishes to the owner's devices that a secret was sent or used; never the secret. */
function publishSecret({ hub }: AccountServices, action: 'create' | 'update', token: TokenRow) {
  hub.accountChanged(token.user_id, `${token.purpose}.${token.id}.${action}`, wireToken(token))
}
