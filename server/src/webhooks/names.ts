/**
 * Resolves the names of webhooks, which people choose. `dns.lookup` would do it on the four threads of the process, where names
 * whose servers never answer delay files, password hashes, mail and the database. This asks the system's name servers over
 * sockets of its own, and ends in time.
 */
import { Resolver } from 'node:dns/promises'
import type { LookupAddress } from 'node:dns'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

/** How long a name may take, in milliseconds: less than a handler and a call of a webhook. */
const MAX_RESOLUTION = 5000
/** How long one name server may take before the next try, in milliseconds. The second try takes twice as long. */
const MAX_QUERY = 1500
const TRIES = 2

const HOSTS = '/etc/hosts'
const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/**
 * Returns all IPv4 and IPv6 addresses of a name, in this order: of /etc/hosts, else of DNS. A family whose query fails is left
 * out.
 * @throws Error with a code of DNS such as ENOTFOUND; ETIMEOUT after five seconds.
 */
export type ResolveName = (hostname: string) => Promise<readonly LookupAddress[]>

/** @param nameServers addresses with ports. Default: those of the system. */
export function createNameResolver(nameServers?: readonly string[]): ResolveName {
  return async (hostname) => {
    if (/^(?:.+\.)?localhost\.?$/i.test(hostname)) return LOOPBACK
    const known = await addressesInHosts(hostname)
    return known.length > 0 ? known : queried(hostname, nameServers)
  }
}

async function queried(
  hostname: string,
  nameServers: readonly string[] | undefined,
): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: MAX_QUERY, tries: TRIES })
  if (nameServers !== undefined) resolver.setServers(nameServers)
  const end = setTimeout(() => resolver.cancel(), MAX_RESOLUTION)
  try {
    const [v4, v6] = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ])
    const found = [v4, v6].flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    if (found.length > 0) return found.map((address) => ({ address, family: isIP(address) }))
    throw v4.status === 'rejected' ? timeoutIfCancelled(v4.reason) : notFound(hostname)
  } finally {
    clearTimeout(end)
  }
}

function timeoutIfCancelled(error: Error): Error {
  const isCancelled = 'code' in error && error.code === 'ECANCELLED'
  return isCancelled
    ? Object.assign(new Error('Name servers did not answer'), { code: 'ETIMEOUT' })
    : error
}

function notFound(hostname: string): Error {
  return Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' })
}

async function addressesInHosts(hostname: string): Promise<LookupAddress[]> {
  const text = await readFile(HOSTS, 'utf8').catch(() => '')
  const wanted = hostname.toLowerCase()
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = (line.split('#', 1)[0] ?? '').trim().split(/\s+/)
    const family = isIP(address)
    const isWanted = family !== 0 && names.some((name) => name.toLowerCase() === wanted)
    return isWanted ? { address, family } : []
  })
}
