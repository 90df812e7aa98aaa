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
    return memoryOf(await deviceRecords())
  } catch {
    return 'signed-out'
  }
}

/** A sign-out holds in this browser as soon as it is pressed, whenever the server learns of it. */
function memoryOf({ identity: record, signOut }: DeviceRecords): Memory {
  if (signOut !== undefined) return 'signed-out'
  const unknown = SIGNED_IN_HINT.test(document.cookie) ? 'ask' : 'signed-out'
  if (typeof record !== 'object' || record === null) return unknown
  if (!('user' in record) || !('remember' in record)) return unknown
  const { user, remember } = record
  const id = typeof user === 'object' && user !== null && 'id' in user ? user.id : null
  return remember === true || sessionStorage.getItem('stint-signed-in') === id ? 'signed-in' : 'ask'
}

interface DeviceRecords {
  readonly identity?: unknown
  /** The sign-out that the server does not know of yet. */
  readonly signOut?: unknown
}

/** Returns the records of the device's database, none if there is no database. Does not create one. */
async function deviceRecords(): Promise<DeviceRecords> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('stint')
    opening.addEventListener('upgradeneeded', () => opening.transaction?.abort())
    opening.addEventListener('error', () => resolve({}))
    opening.addEventListener('success', () => {
      const database = opening.result
      try {
        const reading = database.transaction('records')
        const records = reading.objectStore('records')
        const [identity, signOut] = [records.get('identity'), records.get('pending-sign-out')]
        reading.addEventListener('complete', () =>
          resolve({ identity: identity.result, signOut: signOut.result }),
        )
        reading.addEventListener('abort', () => reject(new Error('Cannot read who is signed in')))
      } catch (error) {
        reject(error)
      } finally {
        // Closes after the read, so that the app can open or upgrade it.
        database.close()
      }
    })
  })
}
