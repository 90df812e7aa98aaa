/**
 * Accounts, sign-ins and mailed secrets as the API returns them: never a password, a hash, a token
 * or a secret.
 */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { answer, instant } from '#http/answers.ts'
import { isPlainObject } from '#json.ts'
import type { TokenRow, UserRow } from '#storage/schema.ts'
import { deviceOf } from './device.ts'
import type { SignIn } from './sign-ins.ts'

const text = Type.String()

export const PREFERENCES = Type.Record(text, Type.Unknown(), {
  title: 'preferences',
  description: "an object of the client's own making",
})

const TARGET = answer(
  {
    $id: text,
    $createdAt: instant,
    $updatedAt: instant,
    name: text,
    userId: text,
    providerId: Type.Null(),
    providerType: text,
    identifier: text,
    expired: Type.Boolean(),
  },
  'target',
)

export const USER = answer(
  {
    $id: text,
    $createdAt: instant,
    $updatedAt: instant,
    name: text,
    registration: instant,
    status: Type.Boolean(),
    labels: Type.Array(text),
    passwordUpdate: instant,
    email: text,
    phone: text,
    emailVerification: Type.Boolean(),
    phoneVerification: Type.Boolean(),
    mfa: Type.Boolean(),
    prefs: PREFERENCES,
    targets: Type.Array(TARGET),
    accessedAt: instant,
  },
  'user',
)

export const SESSION = answer(
  {
    $id: text,
    $createdAt: instant,
    $updatedAt: instant,
    userId: text,
    expire: instant,
    provider: text,
    providerUid: text,
    providerAccessToken: text,
    providerAccessTokenExpiry: text,
    providerRefreshToken: text,
    ip: text,
    osCode: text,
    osName: text,
    osVersion: text,
    clientType: text,
    clientCode: text,
    clientName: text,
    clientVersion: text,
    clientEngine: text,
    clientEngineVersion: text,
    deviceName: text,
    deviceBrand: text,
    deviceModel: text,
    countryCode: text,
    countryName: text,
    current: Type.Boolean(),
    factors: Type.Array(text),
    secret: text,
    mfaUpdatedAt: text,
  },
  'session',
)

export const SESSIONS = answer(
  { total: Type.Integer(), sessions: Type.Array(SESSION) },
  'sessionList',
)

export const TOKEN = answer(
  {
    $id: text,
    $createdAt: instant,
    userId: text,
    secret: text,
    expire: instant,
    phrase: text,
  },
  'token',
)

/** Returns the account for its owner. */
export function wireUser(user: UserRow): Static<typeof USER> {
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

/** Returns the account's preferences: a bare object, `{}` if there are none. */
export function wirePrefs(user: UserRow): Static<typeof PREFERENCES> {
  const prefs: unknown = JSON.parse(user.prefs)
  return isPlainObject(prefs) ? prefs : {}
}

/** Returns a sign-in for its owner; `currentId` is the caller's sign-in. */
export function wireSignIn(
  signIn: SignIn,
  user: UserRow,
  currentId: string,
): Static<typeof SESSION> {
  return {
    $id: signIn.id,
    $createdAt: signIn.created_at,
    $updatedAt: signIn.updated_at,
    userId: signIn.user_id,
    expire: signIn.expires_at,
    provider: signIn.provider,
    providerUid: signIn.provider_uid ?? user.email,
    providerAccessToken: '',
    providerAccessTokenExpiry: '',
    providerRefreshToken: '',
    ip: signIn.ip,
    ...deviceOf(signIn.user_agent),
    countryCode: '--',
    countryName: 'Unknown',
    current: signIn.id === currentId,
    factors: [signIn.provider === 'email' ? 'password' : signIn.provider],
    secret: '',
    mfaUpdatedAt: '',
  }
}

/** Returns a mailed secret without the secret itself, which only the mail has. */
export function wireToken(token: Omit<TokenRow, 'purpose' | 'secret_hash'>): Static<typeof TOKEN> {
  return {
    $id: token.id,
    $createdAt: token.created_at,
    userId: token.user_id,
    secret: '',
    expire: token.expires_at,
    phrase: '',
  }
}
