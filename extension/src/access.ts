/** The server and the key that the options keep, and what the browser lets the extension call. */

export interface Access {
  /** The origin of the server, without a slash at its end. */
  readonly server: string
  /** A personal key. */
  readonly key: string
}

/** The places in the storage of the extension, which stays in this browser. */
export const ACCESS = 'access'

/** Returns what the options keep, or null before they are saved. */
export async function readAccess(): Promise<Access | null> {
  const stored: unknown = (await chrome.storage.local.get(ACCESS))[ACCESS]
  const { server, key } = Object(stored)
  return typeof server === 'string' && typeof key === 'string' ? { server, key } : null
}

/** Keeps the server and the key; null removes them. */
export async function storeAccess(access: Access | null): Promise<void> {
  if (access === null) await chrome.storage.local.remove(ACCESS)
  else await chrome.storage.local.set({ [ACCESS]: access })
}

/**
 * Returns the origin of an address that somebody typed, or null if a key must not go there: anything but https, unless
 * it is this computer. An address without a scheme is https.
 */
export function serverAt(typed: string): string | null {
  const address = typed.trim()
  const url = URL.parse(/^[a-z][\w+.-]*:\/\//i.test(address) ? address : `https://${address}`)
  if (url === null || url.hostname === '') return null
  const isHere = url.hostname === 'localhost' || url.hostname === '127.0.0.1'
  return url.protocol === 'https:' || (url.protocol === 'http:' && isHere) ? url.origin : null
}

/** Returns the permission to call a server, and no other. Patterns have no port. */
export function permissionFor(server: string): { origins: string[] } {
  const { protocol, hostname } = new URL(server)
  return { origins: [`${protocol}//${hostname}/*`] }
}
