import type { ServerInfo } from './use-server-info.ts'

/** Returns whether the server and this browser can sign people in with passkeys on this page. */
export function offersPasskeys(info: ServerInfo | null): boolean {
  if (info === null) return false
  return info.passkeyDomain === location.hostname && 'PublicKeyCredential' in window
}
