/** An authenticator in software: it makes passkeys and signs with them, as WebAuthn says, and lies as a test asks it to. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

/** What an authenticator and its browser say. Default: the truth about a page of `http://localhost:3000`. */
export interface Lies {
  readonly origin?: string
  readonly domain?: string
  readonly challenge?: string
  readonly counter?: number
  readonly isVerified?: boolean
  readonly crossOrigin?: boolean
  /** The account that the passkey names. */
  readonly userId?: string
  /** True: another key signs. */
  readonly isForged?: boolean
  /** The CBOR text of what attests a new passkey. Default: nothing. */
  readonly attestation?: Buffer
}

/** A passkey as its authenticator keeps it. */
export interface Passkey {
  readonly id: string
  readonly userId: string
  readonly privateKey: KeyObject
  /** How often it has signed. */
  counter: number
}

/** The options of `navigator.credentials.create`, as far as they are used here. */
interface CreationOptions {
  readonly challenge: string
  readonly user: { readonly id: string }
}

const PRESENT = 0x01
const VERIFIED = 0x04
const HAS_KEY = 0x40

/** Makes a passkey. Returns it, and what its browser sends. */
export function makePasskey(options: CreationOptions, lies: Lies = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const rawId = randomBytes(16)
  const id = rawId.toString('base64url')
  const passkey: Passkey = {
    id,
    userId: Buffer.from(options.user.id, 'base64url').toString(),
    privateKey,
    counter: lies.counter ?? 0,
  }
  const coseKey = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  const authData = Buffer.concat([
    authenticatorData(passkey.counter, HAS_KEY, lies),
    Buffer.alloc(16),
    uint16(rawId.length),
    rawId,
    coseKey,
  ])
  const attestationObject = Buffer.concat([
    Buffer.from('a3', 'hex'),
    lies.attestation ?? Buffer.concat([cborText('fmt'), cborText('none'), NO_STATEMENT]),
    cborText('authData'),
    Buffer.from('59', 'hex'),
    uint16(authData.length),
    authData,
  ])
  const registration = {
    id,
    rawId: id,
    type: 'public-key',
    response: {
      clientDataJSON: clientData('webauthn.create', options.challenge, lies),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    },
    clientExtensionResults: {},
  }
  return { passkey, registration }
}

/** Signs with a passkey, whose counter goes up by one. Returns what its browser sends. */
export function signWith(passkey: Passkey, options: { challenge: string }, lies: Lies = {}) {
  passkey.counter = lies.counter ?? passkey.counter + 1
  const authData = authenticatorData(passkey.counter, 0, lies)
  const clientDataJSON = clientData('webauthn.get', options.challenge, lies)
  const signed = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, 'base64url'))])
  const key = lies.isForged
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    : passkey.privateKey
  return {
    id: passkey.id,
    rawId: passkey.id,
    type: 'public-key',
    response: {
      clientDataJSON,
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, key).toString('base64url'),
      userHandle: Buffer.from(lies.userId ?? passkey.userId).toString('base64url'),
    },
    clientExtensionResults: {},
  }
}

/** Returns the CBOR of a short text. */
export function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])
}

const NO_STATEMENT = Buffer.concat([cborText('attStmt'), Buffer.from('a0', 'hex')])

function authenticatorData(counter: number, flags: number, lies: Lies): Buffer {
  const { domain = 'localhost', isVerified = true } = lies
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  const all = flags | PRESENT | (isVerified ? VERIFIED : 0)
  return Buffer.concat([sha256(Buffer.from(domain)), Buffer.from([all]), count])
}

function clientData(type: string, asked: string, lies: Lies): string {
  const { origin = 'http://localhost:3000', challenge = asked, crossOrigin = false } = lies
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin })).toString('base64url')
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
