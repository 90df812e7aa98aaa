/** Where the command line keeps its server and its key. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import envPaths from 'env-paths'

import { Failure } from './failure.ts'

export interface Access {
  /** The server's address without a slash at its end. */
  readonly server: string
  /** A personal key. */
  readonly key: string
}

function accessFile(): string {
  return join(envPaths('stint', { suffix: '' }).config, 'access.json')
}

/**
 * Returns the server and the key: from STINT_SERVER and STINT_KEY, else from the file of `stint login`.
 * Throws Failure when there are none, or when the file cannot be read.
 */
export async function readAccess(): Promise<Access> {
  const { STINT_SERVER: server, STINT_KEY: key } = process.env
  if (server && key) return { server: serverAt(server), key }
  const file = accessFile()
  try {
    const stored: unknown = JSON.parse(await readFile(file, 'utf8'))
    const { server, key } = Object(stored)
    if (typeof server === 'string' && typeof key === 'string') {
      return { server: serverAt(server), key }
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    if (!isMissing(error)) throw new Failure('access', `${file} cannot be read: run stint login.`)
  }
  throw new Failure('access', 'No key yet: run stint login.')
}

/** Stores the server and the key in a file that only the user can read. Returns its path. */
export async function storeAccess({ server, key }: Access): Promise<string> {
  const file = accessFile()
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  // An existing file would keep its mode.
  await rm(file, { force: true })
  await writeFile(file, `${JSON.stringify({ server, key })}\n`, {
    mode: 0o600,
    flag: 'wx',
  })
  return file
}

/** Removes the stored key. */
export async function removeAccess(): Promise<void> {
  await rm(accessFile(), { force: true })
}

/**
 * Returns the address of a server without a slash at its end. Throws Failure when it is none, and when it is http to
 * another machine without STINT_ALLOW_HTTP=1: everybody on the way could read the key.
 */
export function serverAt(address: string): string {
  // URL.parse is missing in Node 20.
  const { protocol, hostname } = new URL(URL.canParse(address) ? address : 'about:blank')
  if (protocol !== 'https:' && protocol !== 'http:') {
    throw new Failure('usage', `${address} is no address such as https://stint.example.com.`)
  }
  const isEncrypted = protocol === 'https:' || LOOPBACK.test(hostname)
  if (!isEncrypted && process.env['STINT_ALLOW_HTTP'] !== '1') {
    throw new Failure(
      'usage',
      `${address} is not encrypted, so others in the network could read your key. Use https, or set STINT_ALLOW_HTTP=1 in a network that you trust.`,
    )
  }
  return address.replace(/\/+$/, '')
}

/** Names and addresses of this machine, as a parsed URL has them. */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
