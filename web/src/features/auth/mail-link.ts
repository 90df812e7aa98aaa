/**
 * The secret of an emailed link. It gives access to an account, so it is removed from the address bar
 * and the history first, and kept in memory only.
 */

import { currentLocation, navigate } from '#ui/navigation.tsx'

export interface MailLink {
  readonly userId: string
  readonly secret: string
}

/** What is known of the link that opened a page. */
export type MailLinkState =
  | { readonly kind: 'link'; readonly link: MailLink }
  /** No link opened the page. */
  | { readonly kind: 'none' }
  /** The link is incomplete. */
  | { readonly kind: 'broken' }
  /** A link opened the page, but a reload has lost its secret. */
  | { readonly kind: 'forgotten' }

/**
 * The location state of a history entry that a link opened. It survives a reload and holds no secret.
 */
const OPENED_BY_LINK = 'mail-link'

let taken: MailLinkState | null = null

/**
 * Removes the user id and the secret from the address and the history, and keeps them in memory. Must
 * run before the router reads the address. Does nothing at an address that has neither.
 */
export function takeMailLink(): void {
  const { pathname, search } = currentLocation()
  if (!/\/(recovery|verify)\/?$/.test(pathname)) return
  const parameters = new URLSearchParams(search)
  const userId = parameters.get('userId')
  const secret = parameters.get('secret')
  if (userId === null && secret === null) return
  taken = userId && secret ? { kind: 'link', link: { userId, secret } } : { kind: 'broken' }
  navigate(pathname, { replace: true, state: OPENED_BY_LINK })
}

/** Returns what is known of the link that opened the page with this location state. */
export function mailLinkOf(state: unknown): MailLinkState {
  if (state !== OPENED_BY_LINK) return { kind: 'none' }
  return taken ?? { kind: 'forgotten' }
}
