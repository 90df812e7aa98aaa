/**
 * What the link of a mail carries. It opens an account to whoever holds it, so it leaves the address bar
 * and the history before anything else happens, and is kept in memory only.
 */

export interface MailLink {
  readonly userId: string
  readonly secret: string
}

/** What is known of the link that led to a page. */
export type MailLinkState =
  | { readonly kind: 'link'; readonly link: MailLink }
  /** No link led here. */
  | { readonly kind: 'none' }
  /** A part of the link is missing. */
  | { readonly kind: 'broken' }
  /** A link led here, and the page was loaded again since: its secret is gone. */
  | { readonly kind: 'forgotten' }

/** The location state of the history entry that a link opened. It stays over a reload; no secret is in it. */
const OPENED_BY_LINK = 'mail-link'

const PARAMETERS = ['userId', 'secret', 'expire']

let taken: MailLinkState | null = null

/**
 * Takes user id and secret out of the address and of the history. Must run before the router reads the
 * address. Does nothing at an address that carries neither.
 */
export function takeMailLink(): void {
  const url = new URL(location.href)
  const { searchParams } = url
  if (!/\/(?:recovery|verify)\/?$/.test(url.pathname)) return
  if (!PARAMETERS.some((name) => searchParams.has(name))) return
  const userId = searchParams.get('userId') ?? ''
  const secret = searchParams.get('secret') ?? ''
  taken =
    userId === '' || secret === '' ? { kind: 'broken' } : { kind: 'link', link: { userId, secret } }
  for (const name of PARAMETERS) searchParams.delete(name)
  // The form in which the router keeps a location's state.
  history.replaceState({ usr: OPENED_BY_LINK }, '', url)
}

/** What led to the page whose location has `state`. */
export function mailLinkOf(state: unknown): MailLinkState {
  if (state !== OPENED_BY_LINK) return { kind: 'none' }
  return taken ?? { kind: 'forgotten' }
}
