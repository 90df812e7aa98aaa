/** Accounts, sign-ins and mailed secrets as the API shows them: never a password, a hash, a token or a secret. */
import type { TokenRow, UserRow } from '#storage/schema.ts'
import { deviceOf } from './device.ts'
import type { SignIn } from './sign-ins.ts'

/** The account, for its owner. */
export function wireUser(user: UserRow) {
  return {
    $id: user.id,
    $createdAt: user.created_at,
    $updatedAt: user.updated_at,
    name: user.name,
    registration: user.created_at,
    status: user.active,
    labels: [],
    passwordUpdate: user.password_updated_at,
    email: user.email,
    phone: '',
    emailVerification: user.email_verified,
    phoneVerification: false,
    mfa: false,
    prefs: wirePrefs(user),
    targets: [
      {
        $id: user.id,
        $createdAt: user.created_at,
        $updatedAt: user.updated_at,
        name: '',
        userId: user.id,
        providerId: null,
        providerType: 'email',
        identifier: user.email,
        expired: false,
      },
    ],
    accessedAt: user.accessed_at,
  }
}

/** The account's preferences: a bare object, `{}` when there are none. */
export function wirePrefs(user: UserRow): unknown {
  return JSON.parse(user.prefs)
}

/** A sign-in, for its owner; `currentId` is the one that asks. */
export function wireSignIn(signIn: SignIn, user: UserRow, currentId: string) {
  return {
    $id: signIn.id,
    $createdAt: signIn.created_at,
    $updatedAt: signIn.updated_at,
    userId: signIn.user_id,
    expire: signIn.expires_at,
    provider: 'email',
    providerUid: user.email,
    providerAccessToken: '',
    providerAccessTokenExpiry: '',
    providerRefreshToken: '',
    ip: signIn.ip,
    ...deviceOf(signIn.user_agent),
    countryCode: '--',
    countryName: 'Unknown',
    current: signIn.id === currentId,
    factors: ['password'],
    secret: '',
    mfaUpdatedAt: '',
  }
}

/** A mailed secret as the API shows it: without the secret, which only the mail has. */
export function wireToken(token: Omit<TokenRow, 'purpose' | 'secret_hash'>) {
  return {
    $id: token.id,
    $createdAt: token.created_at,
    userId: token.user_id,
    secret: '',
    expire: token.expires_at,
    phrase: '',
  }
}
