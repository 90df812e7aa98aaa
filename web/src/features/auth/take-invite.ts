/** The link of an invitation, `/signup?invite=…`. */
import { keepInvite } from '#session/invite.ts'
import { currentLocation, navigate } from '#ui/navigation.tsx'

/**
 * Removes the secret of an invitation from the address and the history, and keeps it in this tab. Must
 * run before the router reads the address.
 */
export function takeInvite(): void {
  const { pathname, search } = currentLocation()
  const secret = new URLSearchParams(search).get('invite')
  if (!secret || !/\/signup\/?$/.test(pathname)) return
  keepInvite(secret)
  navigate(pathname, { replace: true })
}
