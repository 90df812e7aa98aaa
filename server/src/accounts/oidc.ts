/**
 * The OpenID Connect provider that signs people in: the authorization code flow with PKCE, state and
 * nonce, by the package `openid-client`.
 */
import { normalizedEmail } from '@stint/core/email-address.ts'
import * as client from 'openid-client'
import { ApiError, apiError } from '#errors.ts'
import type { Config, OidcConfig } from '#config.ts'
import { nameOf } from '#http/auth-proxy.ts'
import { isEmailAddress, isStorable } from '#http/params.ts'
import type { ExternalPerson } from './external-sign-in.ts'

/** Where the provider sends the browser back to. */
const CALLBACK_PATH = '/v1/stint/oidc/callback'

/** What is asked of the provider: who the person is, and nothing else. */
const SCOPE = 'openid email profile'

/** How long a request to the provider may take, in seconds. Two and a retry fit into one of ours. */
const TIMEOUT = 3

/** How often the provider is asked for its addresses before a sign-in fails. */
const DISCOVERY_TRIES = 2

/** What a sign-in needs at its end, and nobody else may know. */
export interface PendingSignIn {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface Oidc {
  /**
   * Begins a sign-in.
   * @returns the provider's address for the browser.
   * @throws ApiError stint_provider_unavailable.
   */
  begin(): Promise<{ readonly url: string; readonly pending: PendingSignIn }>
  /**
   * Ends a sign-in with the address at which the browser came back.
   * @throws ApiError stint_sign_in_denied, stint_sign_in_expired, stint_provider_unavailable.
   */
  finish(pending: PendingSignIn, query: URLSearchParams): Promise<ExternalPerson>
}

/**
 * Makes the client of a provider. It asks the provider nothing before the first sign-in.
 * @param warn receives what the operator must know of a failure: codes, and no secret.
 */
export function createOidc(
  oidc: OidcConfig,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  warn: (failure: string) => void,
): Oidc {
  const callback = new URL(CALLBACK_PATH, publicUrl)
  let discovered: Promise<client.Configuration> | null = null

  return {
    async begin() {
      const provider = await configuration()
      const verifier = client.randomPKCECodeVerifier()
      const state = client.randomState()
      const nonce = client.randomNonce()
      const url = client.buildAuthorizationUrl(provider, {
        redirect_uri: callback.href,
        scope: SCOPE,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, pending: { state, nonce, verifier } }
    },
    async finish({ state, nonce, verifier }, query) {
      const provider = await configuration()
      const returned = new URL(callback)
      returned.search = query.toString()
      try {
        const tokens = await client.authorizationCodeGrant(provider, returned, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (claims === undefined) throw apiError('stint_sign_in_denied')
        if (!isSubject(claims.sub)) throw new Error('the ID token names nobody: `sub` is unusable')
        // Many providers tell the address only there.
        const told =
          claims['email'] === undefined && provider.serverMetadata().userinfo_endpoint !== undefined
            ? await client.fetchUserInfo(provider, tokens.access_token, claims.sub)
            : claims
        return personFrom(claims.iss, claims.sub, told)
      } catch (error) {
        throw refusalOf(error)
      }
    },
  }

  /** Returns what a person is told. What is the provider's fault or the operator's, is logged. */
  function refusalOf(error: unknown): ApiError {
    if (error instanceof ApiError) return error
    if (isDenial(error)) return apiError('stint_sign_in_denied')
    if (isStale(error)) return apiError('stint_sign_in_expired')
    warn(failureOf(error))
    return apiError('stint_provider_unavailable')
  }

  /** Returns what the provider tells about itself. A failure is not kept, so the next call asks again. */
  function configuration(): Promise<client.Configuration> {
    discovered ??= discover(oidc).catch((error: unknown) => {
      discovered = null
      throw refusalOf(error)
    })
    return discovered
  }
}

async function discover({ issuer, clientId, clientSecret }: OidcConfig) {
  const url = new URL(issuer)
  const options = {
    timeout: TIMEOUT,
    // The configuration allows http on this machine alone.
    execute: url.protocol === 'http:' ? [client.allowInsecureRequests] : [],
  }
  const authentication = clientAuthentication(clientSecret)
  for (let tries = 1; ; tries++) {
    try {
      return await client.discovery(url, clientId, clientSecret, authentication, options)
    } catch (error) {
      if (tries === DISCOVERY_TRIES) throw error
    }
  }
}

/** Sends the secret as the provider can take it: in the header, which is the standard's default. */
function clientAuthentication(secret: string): client.ClientAuth {
  const inHeader = client.ClientSecretBasic(secret)
  const inBody = client.ClientSecretPost(secret)
  return (provider, ...request) => {
    const taken = provider.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const method = taken.includes('client_secret_basic') ? inHeader : inBody
    method(provider, ...request)
  }
}

function personFrom(
  issuer: string,
  subject: string,
  claims: Readonly<Record<string, unknown>>,
): ExternalPerson {
  const { email, email_verified: isVerified, name } = claims
  const isUsable = typeof email === 'string' && isVerified === true && isEmailAddress(email)
  return {
    provider: 'oidc',
    issuer,
    subject,
    email: isUsable ? normalizedEmail(email) : null,
    name: typeof name === 'string' ? nameOf(name) : '',
  }
}

/** The longest `sub` that OpenID Connect allows, in characters. */
const MAX_SUBJECT = 255

/** Returns whether a `sub` names a person. With an empty one, everybody who has none would be the same. */
function isSubject(sub: string): boolean {
  return sub.trim() !== '' && sub.length <= MAX_SUBJECT && isStorable(sub)
}

/** Returns whether the person or the provider has refused the sign-in. */
function isDenial(error: unknown): boolean {
  return (
    error instanceof client.AuthorizationResponseError &&
    error.error !== 'server_error' &&
    error.error !== 'temporarily_unavailable'
  )
}

/**
 * Returns whether what came back does not belong to the sign-in that this browser began, or was used
 * before.
 */
function isStale(error: unknown): boolean {
  if (error instanceof client.ResponseBodyError) return error.error === 'invalid_grant'
  return (
    error instanceof client.ClientError &&
    (error.code === 'OAUTH_INVALID_RESPONSE' || error.code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED')
  )
}

/** Returns the codes of a failure: 'invalid_client', or 'ECONNREFUSED'. */
function failureOf(error: unknown): string {
  if (error instanceof client.ResponseBodyError) return `${error.status} ${error.error}`
  if (error instanceof client.WWWAuthenticateChallengeError) {
    return `${error.status}: the provider does not accept the client or its secret`
  }
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
  return `${error.message}${code}`
}
