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

let taken: MailLinkState | null = null

/**
 * Takes user id and secret out of the address and of the history. Must run before the router reads the
 * address. Does nothing at an address that carries neither.
 */
export function takeMailLink(): void {
  const { pathname, search } = location
  if (!/\/(recovery|verify)\/?$/.test(pathname)) return
  const parameters = new URLSearchParams(search)
  const userId = parameters.get('userId')
  const secret = parameters.get('secret')
  if (userId === null && secret === null) return
  taken = userId && secret ? { kind: 'link', link: { userId, secret } } : { kind: 'broken' }
  // The form in which the router keeps a location's state.
  history.replaceState({ usr: OPENED_BY_LINK }, '', pathname)
}

/** What led to the page whose location has `state`. */
export function mailLinkOf(state: unknown): MailLinkState {
  if (state !== OPENED_BY_LINK) return { kind: 'none' }
  return taken ?? { kind: 'forgotten' }
}
