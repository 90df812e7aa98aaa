/**
 * Who is signed in, asked of this browser's memory without the database library: the prerendered
 * pages answer before the app is loaded. The record and the marker are those of
 * sync/device-db.ts and sync/session.ts.
 */

/** `ask`: there is a trace of a sign-in, and only the server knows whether it still holds. */
export type Memory = 'signed-in' | 'signed-out' | 'ask'

/** The server sets it beside a session (docs/decisions/0008-a-readable-hint-beside-the-session.md). */
const SIGNED_IN_HINT = /(?:^|; )stint_signed_in=1/

/** What this browser remembers of who is signed in. Never rejects: no memory is 'signed-out'. */
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

/** The record of the device's database, undefined without one. A missing database stays missing. */
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
        // Closes once the reading is done, so that the app may open or change it.
        database.close()
      }
    })
  })
}
