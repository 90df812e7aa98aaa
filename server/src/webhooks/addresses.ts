/** Which network addresses a webhook may have. */
import { BlockList, isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import { rateLimitExceeded, serviceUnavailable } from '#errors.ts'
import type { ResolveName } from './names.ts'

/** How many names are checked at once in a process, and for one person. Each check ends within five seconds. */
const MAX_CHECKS = 100
const MAX_CHECKS_OF_ONE = 2

/** The networks that are not public: this machine, private networks, links, tunnels, documentation, multicast. */
const NOT_PUBLIC = new BlockList()
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]) {
  const [address = '', bits] = network.split('/')
  NOT_PUBLIC.addSubnet(address, Number(bits), 'ipv4')
}
/** All public IPv6 addresses are in this network, without these parts of it. */
const PUBLIC_V6 = new BlockList()
PUBLIC_V6.addSubnet('2000::', 3, 'ipv6')
for (const [address, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  NOT_PUBLIC.addSubnet(address, bits, 'ipv6')
}

/** Thrown when a name or a URL leads to an address that is not public. */
export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress'

  constructor() {
    super('The address is not public')
  }
}

/** Returns whether an IP address (IPv6 without brackets) is on the public internet. */
export function isPublic(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !NOT_PUBLIC.check(address, 'ipv4')
    case 6:
      return PUBLIC_V6.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6')
    default:
      return false
  }
}

/** Returns the host of a URL if it is an IP address, without brackets; else null. */
export function addressOf({ hostname }: URL): string | null {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? null : host
}

/**
 * Returns the `lookup` of a connection. It fails with PrivateAddress if any address of the name is not public, unless
 * `allowsPrivate`. The connection uses the addresses that were checked, so a name that changes gains nothing.
 */
export function lookupOf(resolveName: ResolveName, allowsPrivate: boolean): LookupFunction {
  return (hostname, { family, all }, callback) => {
    resolveName(hostname)
      .then((addresses) => {
        const isAllowed = allowsPrivate || addresses.every(({ address }) => isPublic(address))
        if (!isAllowed) throw new PrivateAddress()
        const wanted = addresses.filter((each) => !family || family === each.family)
        const [first] = wanted
        if (first === undefined) throw new Error('The name has no address of this family')
        return { wanted, first }
      })
      // Outside the chain: what the callback throws is not a failure of the name.
      .then(
        ({ wanted, first }) =>
          setImmediate(() =>
            all === true
              ? callback(null, [...wanted])
              : callback(null, first.address, first.family),
          ),
        (error: NodeJS.ErrnoException) => setImmediate(() => callback(error, [])),
      )
  }
}

/**
 * Returns whether messages of a person may be sent to a URL: https, without a user name, and public; http and other
 * addresses too when the operator allows them. @throws ApiError general_rate_limit_exceeded while two names of this person are
 * checked, general_service_unavailable while a hundred are.
 */
export type CheckUrl = (owner: string, url: string) => Promise<boolean>

/** @param allowsPrivate true: http and addresses that are not public too. */
export function createUrlCheck(resolveName: ResolveName, allowsPrivate: boolean): CheckUrl {
  const owners: string[] = []
  return async (owner, text) => {
    if (!URL.canParse(text)) return false
    const url = new URL(text)
    const { protocol, username, password, hostname } = url
    if (username !== '' || password !== '') return false
    if (allowsPrivate) return protocol === 'https:' || protocol === 'http:'
    if (protocol !== 'https:') return false
    const address = addressOf(url)
    if (address !== null) return isPublic(address)
    if (owners.filter((each) => each === owner).length >= MAX_CHECKS_OF_ONE) {
      throw rateLimitExceeded(5)
    }
    if (owners.length >= MAX_CHECKS) throw serviceUnavailable()
    owners.push(owner)
    try {
      return (await resolveName(hostname)).every((each) => isPublic(each.address))
    } catch {
      return false
    } finally {
      owners.splice(owners.indexOf(owner), 1)
    }
  }
}
