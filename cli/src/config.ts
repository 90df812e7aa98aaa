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

const FILE = join(envPaths('stint', { suffix: '' }).config, 'access.json')

/**
 * Returns the server and the key: from STINT_SERVER and STINT_KEY, else from the file of `stint login`.
 * Throws Failure when there are none, or when the file cannot be read.
 */
export async function readAccess(): Promise<Access> {
  const { STINT_SERVER: server, STINT_KEY: key } = process.env
  if (server && key) return { server: serverAt(server), key }
  try {
    const stored: unknown = JSON.parse(await readFile(FILE, 'utf8'))
    const { server, key } = Object(stored)
    if (typeof server === 'string' && typeof key === 'string') return { server, key }
  } catch (error) {
    if (!isMissing(error)) throw new Failure('access', `${FILE} cannot be read: run stint login.`)
  }
  throw new Failure('access', 'No key yet: run stint login.')
}

/** Stores the server and the key in a file that only the user can read. Returns its path. */
export async function storeAccess({ server, key }: Access): Promise<string> {
  await mkdir(dirname(FILE), { recursive: true, mode: 0o700 })
  // An existing file would keep its mode.
  await rm(FILE, { force: true })
  await writeFile(FILE, `${JSON.stringify({ server, key })}\n`, {
    mode: 0o600,
    flag: 'wx',
  })
  return FILE
}

/** Removes the stored key. */
export async function removeAccess(): Promise<void> {
  await rm(FILE, { force: true })
}

/** Returns the address of a server without a slash at its end. Throws Failure when it is none. */
export function serverAt(address: string): string {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new Failure('usage', `${address} is no address such as https://stint.example.com.`)
  }
  return address.replace(/\/+$/, '')
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
