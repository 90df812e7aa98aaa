import type { Prefs } from '#settings.ts'

/** Returns whether the preferences have an hours account. It needs no other code of the account. */
export function isSetUp(prefs: Prefs): boolean {
  return Object.keys(prefs).some((name) => name.startsWith('contract:'))
}
