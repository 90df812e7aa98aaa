/**
 * Signing up and in with a passkey, and the passkeys of an account. Every operation redeems its challenge first, so that
 * an answer of a passkey is used once, accepted or not.
 */
import { admit } from '#accounts/invites.ts'
import { refuseWeakPassword } from '#accounts/password-policy.ts'
import * as secrets from '#accounts/secrets.ts'
import * as signIns from '#accounts/sign-ins.ts'
import type { Caller, SignIn, Visitor } from '#accounts/sign-ins.ts'
import * as users from '#accounts/users.ts'
import { writeWithPassword } from '#accounts/verified-write.ts'
import { wireSignIn, wireUser } from '#accounts/wire.ts'
import { apiError } from '#errors.ts'
import { newId } from '#id.ts'
import type { Services } from '#services.ts'
import { UniqueViolation } from '#storage/database.ts'
import type { Transaction } from '#storage/database.ts'
import type { PasskeyRow, UserRow } from '#storage/schema.ts'
import * as challenges from './challenges.ts'
import type { RelyingParty } from './relying-party.ts'
import * as passkeys from './store.ts'
import {
  creationOptions,
  requestOptions,
  signedChallenge,
  verifyAssertion,
  verifyRegistration,
} from './verify.ts'
import type { Assertion, Proof, Registration } from './wire.ts'

type PasskeyServices = Pick<Services, 'db' | 'hub' | 'now' | 'passwords'>

interface NewPerson {
  /** Normalized. */
  readonly email: string
  readonly name: string
}

interface Entered {
  readonly user: UserRow
  readonly signIn: SignIn
  /** Only the browser stores it. */
  readonly token: string
}

/** What a browser hands to an authenticator. */
type Options = Promise<Record<string, unknown>>

/**
 * Begins a sign-up: chooses the id of the account, which its passkey will name.
 * @throws ApiError user_already_exists for a taken address.
 */
export async function beginSignUp(
  { db, now }: PasskeyServices,
  site: RelyingParty,
  { email, name }: NewPerson,
): Options {
  const id = newId(now())
  const challenge = await db.write(async (tx) => {
    await refuseTaken(tx, email)
    return challenges.issue(tx, { purpose: 'sign-up', user_id: id, session_id: null }, now())
  })
  return creationOptions(site, { id, email, name }, [], challenge)
}

/**
 * Creates an account without a password and signs in. While `SIGNUP` is `invite`, uses the invitation up.
 * @param invite the secret of an invitation, null without one.
 * @throws ApiError user_already_exists for a taken address; stint_invite_invalid; stint_passkey_expired,
 * stint_passkey_refused.
 */
export async function signUp(
  services: PasskeyServices & Pick<Services, 'config'>,
  site: RelyingParty,
  { email, name }: NewPerson,
  made: { readonly registration: Registration; readonly name: string },
  visitor: Visitor,
  invite: string | null,
): Promise<Entered> {
  const { db, config, now } = services
  const challenge = signedChallenge(made.registration)
  const begun = await challenges.redeem(db, challenge, 'sign-up', null, now())
  const credential = await verifyRegistration(site, made.registration, challenge)
  const account = {
    id: begun.user_id ?? newId(now()),
    email,
    name,
    password_hash: '',
    email_verified: false,
  }
  try {
    const entered = await db.write(async (tx) => {
      await refuseTaken(tx, email)
      await admit(tx, config.signup, { email, isProven: false, invite }, now())
      const user = await users.insert(tx, account, now())
      const { id } = await passkeys.insert(tx, user.id, made.name, credential, now())
      return { user, ...(await start(tx, user, id, visitor, true, now())) }
    })
    publishSignIn(services, entered)
    return entered
  } catch (error) {
    if (error instanceof UniqueViolation) throw apiError('user_already_exists')
    throw error
  }
}

/** Begins a sign-in with any passkey of this site. */
export async function beginSignIn({ db, now }: PasskeyServices, site: RelyingParty): Options {
  const use = { purpose: 'sign-in', user_id: null, session_id: null } as const
  return requestOptions(site, [], await db.write((tx) => challenges.issue(tx, use, now())))
}

/**
 * Signs in. If the user then has more than ten sign-ins, the oldest ends.
 * @param persistent false: the sign-in ends with the browser, at the latest after a day.
 * @throws ApiError stint_passkey_expired, stint_passkey_unknown, stint_passkey_refused, user_blocked.
 */
export async function signIn(
  services: PasskeyServices,
  site: RelyingParty,
  assertion: Assertion,
  visitor: Visitor,
  persistent: boolean,
): Promise<Entered> {
  const { db, now } = services
  const challenge = signedChallenge(assertion)
  await challenges.redeem(db, challenge, 'sign-in', null, now())
  const passkey = await passkeys.findByCredential(db, assertion.id)
  if (passkey === undefined) throw apiError('stint_passkey_unknown')
  const counter = await verifyAssertion(site, assertion, challenge, passkey)
  const entered = await db.write(async (tx) => {
    const user = await users.lock(tx, passkey.user_id)
    if (user === undefined) throw apiError('stint_passkey_unknown')
    if (!user.active) throw apiError('user_blocked')
    await passkeys.noteUse(tx, passkey.id, counter, now())
    return { user, ...(await start(tx, user, passkey.id, visitor, persistent, now())) }
  })
  publishSignIn(services, entered)
  return entered
}

/**
 * Begins the confirmation of who is signed in, by one of their passkeys.
 * @throws ApiError stint_passkey_not_found when they have none.
 */
export async function beginProof(
  { db, now }: PasskeyServices,
  site: RelyingParty,
  caller: Caller,
): Options {
  const own = await passkeys.list(db, caller.user.id)
  if (own.length === 0) throw apiError('stint_passkey_not_found')
  const challenge = await db.write((tx) => challenges.issue(tx, useOf('proof', caller), now()))
  return requestOptions(site, own, challenge)
}

/**
 * Begins to add a passkey, which asks the caller for a proof.
 * @throws ApiError stint_quota_exceeded when the account has twenty; those of `withProof`.
 */
export async function beginAddition(
  services: PasskeyServices,
  site: RelyingParty,
  caller: Caller,
  proof: Proof,
): Options {
  const { db, now } = services
  const challenge = await withProof(services, site, caller, proof, async (tx) => {
    await passkeys.refuseMore(tx, caller.user.id)
    return challenges.issue(tx, useOf('addition', caller), now())
  })
  return creationOptions(site, caller.user, await passkeys.list(db, caller.user.id), challenge)
}

/**
 * Adds the passkey that `beginAddition` asked for, in the same sign-in.
 * @throws ApiError stint_passkey_expired, stint_passkey_refused, stint_quota_exceeded; what `lockCaller` throws.
 */
export async function add(
  { db, now }: PasskeyServices,
  site: RelyingParty,
  caller: Caller,
  name: string,
  registration: Registration,
): Promise<PasskeyRow> {
  const challenge = signedChallenge(registration)
  await challenges.redeem(db, challenge, 'addition', caller.signIn.id, now())
  const credential = await verifyRegistration(site, registration, challenge)
  return db.write(async (tx) => {
    await signIns.lockCaller(tx, caller)
    return passkeys.insert(tx, caller.user.id, name, credential, now())
  })
}

/** Renames a passkey. @throws ApiError stint_passkey_not_found. */
export function rename(
  { db }: PasskeyServices,
  { user }: Caller,
  id: string,
  name: string,
): Promise<PasskeyRow> {
  return db.write((tx) => passkeys.rename(tx, user.id, id, name))
}

/**
 * Removes a passkey, which asks the caller for a proof. The sign-ins that began with it end, but for the caller's.
 * @throws ApiError stint_passkey_not_found; stint_passkey_last for the last one of an account without a password; those
 * of `withProof`.
 */
export async function remove(
  services: PasskeyServices,
  site: RelyingParty | null,
  caller: Caller,
  id: string,
  proof: Proof,
): Promise<void> {
  const { user, signIn: own } = caller
  const ended = await withProof(services, site, caller, proof, async (tx, current) => {
    await passkeys.remove(tx, user.id, id)
    const left = await passkeys.idsOf(tx, user.id)
    if (current.password_hash === '' && left.length === 0) throw apiError('stint_passkey_last')
    return signIns.end(tx, user.id, { except: own.id, passkey: id })
  })
  services.hub.sessionsEnded(user.id, ended)
}

/**
 * Sets a password, confirmed by a passkey, and ends every other sign-in, as a change of the password does.
 * @throws ApiError if the password is refused; those of `withProof`.
 */
export async function setPassword(
  services: PasskeyServices,
  site: RelyingParty,
  caller: Caller,
  password: string,
  assertion: Assertion,
): Promise<UserRow> {
  const { hub, now, passwords } = services
  const { user, signIn: own } = caller
  await refuseWeakPassword(password, user)
  const password_hash = await passwords.hash(password)
  const { ended, changed } = await withProof(services, site, caller, { assertion }, async (tx) => {
    await secrets.drop(tx, user.id, 'recovery')
    return {
      ended: await signIns.end(tx, user.id, { except: own.id }),
      changed: await users.change(tx, user.id, { password_hash }, now()),
    }
  })
  hub.sessionsEnded(user.id, ended)
  hub.accountChanged(user.id, 'update.password', wireUser(changed))
  return changed
}

/**
 * Runs `work` in a transaction that has locked the caller's account, once the caller has proven to be its owner: by its
 * password or by one of its passkeys. An account with neither needs no proof, as there is nothing that could be asked for.
 * @param site null: passkeys prove nothing here.
 * @throws ApiError stint_proof_missing; user_invalid_credentials, stint_password_missing; stint_passkey_expired,
 * stint_passkey_unknown, stint_passkey_refused; what `lockCaller` or `work` throws.
 */
async function withProof<Result>(
  services: PasskeyServices,
  site: RelyingParty | null,
  caller: Caller,
  { password, assertion }: Proof,
  work: (tx: Transaction, user: UserRow) => Promise<Result>,
): Promise<Result> {
  const { db, now } = services
  const { id } = caller.user
  if (password) {
    const claim = { find: () => users.findById(db, id), password, prepare: () => null }
    return writeWithPassword(services, claim, async (tx, user) => {
      await signIns.lockCaller(tx, caller)
      return work(tx, user)
    })
  }
  const used = assertion ? await provenUse(services, site, caller, assertion) : null
  return db.write(async (tx) => {
    await signIns.lockCaller(tx, caller)
    const user = await users.lock(tx, id)
    if (user === undefined) throw apiError('stint_proof_missing')
    if (used !== null) await passkeys.noteUse(tx, used.id, used.counter, now())
    else if (user.password_hash !== '' || (await passkeys.idsOf(tx, id)).length > 0) {
      throw apiError('stint_proof_missing')
    }
    return work(tx, user)
  })
}

/** Checks what one of the caller's passkeys has signed. Returns the passkey and its new counter. */
async function provenUse(
  { db, now }: PasskeyServices,
  site: RelyingParty | null,
  { user, signIn: own }: Caller,
  assertion: Assertion,
): Promise<{ id: string; counter: number }> {
  if (site === null) throw apiError('user_auth_method_unsupported.passkeys')
  const challenge = signedChallenge(assertion)
  await challenges.redeem(db, challenge, 'proof', own.id, now())
  const passkey = await passkeys.findByCredential(db, assertion.id)
  if (passkey?.user_id !== user.id) throw apiError('stint_passkey_unknown')
  return { id: passkey.id, counter: await verifyAssertion(site, assertion, challenge, passkey) }
}

/** Refuses an address that an account has, or one that may be its former spelling. */
async function refuseTaken(tx: Transaction, email: string): Promise<void> {
  const isTaken =
    (await users.lockByEmail(tx, email)) !== undefined ||
    (await users.isFormerSpellingTaken(tx, email))
  if (isTaken) throw apiError('user_already_exists')
}

function start(
  tx: Transaction,
  { id }: UserRow,
  passkeyId: string,
  visitor: Visitor,
  persistent: boolean,
  now: number,
) {
  const origin = { provider: 'passkey', provider_uid: passkeyId } as const
  return signIns.start(tx, id, visitor, persistent, now, origin)
}

function useOf(purpose: 'proof' | 'addition', { user, signIn: own }: Caller) {
  return { purpose, user_id: user.id, session_id: own.id }
}

/** Tells the devices of an account that somebody has signed in, and which sign-ins have ended by that. */
function publishSignIn(
  { hub }: PasskeyServices,
  { user, signIn: { id }, signIn: begun, ended }: Entered & { ended: string[] },
): void {
  hub.sessionsEnded(user.id, ended)
  hub.accountChanged(user.id, `sessions.${id}.create`, wireSignIn(begun, user, id))
}
