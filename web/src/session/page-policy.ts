/**
 * What the server writes into its pages about signing in (server/src/site/filled.ts), so that the app
 * need not ask it first. A page of the service worker may have what was true at the last visit.
 */
import type { ServerInfo } from '#backend/backend.ts'

/** Returns who may create an account; 'open' in a page that says nothing. */
export function signupPolicyOfPage(): ServerInfo['signup'] {
  if (typeof document === 'undefined') return 'open'
  const { signup } = document.documentElement.dataset
  return signup === 'closed' || signup === 'invite' ? signup : 'open'
}

/** Returns whether the app may be used before an account exists, and everybody may create one later. */
export function offersTryOut(): boolean {
  const isOff = document.documentElement.dataset['try'] === 'off'
  return !isOff && !isBehindProxy() && signupPolicyOfPage() === 'open'
}

/** Returns whether this page may connect to ActivityWatch on this computer. */
export function mayReadActivityWatch(): boolean {
  return document.documentElement.dataset['activitywatch'] !== undefined
}

/** Returns whether a proxy in front of the server signs people in. */
export function isBehindProxy(): boolean {
  return document.documentElement.dataset['proxy'] !== undefined
}
