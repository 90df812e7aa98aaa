/** Which network addresses a webhook may have. */
import { lookup } from 'node:dns'
import { BlockList, isIP } from 'node:net'
import type { LookupFunction } from 'node:net'

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
 * Resolves a name for a connection, and fails with PrivateAddress if any of its addresses is not
 * public. The connection uses the addresses that were checked, so a name that changes gains nothing.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, [])
    const [first] = addresses
    if (first === undefined || !addresses.every(({ address }) => isPublic(address))) {
      return callback(new PrivateAddress(), [])
    }
    if (options.all === true) return callback(null, addresses)
    return callback(null, first.address, first.family)
  })
}

/**
 * Returns whether messages may be sent to this URL: https, without a user name, and public.
 * @param allowsPrivate true: http and addresses that are not public too.
 */
export async function mayBeSentTo(text: string, allowsPrivate: boolean): Promise<boolean> {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  const { protocol, username, password, hostname } = url
  if (username !== '' || password !== '') return false
  if (allowsPrivate) return protocol === 'https:' || protocol === 'http:'
  if (protocol !== 'https:') return false
  const address = addressOf(url)
  if (address !== null) return isPublic(address)
  return new Promise((resolve) => {
    publicLookup(hostname, {}, (error) => resolve(error === null))
  })
}
