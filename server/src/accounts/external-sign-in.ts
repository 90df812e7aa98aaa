/**
 * Sign-ins of people whom another system has signed in: the proxy in front, or an OIDC provider. Their
 * account is the one that is linked to them, else the one with their e-mail address, else a new one.
 */
import { UniqueViolation } from '#storage/database.ts'
import type { Transaction } from '#storage/database.ts'
import type { UserRow } from '#storage/schema.ts'
import { apiError } from '#errors.ts'
import { newId } from '#id.ts'
import { remove as removeSecondFactor } from '#second-factor/codes.ts'
import type { Services } from '#services.ts'
import * as identities from './identities.ts'
import type { Identity } from './identities.ts'
import { admit } from './invites.ts'
import type { AccountServices } from './service.ts'
import * as signIns from './sign-ins.ts'
import type { SignIn, Visitor } from './sign-ins.ts'
import * as users from './users.ts'
import { endWaysIn } from './ways-in.ts'
import { wireSignIn } from './wire.ts'

/** How often a sign-in is repeated if another one creates the same account meanwhile. */
const MAX_TRIES = 3

/** A person, as the other system vouches for them. */
export interface ExternalPerson extends Identity {
  readonly provider: 'proxy' | 'oidc'
  /** Normalized, and certainly theirs; null: the system does not say so. */
  readonly email: string | null
  /** The name for a new account. */
  readonly name: string
}

export interface ExternalSignIn {
  readonly user: UserRow
  readonly signIn: SignIn
  readonly token: string
  /** What happened to the account. */
  readonly account: 'known' | 'linked' | 'created'
}

/** How a sign-in begins. */
interface Wish {
  readonly persistent: boolean
  /** The secret of an invitation, null without one. */
  readonly invite: string | null
}

/**
 * Signs a person in whom another system vouches for. Creates their account as `SIGNUP` allows. If an
 * account with their address exists and the address was never verified, somebody else may have
 * created it: its password and every other way in end (`endWaysIn`).
 * @throws ApiError user_blocked; stint_email_unverified; stint_identity_conflict when the account is
 * linked to another person of the issuer, or its address is spelled otherwise; those of `admit`.
 */
export async function signInExternally(
  services: AccountServices & Pick<Services, 'config'>,
  person: ExternalPerson,
  visitor: Visitor,
  wish: Wish,
): Promise<ExternalSignIn> {
  const { hub } = services
  const { ended, ...entered } = await withRetries(() => enter(services, person, visitor, wish))
  const { user, signIn } = entered
  hub.sessionsEnded(user.id, ended)
  hub.accountChanged(user.id, `sessions.${signIn.id}.create`, wireSignIn(signIn, user, signIn.id))
  return entered
}

async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof UniqueViolation) || tries === MAX_TRIES) throw error
    }
  }
}

function enter(
  { db, config, now }: Pick<Services, 'db' | 'config' | 'now'>,
  person: ExternalPerson,
  visitor: Visitor,
  { persistent, invite }: Wish,
): Promise<ExternalSignIn & { ended: string[] }> {
  return db.write(async (tx) => {
    const found = await accountOf(tx)
    if (!found.user.active) throw apiError('user_blocked')
    const origin = { provider: person.provider, provider_uid: person.subject }
    const started = await signIns.start(tx, found.user.id, visitor, persistent, now(), origin)
    return { ...found, ...started, ended: [...found.ended, ...started.ended] }
  })

  async function accountOf(
    tx: Transaction,
  ): Promise<Pick<ExternalSignIn, 'user' | 'account'> & { ended: string[] }> {
    const ownerId = await identities.ownerOf(tx, person)
    const known = ownerId === undefined ? undefined : await users.lock(tx, ownerId)
    // The link may have ended while this waited for the lock.
    if (known !== undefined && (await isTheirs(known))) {
      return { user: known, account: 'known', ended: [] }
    }
    const { email } = person
    if (email === null) throw apiError('stint_email_unverified')
    const same = await users.lockByEmail(tx, email)
    if (same === undefined) {
      if (await users.isFormerSpellingTaken(tx, email)) {
        throw apiError('stint_identity_conflict.spelling')
      }
      await admit(tx, config.signup, { email, isProven: true, invite }, now())
      const { name } = person
      const account = { id: newId(now()), email, name, password_hash: '', email_verified: true }
      const user = await users.insert(tx, account, now())
      await identities.link(tx, user.id, person, now())
      return { user, account: 'created', ended: [] }
    }
    if (!same.active) throw apiError('user_blocked')
    // Another request of the same person may have linked it while this one waited for the lock.
    if (await isTheirs(same)) return { user: same, account: 'known', ended: [] }
    if (same.email_verified) {
      if (await identities.isLinked(tx, same.id, person.issuer)) {
        throw apiError('stint_identity_conflict')
      }
      await identities.link(tx, same.id, person, now())
      return { user: same, account: 'linked', ended: [] }
    }
    const { signIns: ended } = await endWaysIn(tx, same.id)
    await removeSecondFactor(tx, same.id)
    const changes = { password_hash: '', email_verified: true }
    const user = await users.change(tx, same.id, changes, now())
    await identities.link(tx, same.id, person, now())
    return { user, account: 'linked', ended }

    async function isTheirs({ id }: UserRow): Promise<boolean> {
      return (await identities.ownerOf(tx, person)) === id
    }
  }
}

/**
 * Removes the account's links to other systems, so that the next sign-in links it again by its
 * address.
 * @returns how many there were.
 */
export function unlink({ db }: Pick<Services, 'db'>, userId: string): Promise<number> {
  return db.write(async (tx) => {
    await users.lock(tx, userId)
    return identities.unlinkAll(tx, userId)
  })
}
