/**
 * The secret of an invitation, kept in this tab until it is used. A reload and a visit to a sign-in
 * provider leave it there.
 */

const KEY = 'stint-invite'

export function keepInvite(secret: string): void {
  sessionStorage.setItem(KEY, secret)
}

/** Returns the invitation that opened this tab; null: none did. */
export function keptInvite(): string | null {
  return typeof sessionStorage === 'undefined' ? null : sessionStorage.getItem(KEY)
}

/** Forgets the invitation, because it is used up. */
export function forgetInvite(): void {
  sessionStorage.removeItem(KEY)
}
