/** Secrets: 256 random bits, sent once and stored only as their SHA-256. */
import { hash, randomBytes } from 'node:crypto'
import { isPlainObject, parsedJson } from '#json.ts'

/** Returns a new secret. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the stored hash of a secret. It needs no salt, since the secret is random. */
export function secretHash(secret: string): string {
  return hash('sha256', secret)
}

/** Returns the value of a session cookie, user id and secret, as Appwrite encodes it. */
export function signInToken(userId: string, secret: string): string {
  return Buffer.from(JSON.stringify({ id: userId, secret })).toString('base64url')
}

/** Returns the secret in a session cookie's value, or null if it is not one. */
export function secretOfToken(token: string): string | null {
  if (token.length > 1024) return null
  const parsed = parsedJson(Buffer.from(token, 'base64url').toString())
  return isPlainObject(parsed) && typeof parsed['secret'] === 'string' ? parsed['secret'] : null
}
