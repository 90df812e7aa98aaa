/** Refuses passwords that look strong but are among the first that attackers try. */
import { MIN_PASSWORD_LENGTH } from './password.ts'

/**
 * `common`: the password is on the list of common and breached passwords. `personal`: it is little
 * more than the account's name or address.
 */
export type PasswordFault = 'common' | 'personal'

/** The account that the password is for. */
export interface PasswordOwner {
  readonly email: string
  readonly name: string
}

/** Shorter words occur in many good passwords by chance. */
const MIN_OWN_WORD = 3

const PRODUCT = 'stint'

/**
 * Returns why the password is refused, or null if it is accepted. Case is ignored.
 * @param common the result of `commonPasswords`
 */
export function passwordFault(
  password: string,
  owner: PasswordOwner,
  common: ReadonlySet<string>,
): PasswordFault | null {
  const lowered = password.toLowerCase()
  if (common.has(lowered)) return 'common'
  const own = ownWords(owner).filter((word) => lowered.includes(word))
  if (own.length === 0) return null
  // The rest must be a strong password by itself. Signs between words add nothing to guess.
  const rest = own
    .reduce((left, word) => left.replaceAll(word, ''), lowered)
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
  return Array.from(rest).length < MIN_PASSWORD_LENGTH || common.has(rest) ? 'personal' : null
}

/** Returns the passwords of a list that are long enough to be chosen, in lower case, each once. */
export function commonPasswords(list: Iterable<string>): Set<string> {
  const common = new Set<string>()
  for (const each of list) {
    if (each.length >= MIN_PASSWORD_LENGTH) common.add(each.toLowerCase())
  }
  return common
}

/** The longest word comes first, so that it is removed before the parts it is made of. */
function ownWords({ email, name }: PasswordOwner): string[] {
  const [local = '', host = ''] = email.split('@')
  const words = [email, local, name, name.replaceAll(/\s/g, ''), PRODUCT].concat(
    local.split(/[^\p{L}\p{N}]+/u),
    // Top-level domains such as 'com' are left out: many words contain them.
    host.split('.').slice(0, -1),
    name.split(/[^\p{L}\p{N}]+/u),
  )
  return [...new Set(words.map((word) => word.trim().toLowerCase()))]
    .filter((word) => word.length >= MIN_OWN_WORD)
    .toSorted((a, b) => b.length - a.length)
}
