/** Calls without an account: those that hash, and those that are counted. */
import { randomBytes } from 'node:crypto'
import { anyOf, inParallel } from './attack.ts'
import type { Attack } from './attack.ts'
import { PASSWORD, signIn } from './people.ts'

const RECOVERING = 150
const SIGNING_IN = 150
const COUNTED = 50
/** The table of limits must not grow with the e-mail addresses that a client invents. */
export const MAX_THROTTLE_ROWS = 2000

/** Redeems secrets of recoveries that were never sent. */
export const recoveries: Attack = {
  people: 0,
  signsIn: true,
  async run(_target, ask, counts) {
    await inParallel(RECOVERING, async () => {
      const body = {
        userId: randomBytes(8).toString('hex'),
        secret: randomBytes(32).toString('hex'),
        password: PASSWORD,
      }
      const { status } = await ask('PUT', '/v1/account/recovery', { body })
      counts.add(`status ${status}`)
    })
  },
}

/** A user signs in to their own account repeatedly; right passwords are not counted. */
export const ownSignIns: Attack = {
  people: 1,
  signsIn: true,
  async run({ people }, ask, counts) {
    const { email } = anyOf(people, 0)
    await inParallel(SIGNING_IN, async () => {
      const { status } = await signIn(ask, email)
      counts.add(`status ${status}`)
    })
  },
}

/** New keys for the table of limits: unknown, long and malformed addresses. */
export const countedCalls: Attack = {
  people: 0,
  async run(_target, ask, counts) {
    await inParallel(COUNTED, async (place, round) => {
      const [path, method, body] = countedCall(`${place}x${round}`, place)
      const { status } = await ask(method, path, { body })
      counts.add(`status ${status}`)
    })
  },
}

const RESET_PAGE = 'http://localhost:3000/reset'

/**
 * Each parallel client makes one kind of call, so that slow ones (with a hash) do not delay the
 * others.
 */
function countedCall(id: string, place: number): [path: string, method: string, body: object] {
  const password = PASSWORD
  const email = `nobody${id}@example.com`
  switch (place % 8) {
    case 0:
      return ['/v1/account/sessions/email', 'POST', { email, password }]
    case 1:
      return [
        '/v1/account/sessions/email',
        'POST',
        { email: `${id}${'y'.repeat(60_000)}`, password },
      ]
    case 2:
      return ['/v1/account/sessions', 'POST', { email: `${id} is no address`, password }]
    case 3:
      return ['/v1/account/recovery', 'POST', { email, url: RESET_PAGE }]
    case 4:
      return ['/v1/account', 'POST', { userId: 'unique()', email, password }]
    case 5:
      return ['/v1/account/recovery', 'PUT', { userId: id, secret: 's', password }]
    case 6:
      return ['/v1/account/verifications/email', 'PUT', { userId: id, secret: 's' }]
    default:
      return ['/v1/account/sessions/email', 'POST', { email: { id }, password: [] }]
  }
}
