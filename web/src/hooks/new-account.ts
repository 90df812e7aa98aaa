/** What is still to be done for an account that was created on this page. */
const ofNewAccount = new Set<'cursor' | 'theme'>()

/** Returns whether this is to be done for an account that was created on this page, once. */
export function takeNewAccount(what: 'cursor' | 'theme'): boolean {
  return ofNewAccount.delete(what)
}

/** Notes that an account is being created on this page. */
export function noteNewAccount(): void {
  ofNewAccount.add('cursor').add('theme')
}

/** Forgets it: the account could not be created. */
export function forgetNewAccount(): void {
  ofNewAccount.clear()
}
