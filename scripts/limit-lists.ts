/** The list of limits of docs/api.md: the numbers are those of the server, and the words are here. */
import { LIMITS } from '@stint/server/http/throttle.ts'

/** What each limit counts, without a semicolon, and by whom. Null: it limits what is logged, and no calls. */
const WORDS: Readonly<Record<keyof typeof LIMITS, readonly [what: string, by: string] | null>> = {
  signIn: ['signing in (a right password clears it)', 'address and account'],
  failuresOfAddress: [
    'wrong passwords, refused sign-ins by a passkey, a proxy or a provider',
    'address',
  ],
  failuresOfEmail: [
    'wrong passwords (from then on an account takes one try a second from addresses without a session of its own, and is never locked)',
    'account',
  ],
  wrongCodes: ['wrong codes after a right password (a right one clears it)', 'account'],
  signInsOfAddress: ['signing in, in any way (8 at once)', 'address'],
  signUp: ['new accounts', 'address'],
  signUpFromOutside: ['new accounts by a proxy or a provider', 'address'],
  recoveryOfEmail: ['asking for a recovery', 'e-mail address'],
  recoveryOfAddress: ['asking for a recovery', 'address'],
  recoveryTries: ['wrong secrets of a recovery', 'address'],
  credentials: [
    'changing the e-mail address, the password, deleting the account, confirming a change of passkeys, of the second factor: each',
    'session',
  ],
  verification: ['mails of a verification', 'person'],
  verificationTries: ['wrong secrets of a verification', 'address'],
  accountUpdate: ['changing name or preferences, deciding on proposals', 'person'],
  extendSession: ['extending a session', 'person'],
  endSession: ['ending sessions', 'person'],
  refusedHeader: null,
  passkeyOptions: ['beginning to sign in with a passkey', 'address'],
  passkeyChange: ['listing, adding, renaming and removing passkeys: each step', 'person'],
  keyChange: [
    'creating and revoking keys, calendar addresses and webhooks, and test messages',
    'person',
  ],
  pushChange: ['adding and removing devices that show the timer', 'person'],
  pushPress: ['presses in notifications', 'person'],
  wrongKeys: ['wrong keys or calendar addresses', 'address'],
  keyUse: ['calls with a key', 'person, with all keys together'],
  keySearch: [
    '`sessions`, `total`, `balance`, `timesheet`, `targets` and sealing of programs, searches of assistants',
    'person',
  ],
  calendarRead: ['reading calendars at other addresses', 'person'],
  calendarAddress: ['reading a calendar at another address', 'person and address'],
  feedRead: ['reading the calendar of a calendar address', 'person'],
  documentRead: ['reading documents and proposals', 'person'],
  documentCreate: ['creating documents', 'person'],
  documentUpdate: ['updating documents', 'person'],
  documentUpsert: ['creating or updating documents', 'person'],
  documentIncrement: ['incrementing attributes', 'person'],
  documentDecrement: ['decrementing attributes', 'person'],
  documentDelete: ['deleting documents', 'person'],
  documentBatches: ['calls that write many documents', 'person'],
  documentsInBulk: ['documents in calls that write many', 'person'],
}

const PERIODS: Readonly<Record<number, string>> = {
  60: 'a minute',
  900: 'in 15 minutes',
  3600: 'an hour',
}

/** Returns the lines of the list: how often, by whom, and the limits that are so, which count apart. */
export function limitLines(): string[] {
  const limits = new Map<string, { readonly hits: number; readonly windowSeconds: number }>(
    Object.entries(LIMITS),
  )
  const lines = new Map<string, string>()
  for (const [name, words] of Object.entries(WORDS)) {
    if (words === null) continue
    const [what, by] = words
    const { hits = 0, windowSeconds = 0 } = limits.get(name) ?? {}
    const often = `${hits.toLocaleString('en')} ${PERIODS[windowSeconds] ?? `in ${windowSeconds} s`}`
    const start = `- **${often} per ${by}:**`
    const same = lines.get(start)
    lines.set(start, same === undefined ? what : `${same}; ${what}`)
  }
  return [...lines].map((line) => line.join(' '))
}
