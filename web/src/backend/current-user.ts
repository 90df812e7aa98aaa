/** Who is signed in at the server. */
import type { Models } from 'appwrite'

import type { User } from './backend.ts'
import { call, notTheBackend } from './connection.ts'
import type { Connection } from './connection.ts'

/** Asks the server. Rejects with BackendError. */
export async function currentUser({ sdk }: Connection): Promise<User> {
  const { account } = await sdk()
  return userFrom(await call(() => account.get()))
}

export function userFrom(account: Models.User): User {
  if (typeof account.$id !== 'string') throw notTheBackend()
  return { id: account.$id, name: account.name, email: account.email }
}
