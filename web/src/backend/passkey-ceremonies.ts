/** What the browser does with passkeys: it makes one, or has one sign. Loaded when somebody may use one. */
import {
  sendSignal,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
} from '@simplewebauthn/browser'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'

import { BackendError } from './errors.ts'

/** The type of the error of a request that another one has ended. */
const REPLACED = 'passkey_replaced'

/** Has the browser make a passkey, as the server's options say. Rejects with BackendError. */
export function makePasskey(options: unknown): Promise<RegistrationResponseJSON> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the browser checks every part
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON
  return asked(() => startRegistration({ optionsJSON }))
}

/**
 * Has a passkey sign, as the server's options say. With `autofill` the browser offers passkeys in the list of the email
 * field, until one is chosen, another request begins or the signal aborts. Rejects with BackendError.
 */
export async function signWithPasskey(
  options: unknown,
  autofill: AbortSignal | null = null,
): Promise<AuthenticationResponseJSON> {
  if (autofill?.aborted) throw new BackendError('invalid', 'Aborted', REPLACED)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the browser checks every part
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
  autofill?.addEventListener('abort', cancelRequest)
  try {
    return await asked(() =>
      startAuthentication({ optionsJSON, useBrowserAutofill: autofill !== null }),
    )
  } finally {
    autofill?.removeEventListener('abort', cancelRequest)
  }
}

function cancelRequest(): void {
  WebAuthnAbortService.cancelCeremony()
}

/** Tells the browser that no account has this passkey, so that it stops offering it. */
export async function forgetPasskey(credentialID: string): Promise<void> {
  await sendSignal({
    signalName: 'unknownCredential',
    rpID: location.hostname,
    credentialID,
  }).catch(() => undefined)
}

/** Runs a request to the browser. Its refusals get types of their own, beside those of the server. */
async function asked<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new BackendError('invalid', message, typeOf(error))
  }
}

function typeOf(error: unknown): string {
  const name = error instanceof WebAuthnError ? error.code : ''
  if (name === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return 'passkey_exists'
  if (name === 'ERROR_CEREMONY_ABORTED') return REPLACED
  if (name === 'ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY') return 'passkey_cancelled'
  return error instanceof Error && error.name === 'NotAllowedError'
    ? 'passkey_cancelled'
    : 'passkey_unsupported'
}
