/** Passwords that are refused however strong they look: what attackers try first. */
import { MIN_PASSWORD_LENGTH } from './password.ts'

/**
 * `common`: on the list of common and breached passwords. `personal`: little more than the account's own
 * words.
 */
export type PasswordFault = 'common' | 'personal'

/** Whose password it is to be. */
export interface PasswordOwner {
  readonly email: string
  readonly name: string
}

/** Shorter words are in many a good password by chance. */
const MIN_OWN_WORD = 3

const PRODUCT = 'stint'

/**
 * Why the password must not be taken; null when it may be. Upper and lower case are the same.
 * @param common what `commonPasswords` returns.
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
  // What is left without them must be a password by itself; signs between words add nothing to guess.
  const rest = own
    .reduce((left, word) => left.replaceAll(word, ''), lowered)
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
  return Array.from(rest).length < MIN_PASSWORD_LENGTH || common.has(rest) ? 'personal' : null
}

/** The passwords of a list that are long enough to be chosen at all, in lower case, each once. */
export function commonPasswords(list: Iterable<string>): Set<string> {
  const common = new Set<string>()
  for (const each of list) {
    if (each.length >= MIN_PASSWORD_LENGTH) common.add(each.toLowerCase())
  }
  return common
}

/** The longest first, so that a word goes before the parts it is made of. */
function ownWords({ email, name }: PasswordOwner): string[] {
  const [local = '', host = ''] = email.split('@')
  const words = [email, local, name, name.replaceAll(/\s/g, ''), PRODUCT].concat(
    local.split(/[^\p{L}\p{N}]+/u),
    // Not 'com' and the like, which many words hold.
    host.split('.').slice(0, -1),
    name.split(/[^\p{L}\p{N}]+/u),
  )
  return [...new Set(words.map((word) => word.trim().toLowerCase()))]
    .filter((word) => word.length >= MIN_OWN_WORD)
    .toSorted((a, b) => b.length - a.length)
}
