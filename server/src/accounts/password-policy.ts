/** Refuses weak new passwords. An account that has one already can still sign in. */
import { commonPasswords, passwordFault } from '@stint/core/password-fault.ts'
import type { PasswordOwner } from '@stint/core/password-fault.ts'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { apiError } from '#errors.ts'

const require = createRequire(import.meta.url)
/** A list of 49,000 passwords of known breaches. */
const LIST_FILE = require.resolve('@zxcvbn-ts/language-common/src/passwords.json')

let loading: Promise<ReadonlySet<string>> | null = null

/**
 * Refuses a new password that attackers try first. The first call loads the list.
 * @throws ApiError general_argument_invalid for a common one, in Appwrite's words;
 * password_personal_data for one made of the account's name or address.
 */
export async function refuseWeakPassword(password: string, owner: PasswordOwner): Promise<void> {
  loading ??= loadList()
  const fault = passwordFault(password, owner, await loading)
  if (fault === 'personal') throw apiError('password_personal_data')
  if (fault === 'common') throw apiError('general_argument_invalid.common_password')
}

async function loadList(): Promise<ReadonlySet<string>> {
  const list: unknown = JSON.parse(await readFile(LIST_FILE, 'utf8'))
  if (!Array.isArray(list)) throw new Error(`${LIST_FILE} is no list`)
  return commonPasswords(list.filter((each) => typeof each === 'string'))
}
