/**
 * The server's check of new passwords, with its list: 50 KB, so it is a file of its own that comes when
 * somebody types a new password. Forms use it through `use-password-check.ts`.
 */
import { commonPasswords, passwordFault } from '@stint/core/password-fault.ts'
import type { PasswordFault, PasswordOwner } from '@stint/core/password-fault.ts'
import list from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'json' }

const COMMON = commonPasswords(list)

const TEXTS: Readonly<Record<PasswordFault, string>> = {
  common: 'This password is on a list of commonly used passwords. Please choose a different one.',
  personal:
    'This password is little more than your name, your e-mail address or “Stint”. Please choose a different one.',
}

/** Why the server will refuse the password, as a text to show; null when it will not. */
export function passwordRefusal(password: string, owner: PasswordOwner): string | null {
  const fault = passwordFault(password, owner, COMMON)
  return fault === null ? null : TEXTS[fault]
}
