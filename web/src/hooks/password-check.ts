/**
 * The client's copy of the server's password check. Its word list has 50 KB, so it is a separate chunk,
 * loaded when a person types a new password. Forms use it through `use-password-check.ts`.
 */
import { commonPasswords, passwordFault } from '@stint/core/password-fault.ts'
import type { PasswordFault, PasswordOwner } from '@stint/core/password-fault.ts'
import { t } from '@stint/core/text.ts'
import list from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'json' }

const COMMON = commonPasswords(list)

const TEXTS: Readonly<Record<PasswordFault, string>> = {
  common: t(
    'This password is on a list of commonly used passwords. Please choose a different one.',
  ),
  personal: t(
    'This password is little more than your name, your email address or “Stint”. Please choose a different one.',
  ),
}

/**
 * Returns why the server will refuse the password, as a text for the form; null when it will accept it.
 */
export function passwordRefusal(password: string, owner: PasswordOwner): string | null {
  const fault = passwordFault(password, owner, COMMON)
  return fault === null ? null : TEXTS[fault]
}
