/** Passkeys as the API returns them, and what WebAuthn sends and gets. */
import { instantToWire } from '@stint/core/time/instant.ts'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { description } from '#errors.ts'
import { answer, utcInstant } from '#http/answers.ts'
import { optional, password } from '#http/params.ts'
import { epochMilliseconds } from '#instant.ts'
import type { PasskeyRow } from '#storage/schema.ts'

export const PASSKEY = answer(
  {
    id: Type.String(),
    name: Type.String(),
    createdAt: utcInstant,
    lastUsedAt: Type.Union([utcInstant, Type.Null()]),
  },
  'passkey',
)

export const PASSKEYS = answer(
  {
    passkeys: Type.Array(PASSKEY),
    /** Whether the account can also be signed in to with a password. */
    hasPassword: Type.Boolean(),
  },
  'passkeyList',
)

/** What a page hands to the browser. */
export const OPTIONS = Type.Record(Type.String(), Type.Unknown(), {
  title: 'passkeyOptions',
  description: 'what `parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON` takes',
})

const base64url = (max: number) =>
  Type.String({ pattern: '^[A-Za-z0-9_-]*$', minLength: 1, maxLength: max })

/** The id of a credential has at most 1023 bytes. */
const CREDENTIAL_ID = base64url(1364)

const refusal = description('credential')

/** What a passkey has signed, as `PublicKeyCredential.toJSON` returns it. */
export const ASSERTION = Type.Object(
  {
    id: CREDENTIAL_ID,
    rawId: CREDENTIAL_ID,
    response: Type.Object({
      clientDataJSON: base64url(4096),
      authenticatorData: base64url(4096),
      signature: base64url(2048),
      userHandle: Type.Optional(Type.Union([base64url(128), Type.Null()])),
    }),
  },
  { refusal, title: 'passkeyAssertion' },
)

/** A new passkey, as `PublicKeyCredential.toJSON` returns it. */
export const REGISTRATION = Type.Object(
  {
    id: CREDENTIAL_ID,
    rawId: CREDENTIAL_ID,
    response: Type.Object({
      clientDataJSON: base64url(4096),
      attestationObject: base64url(8192),
      transports: Type.Optional(
        Type.Array(Type.String({ pattern: '^[a-z-]{1,32}$' }), { maxItems: 10 }),
      ),
    }),
  },
  { refusal, title: 'passkeyRegistration' },
)

/** How a signed-in person confirms who they are. */
export const PROOF = {
  password: optional(Type.With(password, { description: 'the current one' })),
  assertion: optional(ASSERTION),
}

export type Assertion = Static<typeof ASSERTION>
export type Registration = Static<typeof REGISTRATION>
export interface Proof {
  readonly password?: string | null | undefined
  readonly assertion?: Assertion | null | undefined
}

/** Returns a passkey for its owner. */
export function wirePasskey(passkey: PasskeyRow): Static<typeof PASSKEY> {
  return {
    id: passkey.id,
    name: passkey.name,
    createdAt: utcOf(passkey.created_at),
    lastUsedAt: passkey.used_at === null ? null : utcOf(passkey.used_at),
  }
}

/** Returns stored wire text in the form that ends in `Z`. */
function utcOf(stored: string): string {
  return instantToWire(epochMilliseconds(stored))
}
