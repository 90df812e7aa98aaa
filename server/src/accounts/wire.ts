/** Accounts and sessions as the API shows them: never a password, a hash or a token (contract 4.1). */
import type { SessionRow, UserRow } from '#storage/schema.ts'
import { deviceOf } from './device.ts'

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

/** A session, for its owner. */
export function wireSession(session: SessionRow, user: UserRow, currentId: string) {
  return {
    $id: session.id,
    $createdAt: session.created_at,
    $updatedAt: session.updated_at,
    userId: session.user_id,
    expire: session.expires_at,
    provider: 'email',
    providerUid: user.email,
    providerAccessToken: '',
    providerAccessTokenExpiry: '',
    providerRefreshToken: '',
    ip: session.ip,
    ...deviceOf(session.user_agent),
    countryCode: '--',
    countryName: 'Unknown',
    current: session.id === currentId,
    factors: ['password'],
    secret: '',
    mfaUpdatedAt: '',
  }
}
