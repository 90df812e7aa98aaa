/** A real OpenID Connect provider for tests: the certified `oidc-provider`, with a form of its own. */
import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Provider } from 'oidc-provider'

const CLIENT = { clientId: 'stint', clientSecret: 'a secret of the test' }

/** A person who can sign in at the provider with the name that is the key. */
interface Person {
  /** What the provider calls the person, if not by that name; a broken one may say anything. */
  readonly subject?: unknown
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
}

export interface TestProvider {
  /** The environment of a server that uses the provider. */
  readonly environment: Readonly<Record<string, string>>
  readonly people: Map<string, Person>
  /** Lets the provider send browsers back to the server at this origin. Before, it answers 503. */
  serve(origin: string): void
  /** Makes the provider answer every request with this status; null: as usual. */
  failWith(status: number | null): void
  close(): Promise<void>
}

/**
 * Starts a provider on a loopback port. Its page has one field, and a link to refuse.
 * @param options with `claimsInIdToken` the ID token tells the address; else only the userinfo endpoint does.
 */
export async function startTestProvider({ claimsInIdToken = false } = {}): Promise<TestProvider> {
  const people = new Map<string, Person>()
  let listener: RequestListener | null = null
  let failure: number | null = null
  const server = createServer((request, response) => {
    const status = failure ?? (listener === null ? 503 : null)
    if (status === null) listener?.(request, response)
    else response.writeHead(status).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const issuer = `http://127.0.0.1:${port}`
  return {
    environment: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.clientId,
      OIDC_CLIENT_SECRET: CLIENT.clientSecret,
      OIDC_NAME: 'Home',
    },
    people,
    serve: (origin) => void (listener = providerFor(issuer, origin, people, !claimsInIdToken)),
    failWith: (status) => void (failure = status),
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

function providerFor(
  issuer: string,
  origin: string,
  people: ReadonlyMap<string, Person>,
  conformIdTokenClaims: boolean,
) {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [`${origin}/v1/stint/oidc/callback`],
        subject_type: 'pairwise',
      },
    ],
    // Of the types, only this one lets a test choose the `sub`.
    subjectTypes: ['pairwise'],
    pairwiseIdentifier: (_: unknown, sub: string) => people.get(sub)?.subject ?? sub,
    conformIdTokenClaims,
    pkce: { required: () => true },
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['a key of the test'] },
    ttl: {
      AccessToken: 60,
      AuthorizationCode: 60,
      Grant: 60,
      IdToken: 60,
      Interaction: 60,
      Session: 60,
    },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, sub: string) => {
      const person = people.get(sub)
      return person && { accountId: sub, claims: () => ({ sub, ...person }) }
    },
    // Nobody is asked which data Stint may see.
    async loadExistingGrant({ oidc }: { oidc: Asked }) {
      const { accountId = '' } = oidc.session ?? {}
      const grant = new provider.Grant({ accountId, clientId: oidc.client.clientId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const callback = provider.callback()
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer)
    const [, uid] = /^\/interaction\/([\w-]+)$/.exec(pathname) ?? []
    if (uid === undefined) return callback(request, response)
    const login = searchParams.get('login')
    if (login === null) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE)
      return
    }
    const result = people.has(login)
      ? { login: { accountId: login } }
      : { error: 'access_denied', error_description: 'The person has refused.' }
    void provider.interactionFinished(request, response, result)
  }
}

interface Asked {
  readonly session?: { readonly accountId?: string }
  readonly client: { readonly clientId: string }
}

const PAGE = `<!doctype html><title>Home</title><link rel="icon" href="data:,">
<form><label>Name at Home <input name="login"></label> <button>Continue</button></form>
<a href="?login=">Refuse</a>`
