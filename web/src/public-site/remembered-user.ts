/**
 * Reads who is signed in from this browser's storage, without the app's database code, as the
 * prerendered pages must not load it. The record and the marker are those of session/device-db.ts and
 * session/session.ts.
 */

/** `ask`: there are signs of a sign-in, and only the server knows whether it is still valid. */
export type Memory = 'signed-in' | 'signed-out' | 'ask'

/**
 * The server sets this cookie beside a session
 * (docs/decisions/0041-pages-and-builds.md).
 */
const SIGNED_IN_HINT = /(?:^|; )stint_signed_in=1/

/**
 * Returns what this browser remembers of its sign-in. Never rejects: without storage it is
 * 'signed-out'.
 */
export async function rememberedUser(): Promise<Memory> {
  try {
    return memoryOf(await identityRecord())
  } catch {
    return 'signed-out'
  }
}

function memoryOf(record: unknown): Memory {
  const unknown = SIGNED_IN_HINT.test(document.cookie) ? 'ask' : 'signed-out'
  if (typeof record !== 'object' || record === null) return unknown
  if (!('user' in record) || !('remember' in record)) return unknown
  const { user, remember } = record
  const id = typeof user === 'object' && user !== null && 'id' in user ? user.id : null
  return remember === true || sessionStorage.getItem('stint-signed-in') === id ? 'signed-in' : 'ask'
}

/**
 * Returns the identity record of the device's database, or undefined. Does not create a missing
 * database.
 */
async function identityRecord(): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('stint')
    opening.addEventListener('upgradeneeded', () => opening.transaction?.abort())
    opening.addEventListener('error', () => resolve(undefined))
    opening.addEventListener('success', () => {
      const database = opening.result
      try {
        const reading = database.transaction('records').objectStore('records').get('identity')
        reading.addEventListener('success', () => resolve(reading.result))
        reading.addEventListener('error', () => reject(new Error('Cannot read who is signed in')))
      } catch (error) {
        reject(error)
      } finally {
        // Closes after the read, so that the app can open or upgrade it.
        database.close()
      }
    })
  })
}
