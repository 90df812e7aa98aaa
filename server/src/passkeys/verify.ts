/**
 * What browsers get to ask a passkey, and the check of what it has signed. The library is loaded at the first use: it is
 * large, and most starts of a server need none of it.
 */
import { apiError } from '#errors.ts'
import { isPlainObject, parsedJson } from '#json.ts'
import type { PasskeyRow } from '#storage/schema.ts'
import { CHALLENGE_LIFETIME } from './challenges.ts'
import type { RelyingParty } from './relying-party.ts'
import type { Assertion, Registration } from './wire.ts'

/** ES256, EdDSA and RS256, by their numbers in COSE: what every authenticator of today has. */
const ALGORITHMS = [-7, -8, -257]

/** What a new passkey is stored with. */
export type NewCredential = Pick<
  PasskeyRow,
  'credential_id' | 'public_key' | 'counter' | 'transports'
>

/** The person whom a new passkey signs in. */
interface Person {
  readonly id: string
  readonly email: string
  readonly name: string
}

/** Returns what a browser needs to make a passkey. The authenticators of `existing` make no second one. */
export async function creationOptions(
  { id: rpID }: RelyingParty,
  { id, email, name }: Person,
  existing: readonly PasskeyRow[],
  challenge: string,
): Promise<Record<string, unknown>> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const options = await generateRegistrationOptions({
    rpName: 'Stint',
    rpID,
    userID: new TextEncoder().encode(id),
    userName: email,
    userDisplayName: name,
    challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')),
    timeout: CHALLENGE_LIFETIME,
    attestationType: 'none',
    excludeCredentials: existing.map(descriptor),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
  return { ...options }
}

/** Returns what a browser needs to have a passkey sign: any of this site, or one of `allowed`. */
export async function requestOptions(
  { id: rpID }: RelyingParty,
  allowed: readonly PasskeyRow[],
  challenge: string,
): Promise<Record<string, unknown>> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const options = await generateAuthenticationOptions({
    rpID,
    challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')),
    timeout: CHALLENGE_LIFETIME,
    allowCredentials: allowed.map(descriptor),
    userVerification: 'required',
  })
  return { ...options }
}

/** Returns the challenge that was signed, as the browser says; '' if it says none. */
export function signedChallenge({ response }: Assertion | Registration): string {
  const said = clientData(response.clientDataJSON)['challenge']
  return typeof said === 'string' ? said : ''
}

/**
 * Checks a new passkey: its challenge, site, and that its owner was verified.
 * @throws ApiError stint_passkey_refused.
 */
export async function verifyRegistration(
  { id, origin }: RelyingParty,
  registration: Registration,
  challenge: string,
): Promise<NewCredential> {
  refuseForeignFrame(registration.response.clientDataJSON)
  await refuseCertificates(registration.response.attestationObject)
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const checked = await verifyRegistrationResponse({
    response: { ...registration, type: 'public-key', clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(refuse)
  if (!checked.verified || checked.registrationInfo.credential.id !== registration.id) refuse()
  const { credential } = checked.registrationInfo
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: JSON.stringify(registration.response.transports ?? []),
  }
}

/**
 * Checks what a passkey has signed: challenge, site, signature, that its owner was verified, and that its counter does
 * not go back.
 * @returns the new counter.
 * @throws ApiError stint_passkey_refused.
 */
export async function verifyAssertion(
  { id, origin }: RelyingParty,
  assertion: Assertion,
  challenge: string,
  passkey: PasskeyRow,
): Promise<number> {
  const { clientDataJSON, userHandle } = assertion.response
  refuseForeignFrame(clientDataJSON)
  // A passkey names its account. It may leave the name out when it was asked for by its id.
  if (userHandle && Buffer.from(userHandle, 'base64url').toString() !== passkey.user_id) refuse()
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { id: credentialId, rawId, response } = assertion
  const { authenticatorData, signature } = response
  const checked = await verifyAuthenticationResponse({
    response: {
      id: credentialId,
      rawId,
      type: 'public-key',
      response: { clientDataJSON, authenticatorData, signature },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    credential: {
      id: passkey.credential_id,
      publicKey: Uint8Array.from(Buffer.from(passkey.public_key, 'base64url')),
      counter: passkey.counter,
    },
  }).catch(refuse)
  return checked.verified ? checked.authenticationInfo.newCounter : refuse()
}

/**
 * Refuses a new passkey that brings certificates. None were asked for, and the library would call the addresses that they
 * name (docs/decisions/0054-passkeys.md).
 */
async function refuseCertificates(attestationObject: string): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  try {
    const decoded = decodeAttestationObject(
      Uint8Array.from(Buffer.from(attestationObject, 'base64url')),
    )
    const format = decoded.get('fmt')
    const isBare = format === 'none' || (format === 'packed' && !decoded.get('attStmt').get('x5c'))
    if (isBare) return
  } catch {
    // What cannot be read is refused as well.
  }
  refuse()
}

/** Refuses what was signed in a frame of another site. */
function refuseForeignFrame(clientDataJSON: string): void {
  if (clientData(clientDataJSON)['crossOrigin'] === true) refuse()
}

function clientData(clientDataJSON: string): Record<string, unknown> {
  const said = parsedJson(Buffer.from(clientDataJSON, 'base64url').toString())
  return isPlainObject(said) ? said : {}
}

function descriptor({ credential_id: id, transports }: PasskeyRow) {
  const known: unknown = JSON.parse(transports)
  return { id, transports: Array.isArray(known) ? known.map(String) : [] }
}

/** What the library says is about the bytes of an answer, and nothing that a person can use. */
function refuse(): never {
  throw apiError('stint_passkey_refused')
}
